"""Check the English of docs, screens, messages, docstrings and comments: `python -m tools.prose [FILE ...]`.

`PATTERNS` lists phrases to avoid, each with a better one. A sentence has at most `MAX_WORDS` words. codespell
checks the spelling.

It skips code: in backticks, in fenced or indented blocks, and strings that begin with an import. To quote a
phrase in Python or TOML, write `# quotation` at the end of its line.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

SUFFIXES = ("*.py", "*.md", "*.toml")

PATTERNS = {
    r"(?:goes|go|going|went) on\b(?! (?:strike|top))": "continues, resumes",
    r"play(?:s|ed|ing)? on[.,;:]": "continues, resumes",
    r"(?:who|which|what)ever": "name the person or the thing",
    r"nobody": "neither side, unknown, or name the person",
    r"(?:some|every)body": "you, the player, everyone",
    r"so many": "give the number a name",  # quotation
    r"so (?:large|long|small|few|much) an?": "give the number a name",
    r"(?:is|are|was|were|be|been) (?:told|said)(?! apart)": "is reported, is shown",
    r"anew|afresh": "again, from the start",
    r"both sides counted": "count the winner's own moves, or say plies",  # quotation
    r"mend(?:s|ed|ing)?": "fix",
    r"(?:is|are|was|were) looked at": "is analysed, is checked",
    r"(?:has|have) gone": "no longer exists",
    r"(?:stands?|lies?) (?:after|before|under|below|beside|above)": "is",
    r"(?:thus|hence|whence|thereof|therein|beforehand)": "use an everyday word",
    r"what (?:is|was) (?:kept|known|found|left|proved|needed|asked|stored|saved)": "use a noun: saved data",
    r"what (?:fits|it makes|comes out|came out)": "use a noun, such as suggestions",
    r"believe[sd]?": "accepts, expects",
    r"(?:strangers?|rungs?|ceilings?)": "visitor, step or level, upper bound",
    r"also (?:when|where|if)": "even if, including",
    r"(?<!very )(?<!as )meanwhile": "say when",  # quotation
    r"(?<=[;,] )else(?! if)": "otherwise, by default",
    r"(?<=[.:] )(?-i:Else)": "otherwise, by default",
}
"""Each with a better text."""

MAX_WORDS = 30

_AVOID = re.compile(rf"\b(?:{'|'.join(f'({pattern})' for pattern in PATTERNS)})(?!\w)", re.IGNORECASE)
_BETTER = tuple(PATTERNS.values())

_INLINE_CODE = re.compile(r"`+[^`]*`+")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CODE_BLOCK = re.compile(
    r"^( *)```(?s:.*?)^\1```"  # between fences
    r"|(?<=\n\n) {4,}\S.*\n(?:(?: {4,}.*)?\n)*",  # indented, after a blank line
    re.MULTILINE,
)
_SENTENCE_END = re.compile(
    r"(?<=[.!?:])[\"')*_”]*\s+(?=[\"'(*_“]*[A-Z0-9])"  # a full stop
    r"|\n\s*\n|\n\s*(?:[*-]|\d+\.) |\n\s*#+ |\||\n\."  # a paragraph, list item, heading, cell, troff macro
    r"|\n +\w+(?:, \w+)*:"  # an argument or an exception in a docstring
)
_PYTHON = re.compile(
    r"(?P<comment>\#[^\n]*(?:\n\ *\#[^\n]*)*)"  # lines of comment that follow each other are one text
    r"|(?P<prefix>[a-zA-Z]{0,2})"
    r'(?:(?P<long>"""|\'\'\')(?P<text>(?:\\.|(?!(?P=long)).)*)(?P=long)'
    r'|(?P<short>"|\')(?P<words>(?:\\.|(?!(?P=short))[^\n\\])*)(?P=short))',
    re.VERBOSE | re.DOTALL,
)
_PROGRAM = re.compile(r"\s*(?:import|from) \w")
_FIELD = re.compile(r"\{[^{}]*\}")
_QUOTATION = re.compile(r"[^\n]*# quotation$", re.MULTILINE)


class Passage(NamedTuple):
    """With the line where it starts."""

    line: int
    text: str


def passages(path: Path) -> Iterator[Passage]:
    """Markdown without code, strings, values and comments."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        yield Passage(1, _CODE_BLOCK.sub(_blank, text))
    elif path.suffix == ".toml":
        for number, line in enumerate(text.splitlines(), 1):
            if not line.endswith("# quotation"):
                yield Passage(number, line.partition(" = ")[2].strip('"') or line.lstrip("# "))
    else:
        yield from _python_passages(text)


def _blank(code: re.Match[str]) -> str:
    """Lines keep their numbers."""
    return "\n" * code[0].count("\n")


def _python_passages(text: str) -> Iterator[Passage]:
    """Comments, and strings that have a space; adjacent ones are one text."""
    line, index = 1, 0
    joined = Passage(0, "")
    for found in _PYTHON.finditer(text):
        between = text[index : found.start()]
        if joined.text and not between.isspace():
            yield joined
            joined = Passage(0, "")
        line += text.count("\n", index, found.start())
        words = found["text"] or found["words"] or ""
        if found["comment"]:
            yield Passage(line, re.sub(r"^ *[#:]+ ?", "", found["comment"], flags=re.MULTILINE))
        elif " " in words and not _PROGRAM.match(words) and not _QUOTATION.match(text, found.end()):
            if "f" in found["prefix"].lower():
                words = _FIELD.sub("X", words)
            joined = Passage(joined.line or line, joined.text + words.replace(r"\n", " \n"))
        line += found[0].count("\n")
        index = found.end()
    if joined.text:
        yield joined


def complaints(passage: Passage) -> Iterator[tuple[int, str]]:
    """With their lines."""
    text = _LINK.sub(r"\1", _INLINE_CODE.sub(lambda code: "X" + _blank(code), passage.text))

    def line_at(index: int) -> int:
        return passage.line + text.count("\n", 0, index)

    for match in _AVOID.finditer(text):
        assert match.lastindex
        yield line_at(match.start()), f"{match[0]!r}: {_BETTER[match.lastindex - 1]}"
    start = 0
    for end in (*(match.start() for match in _SENTENCE_END.finditer(text)), len(text)):
        sentence = text[start:end]
        if sentence.count(" ") + sentence.count("\n") >= MAX_WORDS:
            words = [word for word in sentence.split() if any(map(str.isalpha, word))]
            if len(words) > MAX_WORDS:
                first = end - len(sentence.lstrip())
                yield line_at(first), f"a sentence of {len(words)} words: {' '.join(words[:6])} ..."
        start = end


def main() -> int:
    """Return 1 if there is a complaint."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="*", type=Path, help="default: all files except tests")
    files = parser.parse_args().file
    if not files:
        tracked = subprocess.check_output(["git", "ls-files", *SUFFIXES], cwd=ROOT, text=True).splitlines()
        files = [ROOT / name for name in tracked if not name.startswith(("tests/", "."))]
    found = 0
    for file in files:
        for passage in passages(file):
            for line, complaint in complaints(passage):
                print(f"{file.relative_to(ROOT) if file.is_relative_to(ROOT) else file}:{line}: {complaint}")
                found += 1
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
