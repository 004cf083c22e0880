"""Numba's cache on disk. Only `compiled` imports this module, and only when it needs numba."""

import ast
import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core import config
from numba.core.caching import FunctionCache, IndexDataCacheFile

from arcade.engines.control import Kernels

SETTINGS: Any = config
# Numba reads settings in the current folder, which could name foreign machine code.
SETTINGS._config_fname = os.devnull
SETTINGS.reload_config()


@cache
def source_digest(module: str, file: Path) -> str:
    """Return a digest of a module and of all modules that it imports from its own package.

    Raises OSError or SyntaxError if a file cannot be read or parsed.
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


class KernelCache(FunctionCache):
    """A numba cache keyed by the content of all files that a kernel uses, not by its own file's timestamp.

    If the cache cannot be read, the kernel is compiled again. If it cannot be written, `kernels.unsaved`
    stores the reason.
    """

    def __init__(self, function: Any, kernels: Kernels) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]  # numba has no types
        self._kernels = kernels
        stamp = source_digest(function.__module__, Path(function.__code__.co_filename))
        index: Any = IndexDataCacheFile
        self._cache_file = index(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, signature: Any, target: Any) -> Any:
        load: Any = super().load_overload
        forget: Any = self.flush
        found = None
        try:
            found = load(signature, target)
        except Exception:
            with suppress(OSError):
                forget()
        if found is None:
            self._kernels.preparing()
        return found

    def save_overload(self, signature: Any, compiled: Any) -> None:
        save: Any = super().save_overload
        try:
            save(signature, compiled)
        except OSError as error:
            self._kernels.unsaved[self._cache_path] = error.strerror or str(error)


def dispatcher(function: Any, entry: bool, options: dict[str, Any], kernels: Kernels) -> Any:
    """Return numba's dispatcher for a function.

    Only an `entry` kernel is cached and has a Python wrapper, which takes a fifth of the compile time. The
    option `allocates=False` omits reference counting of the arguments.
    """
    options = {"_nrt": options.get("allocates", True), **options}
    options.pop("allocates", None)
    if not entry:
        options = {"no_cpython_wrapper": True, **options}
    compiler: Any = numba.njit
    kernel: Any = compiler(no_cfunc_wrapper=True, **options)(function)
    if entry:
        # RuntimeError: no folder to write to. OSError: source in an archive.
        kept: Any = KernelCache
        try:
            kernel._cache = kept(function, kernels)
        except (RuntimeError, OSError):
            beside = Path(function.__code__.co_filename).with_name("__pycache__")
            kernels.unsaved[SETTINGS.CACHE_DIR or str(beside)] = "the folder is not writable"
            kernels.preparing()
    template = kernel.get_call_template

    def call_template(arguments: Any, names: Any) -> Any:
        # Otherwise numba compiles twice: for the constant 0 that a variable starts with, and for later
        # numbers.
        return template(tuple(map(types.unliteral, arguments)), names)

    kernel.get_call_template = call_template
    return kernel


def compile_for(dispatcher: Any, arguments: tuple[Any, ...]) -> None:
    type_of: Any = numba.typeof
    dispatcher.compile(tuple(map(type_of, arguments)))
