import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.players import PerfectPlayer
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.solver import Analysis, Goal, Solver, solve_in_steps
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, mark_best
from arcade.play.mistakes import mistakes
from arcade.screens.match import MatchScreen
from arcade.widgets.panels import MoveListPanel, VerdictPanel
from tests.screens.pilots import (
    app_with,
    match_of,
    play_next,
    pressed,
    resized,
    rested,
    running,
    said,
    set_up,
    settled,
)
from tests.screens.test_match import click_word

pytestmark = pytest.mark.usefixtures("instant")


STEPS = {
    "quiet": ("", "command:graph", "Y", " ".join(3 * ["command:coach"]), "m"),
    "mistakes": ("", "command:graph", "Y"),
    "open": ("",),
}
"""Keys that a match goes on with, by the coach's setting."""


async def test_quiet_coach_reveals_no_value() -> None:
    """Matches whose positions differ in their values alone look the same, down to the colours."""
    won, lost = [await pictures(value) for value in (Value.WIN, Value.LOSS)]
    assert won.keys() == lost.keys()
    for coach, step in won:
        assert (won[coach, step] == lost[coach, step]) == (coach != "open"), (coach, step)


async def pictures(value: Value) -> dict[tuple[str, str], str]:
    """The screen of matches after two moves and more and more keys; all positions are worth the same."""
    shown = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(get_game("chocobar").__dict__, "solver", Says(value))
        async with running(app_with(), (120, 50)) as (app, pilot):
            for coach, steps in STEPS.items():
                set_up(app, coach=coach)
                screen = await play_next(pilot, match_of("chocobar:3x4"))
                await pilot.press("up", "up", "enter", "up", "enter")
                await settled(pilot, partial(two_are_judged, screen))
                for keys in steps:
                    await pilot.press(*keys.split())
                    await rested(pilot)
                    assert screen.session.verdict is not None
                    shown[coach, keys] = re.sub(r"terminal-\d+", "", app.export_screenshot())
    return shown


def two_are_judged(screen: MatchScreen) -> bool:
    return [ply.verdict is not None for ply in screen.match.plies] == [True, True]


class Says(Solver[Any, Any]):
    """Says the same of every position, so that no move changes anything."""

    compiled = False

    def __init__(self, value: Value) -> None:
        self.value_said = value

    def solve(self, position: Any, control: Control, goal: Goal = Goal.ALL) -> Iterator[Analysis[Any, Any]]:
        return solve_in_steps(position, control, goal, self.judge, self.judge_moves)

    def judge_moves(self, position: Any, control: Control) -> list[MoveVerdict[Any]]:
        return mark_best((move, self.judge(position, control)) for move in position.moves())

    def judge(self, position: Any, control: Control) -> DuelVerdict:
        return DuelVerdict(Proof.EXACT, self.value_said, 5 if self.value_said is Value.WIN else 4)


def told(screen: MatchScreen) -> str:
    return str(screen.query_one(VerdictPanel).content)


async def test_coach_speaks_only_after_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_with(coach="mistakes")) as (app, pilot):
        screen = await play_next(pilot, match_of("chocobar:3x4", "human", "perfect"))
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        assert not told(screen)
        await pressed(pilot, "up", "up", "enter", until=lambda: "gave away" in told(screen))
        assert "Your move gave away the win." in told(screen)
        assert "(2,3)" not in told(screen)
        await click_word(pilot, "#verdict", "take it back")
        await settled(pilot, lambda: not screen.match.plies)
        assert not told(screen)
        assert screen.match.takebacks == 1
        await pressed(pilot, "command:coach", until=lambda: "You win in 4 moves" in told(screen))

        # It says that an answer gave the mistake back.
        chosen = parse_game_id("chocobar:4x5").game.parse_move("1,3")
        monkeypatch.setattr(PerfectPlayer, "choose", lambda *_: chosen)
        set_up(app, coach="mistakes")
        answered = await play_next(pilot, match_of("chocobar:4x5", "human", "perfect"))
        gave_back = "Your mistake went unpunished."
        await pressed(pilot, *["up"] * 2, *["left"] * 3, "enter", until=lambda: gave_back in told(answered))


async def test_rematch_can_change_side_or_opponent_level() -> None:
    async with running(app_with()) as (app, pilot):
        screen = await play_next(pilot, match_of("chocobar:2x2", "human", "perfect"))
        await pilot.press("A")
        assert "When the match is over" in said(app)
        await pressed(pilot, "up", "enter", until=lambda: screen.match.finished)
        first = screen.match
        await pressed(pilot, "command:other_side", until=lambda: screen.match is not first)
        assert screen.match.seats == ["perfect", "human"]
        await settled(pilot, lambda: len(screen.match.plies) == 1)

        # The next opponent is harder; there is none easier than the easiest.
        screen = await play_next(pilot, match_of("chocobar:2x2", "human", "beginner"))
        await pressed(pilot, "up", "enter", until=lambda: screen.match.finished)
        assert "A rematch" in told(screen)
        assert "- easier" not in told(screen)
        lost = screen.match
        await pressed(pilot, "minus")
        assert screen.match is lost
        await pressed(pilot, "plus", until=lambda: screen.match is not lost)
        assert screen.match.seats == ["human", "casual"]


async def test_hidden_values_stay_hidden_in_questions_and_races() -> None:
    async with running(app_with()) as (_, pilot):
        # A question hides the values on the board.
        screen = await play_next(pilot, match_of("chocobar:2x2", "human", "perfect"))
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pilot.press("up", "enter")
        await settled(pilot, lambda: bool(mistakes(screen.match)) and screen.match.finished)
        await pressed(pilot, "v", "m")
        assert "Find a better move than yours." in told(screen)
        assert not screen.query_one(MoveListPanel).display, "the answer to the mistake stands there"
        assert screen.session.state.values_shown
        assert not screen.board.view.values
        await pressed(pilot, "escape", until=lambda: bool(screen.board.view.values))

        # A race whose coach is quiet tells nothing in another size.
        race = await play_next(pilot, match_of("honshu:6x3#7", "human"))
        await settled(pilot, lambda: "est" in told(race))
        await pressed(pilot, "command:coach", until=lambda: not told(race))
        await resized(pilot, 140, 50)
        assert not told(race)
