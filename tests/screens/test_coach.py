import re
from collections.abc import Iterator
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.players import PerfectPlayer
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.solver import Analysis, Goal, Solver, solve_in_steps
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, mark_best
from arcade.play.mistakes import mistakes
from arcade.widgets.panels import VerdictPanel
from tests.screens.pilots import pressed, resized, rested, set_up, settled
from tests.screens.test_match import app_of, click_word, opened, screen_of

pytestmark = pytest.mark.usefixtures("instant")


@pytest.mark.parametrize(
    ("coach", "steps"),
    [
        ("quiet", ("", "command:graph", "command:source", " ".join(3 * ["command:coach"]), "m")),
        ("mistakes", ("", "command:graph", "command:source")),
        ("open", ("",)),
    ],
)
async def test_a_coach_who_is_quiet_gives_no_value_away(coach: str, steps: tuple[str, ...]) -> None:
    """Two matches whose positions differ in their values alone look the same, down to the colours."""
    shown = [await pictures(value, coach, steps) for value in (Value.WIN, Value.LOSS)]
    for step, won, lost in zip(steps, *shown, strict=True):
        assert (won == lost) == (coach != "open"), step


async def pictures(value: Value, coach: str, steps: tuple[str, ...]) -> list[str]:
    """The screen of a match after two moves and more and more keys; all positions are worth the same."""
    app = app_of("chocobar:3x4", "human", "human")
    set_up(app, coach=coach)
    shown = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(get_game("chocobar").__dict__, "solver", Says(value))
        async with app.run_test(size=(120, 50)) as pilot:
            screen = screen_of(app)
            await pilot.press("right", "right", "right", "enter", "left", "down", "enter")
            await settled(pilot, lambda: len(screen.match.plies) == 2)
            await settled(pilot, lambda: all(ply.verdict is not None for ply in screen.match.plies))
            for keys in steps:
                await pilot.press(*keys.split())
                await rested(pilot)
                assert screen.session.verdict is not None
                shown.append(re.sub(r"terminal-\d+", "", app.export_screenshot()))
    return shown


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


async def test_the_coach_says_that_an_answer_gave_the_mistake_back(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = parse_game_id("chocobar:4x5").game.parse_move("1,3")
    monkeypatch.setattr(PerfectPlayer, "choose", lambda *_: chosen)
    app = app_of("chocobar:4x5")
    set_up(app, coach="mistakes")
    async with opened(app) as (pilot, screen):
        told = "Your last move was a mistake, and (1,3) gave it back."
        panel = screen.query_one(VerdictPanel)
        await pressed(pilot, "right", "down", "enter", until=lambda: told in str(panel.content))


async def test_the_coach_speaks_after_a_mistake_and_not_before() -> None:
    app = app_of("chocobar:3x4")
    set_up(app, coach="mistakes")
    async with opened(app) as (pilot, screen):

        def said() -> str:
            return str(screen.query_one(VerdictPanel).content)

        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        assert said() == "coach: after mistakes"
        await pressed(pilot, "right", "right", "right", "enter", until=lambda: "gave away" in said())
        assert "Your move (1,4) gave away the win." in said()
        assert "(2,3)" not in said()
        await click_word(pilot, "#verdict", "take it back")
        await settled(pilot, lambda: not screen.match.plies)
        assert said() == "coach: after mistakes"
        assert screen.match.takebacks == 1
        await pressed(pilot, "command:coach", until=lambda: "You win in 7 moves" in said())


async def test_a_match_played_again_from_the_other_side() -> None:
    app = app_of("chocobar:2x2")
    async with opened(app) as (pilot, screen):
        await pilot.press("A")
        assert "After the match" in list(app._notifications)[-1].message
        await pressed(pilot, "right", "enter", until=lambda: screen.match.finished)
        first = screen.match
        await pressed(pilot, "command:other_side", until=lambda: screen.match is not first)
        assert screen.match.seats == ["perfect", "human"]
        await settled(pilot, lambda: len(screen.match.plies) == 1)


@pytest.mark.parametrize(("key", "against"), [("plus", "casual"), ("minus", "beginner")])
async def test_after_the_end_the_next_opponent_is_harder_or_easier(key: str, against: str) -> None:
    async with opened(app_of("chocobar:2x2", "human", "beginner")) as (pilot, screen):
        await pressed(pilot, "right", "enter", until=lambda: screen.match.finished)
        card = str(screen.query_one(VerdictPanel).content)
        assert "A again" in card
        assert "- easier" not in card
        first = screen.match
        await pressed(pilot, key, until=lambda: (screen.match is not first) == (key == "plus"))
        assert screen.match.seats == ["human", against]


async def test_a_question_hides_the_values_on_the_board() -> None:
    async with opened(app_of("chocobar:2x2")) as (pilot, screen):
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pilot.press("right", "enter")
        await settled(pilot, lambda: bool(mistakes(screen.match)) and screen.match.finished)
        await pressed(pilot, "v", "m")
        assert "Your move 1 was a mistake." in str(screen.query_one(VerdictPanel).content)
        assert screen.session.state.values_shown
        assert not screen.board.view.values
        await pressed(pilot, "escape", until=lambda: bool(screen.board.view.values))


async def test_a_race_tells_nothing_in_another_size() -> None:
    async with opened(app_of("honshu:6x3#7", "human")) as (pilot, screen):
        panel = screen.query_one(VerdictPanel)
        await settled(pilot, lambda: "est" in str(panel.content))
        await pressed(pilot, "command:coach", until=lambda: str(panel.content) == "coach: quiet")
        await resized(pilot, 140, 50)
        assert str(panel.content) == "coach: quiet"
