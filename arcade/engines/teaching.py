"""What a game offers to people who learn it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Teaching:
    rules: str = ""
    """In Markdown."""
    goal: str = ""
    """One sentence."""
    picture: str = ""
    """ASCII, up to 4 lines of 30 columns."""
    story: tuple[str, ...] = ()
    """Each up to 120 ASCII characters."""
    lessons: str = ""
    """TOML file in the package of the game's class."""


@dataclass(frozen=True, slots=True)
class PathStep:
    board: str
    """Board as in a game ID."""
    side: int
    """0 or 1."""
    opponent: str
    """A player kind."""


@dataclass(frozen=True, slots=True)
class Challenge:
    machine: str
    seat: int
    """0 or 1."""
    wins: int


@dataclass(frozen=True, slots=True)
class Practice:
    path: tuple[PathStep, ...] = ()
    """Weakest opponent first, each board once."""
    better_side: int = 0
    """Side that can win, 0 or 1; 0 if neither can."""
    puzzle_boards: tuple[str, ...] = ()
    """Boards as in game IDs; empty: the presets."""
    grade_thresholds: tuple[int, int, int, int] = (20, 60, 150, 400)
    """Minimum difficulty of grades 2 to 5; see `python -m tools.puzzles`."""
    daily_board: str = ""
    """Board as in a game ID; empty: daily puzzles."""
    challenge: Challenge | None = None
