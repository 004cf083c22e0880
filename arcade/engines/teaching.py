"""Texts and exercises for people who learn a game."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Teaching:
    rules: str = ""
    """The page of rules, in Markdown."""
    goal: str = ""
    """The goal in one sentence."""
    picture: str = ""
    """ASCII art of up to 4 lines with 30 columns each."""
    story: tuple[str, ...] = ()
    """Short texts that a new player sees one by one. Each has up to 120 ASCII characters."""
    lessons: str = ""
    """Name of the TOML file of lessons, in the package of the game's class."""


@dataclass(frozen=True, slots=True)
class PathStep:
    board: str
    """Board in the notation of game IDs."""
    side: int
    """The player's side, 0 or 1."""
    opponent: str
    """Name of the opponent's kind of player."""


@dataclass(frozen=True, slots=True)
class Challenge:
    machine: str
    seat: int
    """The machine's seat, 0 or 1."""
    wins: int


@dataclass(frozen=True, slots=True)
class Practice:
    path: tuple[PathStep, ...] = ()
    """Steps of the path, starting with the weakest opponent."""
    better_side: int = 0
    """Side that can win, 0 or 1. It is 0 if neither side can."""
    puzzle_boards: tuple[str, ...] = ()
    """Boards of puzzles in the notation of game IDs. If empty, the presets are used."""
    grade_thresholds: tuple[int, int, int, int] = (20, 60, 150, 400)
    """Minimum difficulties of puzzles of grades 2 to 5; see `python -m tools.puzzles`."""
    daily_board: str = ""
    """Board of the daily match, in the notation of game IDs. If empty, the game has daily puzzles instead."""
    challenge: Challenge | None = None
