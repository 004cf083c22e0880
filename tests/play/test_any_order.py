"""Sessions with any intents, and with jobs and timers that end in any order."""

from collections import deque

from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.registry import get_game, parse_game_id
from arcade.play.actions import ACTIONS
from arcade.play.host import Host
from arcade.play.jobs import Action
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.scene import CoachScene, QuestionScene
from arcade.play.session import Session
from arcade.store.record import Coach
from tests.screens.honshu_fake import InstantRace

MATCHES: list[tuple[str, tuple[str, ...]]] = [
    ("chocobar:2x3", (HUMAN, "random")),
    ("chocobar:3x4", (HUMAN, HUMAN)),
    ("hexapawn:3x3", ("perfect", HUMAN)),
    ("hexapawn:3x3", ("random", "beginner")),
    ("graph", (HUMAN, "perfect")),
    ("honshu:6x3#7", (HUMAN, "random")),
    ("honshu:6x3#7", (HUMAN,)),
    ("honshu:6x3#7", (HUMAN, HUMAN)),
]


class AnyOrder:
    """Work and timers wait until they are chosen; answers come in the order in which they were delivered."""

    def __init__(self) -> None:
        self._work: list[Action] = []
        self._answers: deque[Action] = deque()
        self._timers: list[Action] = []

    def run(self, work: Action) -> None:
        self._work.append(work)

    def deliver(self, answer: Action) -> None:
        self._answers.append(answer)

    def later(self, seconds: float, action: Action) -> Action:
        self._timers.append(action)

        def call_off() -> None:
            if action in self._timers:
                self._timers.remove(action)

        return call_off

    def step(self, kind: int, number: int) -> None:
        if kind == 0 and self._work:
            self._work.pop(number % len(self._work))()
        elif kind == 1 and self._answers:
            self._answers.popleft()()
        elif kind == 2 and self._timers:
            self._timers.pop(number % len(self._timers))()

    def settle(self) -> None:
        for _ in range(5000):
            if not (self._work or self._answers or self._timers):
                return
            for kind in range(3):
                self.step(kind, 0)
        raise AssertionError("The session finds no rest.")


def check(session: Session) -> None:
    match, scene = session.match, session.scene
    assert scene == session._scene(), "what has changed is published"
    assert scene.shown == len(match.plies) <= len(match.line) == len(scene.moves)
    to_move = sum(player.to_move for player in scene.players)
    if session.state.tried or session.state.walked:
        assert to_move <= 1, "the position on display may be the end of a line"
    else:
        assert to_move == (match.result is None)
    assert not (scene.move_refusal is None and scene.board.playable and scene.board.position.outcome())
    if not scene.revealed:
        hides = isinstance(scene.verdict, CoachScene | QuestionScene)
        assert hides or session.state.verdict_asked
        assert not any(move.mark or move.lost for move in scene.moves)
    if not match.handed_over:
        played = {ply.by for ply in match.line} - set(match.seats)
        assert played <= {HUMAN}, (
            "only the players in the seats, and a person who tried moves out, have played"
        )
    again = Match.from_record(match.record())
    assert again.record().moves == match.record().moves, "every move is legal, and the result follows"


STEPS = st.one_of(
    st.tuples(st.just("runner"), st.integers(0, 2), st.integers(0, 5)),
    st.tuples(st.just("runner"), st.integers(0, 2), st.integers(0, 5)),
    st.tuples(st.just("play"), st.integers(0, 60), st.just(0)),
    st.tuples(st.just("do"), st.integers(0, len(ACTIONS) - 1), st.just(0)),
    st.tuples(st.just("go_to"), st.integers(0, 8), st.just(0)),
    st.tuples(st.just("look_at"), st.integers(0, 1), st.just(0)),
    st.tuples(st.just("ask_verdict"), st.just(0), st.just(0)),
)


@settings(max_examples=75, deadline=None)
@given(
    st.sampled_from(MATCHES),
    st.sampled_from(list(Coach)),
    st.integers(0, 3),
    st.lists(STEPS, max_size=40),
)
def test_session_stays_consistent_in_any_event_order(
    start: tuple[str, tuple[str, ...]], coach: Coach, seed: int, steps: list[tuple[str, int, int]]
) -> None:
    honshu = get_game("honshu")
    solver, honshu.__dict__["solver"] = honshu.__dict__.get("solver"), InstantRace()
    try:
        walk(start, coach, seed, steps)
    finally:
        if solver is None:
            del honshu.__dict__["solver"]
        else:
            honshu.__dict__["solver"] = solver


def walk(
    start: tuple[str, tuple[str, ...]], coach: Coach, seed: int, steps: list[tuple[str, int, int]]
) -> None:
    text, seats = start
    host, runner = Host(), AnyOrder()
    host.settings = host.settings.changed("coach", coach.value)
    session = Session(new_match(parse_game_id(text), seats, seed=seed), host, runner)
    session.open()
    session.start()
    check(session)
    for what, first, second in steps:
        if what == "runner":
            runner.step(first, second)
        elif what == "play":
            moves = session.branch.moves()
            if session.scene.move_refusal is None and moves:
                session.play(moves[first % len(moves)])
        elif what == "do":
            session.do(list(ACTIONS)[first])
        elif what == "go_to" and session.match.finished:
            session.go_to(first)
        elif what == "look_at" and len(session.match.boards) > 1:
            session.look_at(first)
        elif what == "ask_verdict":
            session.ask_verdict()
        check(session)
    session.stop()
    runner.settle()
    session.publish()
    check(session)
    assert session.failure is None
