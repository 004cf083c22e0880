"""What a game offers to people who learn and practise it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Teaching:
    """How a game is explained to a newcomer."""

    rules: str = ""
    """The rules in Markdown."""
    goal: str = ""
    """How the game is won, in one sentence."""
    picture: str = ""
    """A small picture of the goal in ASCII characters, of up to 4 lines of 30 columns."""
    story: tuple[str, ...] = ()
    """Sentences for the first match, shown one at a time, each of up to 120 ASCII characters."""
    lessons: str = ""
    """The lessons, a TOML file in the package of the game's class; empty for none."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """A step on the path from the first match to the perfect player."""

    board: str
    """Parameters as in a game ID."""
    side: int
    """The side of the person, 0 or 1; it can win, or tie if neither side can win."""
    opponent: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """To beat a machine again and again without help, for a star."""

    machine: str
    seat: int
    """The machine's seat, 0 or 1."""
    wins: int


@dataclass(frozen=True, slots=True)
class Practice:
    """The boards on which people practise a game."""

    path: tuple[PathStep, ...] = ()
    """From the weakest opponent to the strongest, each on a board once; empty for no path."""
    better_side: int = 0
    """The side that can win the default board, 0 or 1; 0 if neither can."""
    puzzle_boards: tuple[str, ...] = ()
    """Boards for puzzles, as parameters of game IDs; empty to use the presets."""
    grade_thresholds: tuple[int, int, int, int] = (20, 60, 150, 400)
    """The lowest difficulties of the puzzle grades 2 to 5, as `python -m tools.puzzles` measures them."""
    daily_board: str = ""
    """The board of the daily deal, as in a game ID; empty for a game with daily puzzles instead."""
    challenge: Challenge | None = None
