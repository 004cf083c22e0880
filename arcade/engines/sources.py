"""Source files of a package, and a digest of all source that a module depends on."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def source_digest(module: str, file: Path) -> str:
    """A digest of a module's source and of the modules of its package that it imports, directly or not.

    Imports are read from the source, so this imports nothing. Modules outside the top-level package of
    `module` do not count: they change only with a new installed version.

    Args:
        module: the full name, e.g. "arcade.engines.chocobar.kernel".
        file: the path of its source.

    Raises:
        OSError: a file cannot be read.
        SyntaxError: a file is not valid Python.
    """
    parts = module.split(".")
    place = file.parent if file.stem == "__init__" else file
    root = place.parents[len(parts) - 1]
    found = {file}
    waiting = [(module, file)]
    while waiting:
        for name in _imports(*waiting.pop()):
            imported = _file(root, name) if name.split(".")[0] == parts[0] else None
            if imported is not None and imported not in found:
                found.add(imported)
                waiting.append((name, imported))
    digest = hashlib.sha256()
    for source in sorted(found):
        digest.update(f"{source.relative_to(root).as_posix()}\0".encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def package_files(module: str) -> list[Path]:
    """The source files of the top-level package that a module belongs to, without importing it."""
    found = find_spec(module.partition(".")[0])
    if found is None:
        return []
    if found.submodule_search_locations is not None:
        return [file for folder in found.submodule_search_locations for file in Path(folder).rglob("*.py")]
    return [Path(found.origin)] if found.origin else []


def _file(root: Path, module: str) -> Path | None:
    place = root.joinpath(*module.split("."))
    return next(filter(Path.is_file, (place.with_suffix(".py"), place / "__init__.py")), None)


@cache
def _imports(module: str, file: Path) -> tuple[str, ...]:
    package = module if file.stem == "__init__" else module.rpartition(".")[0]
    return tuple(_names(ast.parse(file.read_bytes()), package.split(".")))


def _names(tree: ast.AST, package: list[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
