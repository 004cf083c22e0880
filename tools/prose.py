"""Check the English of docs, screens, messages, docstrings and comments: `python -m tools.prose [FILE ...]`.

codespell checks the spelling. `PATTERNS` lists phrases to avoid, each with a better one. A sentence has
at most `MAX_WORDS` words. Only quotations are exempt: code in backticks, and the keywords in `QUOTATIONS`.
"""

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

SUFFIXES = ("*.py", "*.md", "*.toml")

PATTERNS = {
    r"\b(goes|go|going|went) on\b(?! (strike|top))": "continues, resumes",
    r"\b(who|which|what)ever\b": "name the person or the thing",
    r"\bnobody\b": "neither side, unknown, or name the person",
    r"\bsomebody\b": "you, the player",
    r"\bso many\b": "give the number a name",
    r"\b(is|are|was|were) (told|said)\b": "is reported, is shown",
    r"\banew\b|\bafresh\b": "again, from the start",
    r"\bboth sides counted\b": "count the winner's own moves, or say plies",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\b(is|are) looked at\b": "is analysed, is checked",
    r"\b(has|have) gone\b": "no longer exists",
    r"\b(thus|hence|whence|thereof|therein|beforehand)\b": "use an everyday word",
    r"\bwhat is (kept|known|found|left|proved|needed|asked)\b": "use a noun, such as saved data",
    r"[;,] else\b(?! if)": "otherwise, by default",
    r"\balso (when|where|if)\b": "even if, including",
    r"(?<!\bvery )(?<!\bas )\bmeanwhile\b": "say when",
}
"""Regular expressions of phrases to avoid, each with what to write instead."""

QUOTATIONS = ("whoever moves there loses", "whoever is there loses")
"""Keywords of file formats."""

MAX_WORDS = 30

_CODE = re.compile(r"`+[^`]*`+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_FENCE = re.compile(r"^( *)```.*?^\1```", re.MULTILINE | re.DOTALL)
_SENTENCE_END = re.compile(
    r"(?<=[.!?:])[\"')*_]*\s+(?=[\"'(*_]*[A-Z0-9])"  # a full stop
    r"|\n\s*\n|\n\s*(?:[*-]|\d+\.) |\n\s*#+ |\||\n\."  # a paragraph, list item, heading, cell, troff macro
    r"|\n +\w+(?:, \w+)*:"  # an argument or an exception in a docstring
)


class Passage(NamedTuple):
    """A text of a file, with the line where it starts."""

    line: int
    text: str


def passages(path: Path) -> Iterator[Passage]:
    """The texts of a file: all of a Markdown file; strings, docstrings and comments of Python and TOML."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        # Blank the code, but keep the numbers of the lines.
        yield Passage(1, _FENCE.sub(lambda code: "\n" * code[0].count("\n"), text))
    elif path.suffix == ".toml":
        for number, line in enumerate(text.splitlines(), 1):
            yield Passage(number, line.partition(" = ")[2].strip('"') or line.lstrip("# "))
    else:
        yield from _strings(ast.parse(text))
        yield from _comments(text)


def _strings(node: ast.AST) -> Iterator[Passage]:
    if isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
        yield Passage(node.lineno, "".join(map(str, parts)))
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_prose(node.value):
        yield Passage(node.lineno, node.value)
    for child in ast.iter_child_nodes(node):
        yield from _strings(child)


def _is_prose(text: str) -> bool:
    """Whether a string has words and is no program."""
    try:
        return " " in text and not ("\n" in text and ast.parse(text))
    except SyntaxError:
        return True


def _comments(text: str) -> Iterator[Passage]:
    """Comments; lines of comment that follow each other are one text."""
    first, lines = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            first = first or token.start[0]
            lines.append(token.string.lstrip("#: "))
        elif lines and token.type != tokenize.NL:
            yield Passage(first, "\n".join(lines))
            first, lines = 0, []


def complaints(passage: Passage) -> Iterator[tuple[int, str]]:
    """The line and the text of each complaint about a passage."""
    text = _LINK.sub(r"\1", _CODE.sub(lambda code: "X" + "\n" * code[0].count("\n"), passage.text))
    for quotation in QUOTATIONS:
        text = text.replace(quotation, "X")

    def line_at(index: int) -> int:
        return passage.line + text.count("\n", 0, index)

    for pattern, better in PATTERNS.items():
        for match in re.finditer(pattern, text, re.IGNORECASE):
            yield line_at(match.start()), f"{match[0]!r}: {better}"
    start = 0
    for end in (*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)):
        sentence = text[start:end]
        words = [word for word in sentence.split() if any(map(str.isalpha, word))]
        if len(words) > MAX_WORDS:
            first = end - len(sentence.lstrip())
            yield line_at(first), f"a sentence of {len(words)} words: {' '.join(words[:6])} ..."
        start = end


def main() -> int:
    """Check the named files, or all of the project; the exit code is 1 if there is a complaint."""
    tracked = subprocess.check_output(["git", "ls-files", *SUFFIXES], cwd=ROOT, text=True).splitlines()
    found = 0
    for name in sys.argv[1:] or (name for name in tracked if not name.startswith(("tests/", "."))):
        for passage in passages(ROOT / name):
            for line, complaint in complaints(passage):
                print(f"{name}:{line}: {complaint}")
                found += 1
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
