"""What a game offers to people who learn it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Teaching:
    rules: str = ""
    """In Markdown."""
    goal: str = ""
    """How to win, in one sentence."""
    picture: str = ""
    """ASCII, up to 4 lines of 30 columns."""
    story: tuple[str, ...] = ()
    """Sentences for the first match, each up to 120 ASCII characters."""
    lessons: str = ""
    """TOML file in the package of the game's class."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """On the way to the perfect player."""

    board: str
    """As in a game ID."""
    side: int
    """0 or 1: the side that can win, if any."""
    opponent: str
    """A player kind."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """Beat a built-in machine without help, for a star."""

    machine: str
    seat: int
    """0 or 1."""
    wins: int


@dataclass(frozen=True, slots=True)
class Practice:
    path: tuple[PathStep, ...] = ()
    """Weakest opponent first, each board once."""
    better_side: int = 0
    """The side that can win on the default board; 0 if neither."""
    puzzle_boards: tuple[str, ...] = ()
    """Parameters of game IDs; empty: the presets."""
    grade_thresholds: tuple[int, int, int, int] = (20, 60, 150, 400)
    """Minimum difficulty of grades 2 to 5; see `python -m tools.puzzles`."""
    daily_board: str = ""
    """As in a game ID; empty: daily puzzles."""
    challenge: Challenge | None = None
