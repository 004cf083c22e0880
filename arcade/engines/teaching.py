"""Teaching and practice: what a game offers to people who learn it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Teaching:
    rules: str = ""
    """In Markdown."""
    goal: str = ""
    """How to win the game, in one sentence."""
    picture: str = ""
    """The goal in ASCII, up to 4 lines of 30 columns."""
    story: tuple[str, ...] = ()
    """Sentences for the first match, shown one at a time, each up to 120 ASCII characters."""
    lessons: str = ""
    """File name of the lessons, in TOML, in the package of the game's class; empty for none."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """A step on the path from the first match to the perfect player."""

    board: str
    """As in a game ID."""
    side: int
    """The player's side, 0 or 1, which can win, or tie if neither side can win."""
    opponent: str
    """Name of a player kind."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Win a number of matches against a built-in machine without help, for a star."""

    machine: str
    """Name of the machine."""
    seat: int
    """The machine's seat, 0 or 1."""
    wins: int
    """Number of wins that earn the star."""


@dataclass(frozen=True, slots=True)
class Practice:
    path: tuple[PathStep, ...] = ()
    """Steps from the weakest opponent to the strongest, with each board once; empty for no path."""
    better_side: int = 0
    """The side that can win on the default board, 0 or 1; 0 if neither can."""
    puzzle_boards: tuple[str, ...] = ()
    """Parameters of game IDs; empty to use the presets."""
    grade_thresholds: tuple[int, int, int, int] = (20, 60, 150, 400)
    """Minimum difficulty of the puzzle grades 2 to 5, as measured by `python -m tools.puzzles`."""
    daily_board: str = ""
    """As in a game ID; empty for a game with daily puzzles instead."""
    challenge: Challenge | None = None
