import random
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.menace.game import GAME
from arcade.engines.menace.machine import Machine, Options
from arcade.engines.menace.open_box import draw_sentence
from arcade.engines.menace.rules import Cell, TicTacToe
from arcade.engines.players import PerfectPlayer
from arcade.engines.position import Outcome
from arcade.engines.registry import parse_game_id
from arcade.play import files as match_file
from arcade.play.match import HUMAN, new_match
from arcade.play.sentences import end_sentences
from arcade.services import Services
from arcade.store.record import Coach
from arcade.store.store import StoreError
from arcade.text.match import MatchDialogue
from tests.refusals import failing, refused

OVER = "Type review, again or quit."


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine nobody is told who thinks, and the coach takes the time that it needs."""
    monkeypatch.setattr("arcade.text.match.PATIENCE", 600.0)
    monkeypatch.setattr("arcade.text.match.COACH_SECONDS", 600.0)


@pytest.fixture
def services(services: Services) -> Services:
    services.settings = replace(services.settings, coach=Coach.QUIET)
    return services


@pytest.fixture
def talk(services: Services) -> Callable[..., list[str]]:
    """Play a match by lines; returns what was said, with the lines that were typed after a >."""

    def talk(start: str | MatchDialogue, *typed: str, seats: Iterable[str] = (HUMAN, "perfect")) -> list[str]:
        said: list[str] = []
        if isinstance(start, str):
            match = new_match(parse_game_id(start), seats, services.machines, seed=1)
            dialogue = MatchDialogue(match, services, said.append)
        else:
            dialogue = start
            dialogue.say = said.append

        def hand() -> Iterator[str]:
            for line in typed:
                said.append(f"> {line}")
                yield f"{line}\n"

        dialogue.run(hand())
        return said

    return talk


def test_whole_match_has_the_expected_transcript(talk: Callable[..., list[str]]) -> None:
    assert talk("chocobar:2x2", "2,2", "look", "(1,2)", "quit", "never heard") == [
        "Chocobar 2x2.",
        "You are First.",
        "Perfect is Second.",
        "Leave your opponent the poison.",
        "Type a move, or help.",
        "The bar has two rows.",
        "Row 1 has two squares left; the first is the poison.",
        "Row 2 has two squares left.",
        "Your move.",
        "> 2,2",
        "You play (2,2).",
        "Row 2 has one square left.",
        "Second plays (2,1).",
        "The bar has one row.",
        "Your move.",
        "> look",
        "The bar has one row.",
        "Row 1 has two squares left; the first is the poison.",
        "Your move.",
        "> (1,2)",
        "You play (1,2).",
        "Only the poison is left.",
        "You win: Second has nothing left but the poison.",
        "Press Enter for a rematch.",
        "Type swap to play from the other side.",
        OVER,
        "> quit",
    ]


@pytest.mark.parametrize(
    ("start", "seats"),
    [
        ("chocobar:4x4", (HUMAN, "random")),
        ("hexapawn:4x4", ("random", HUMAN)),
        ("tetromino:4x4", (HUMAN, HUMAN)),
        ("honshu:6x3#5", (HUMAN, "random")),
        ("honshu:6x3#5", (HUMAN,)),
        ("menace", ("MENACE", HUMAN)),
        ("graph", (HUMAN, "random")),
        ("honshu:6x2#5", ("random", "in-order")),
    ],
)
def test_every_game_is_played_to_its_end(services: Services, start: str, seats: tuple[str, ...]) -> None:
    said: list[str] = []
    match = new_match(parse_game_id(start), seats, services.machines, seed=2)
    dialogue = MatchDialogue(match, services, said.append)

    def person() -> Iterator[str]:
        rng = random.Random(3)
        while said[-1] != OVER:
            assert said[-1] in ("Your move.", "First to move.", "Second to move.")
            yield str(rng.choice(dialogue.position.moves()))
        yield "played"

    dialogue.run(person())
    assert match.finished
    assert end_sentences(match)[0] in said
    assert all(line and line.isprintable() for line in said)
    assert sum(line.startswith("Move ") and "play" in line for line in said) == len(match.plies)
    if HUMAN in seats:
        (kept,) = services.store.matches()
        assert kept.record == match.record()
    assert ("MENACE opens box 1 of 304, with 12 beads" in " ".join(said)) == (start == "menace")


def test_hint_and_analysis_commands_print_answers(talk: Callable[..., list[str]]) -> None:
    said = talk(
        "chocobar:2x3", "hint", "HINT", "hint", "verdict", "values", "moves", "moves (2", "after 1,3", "board"
    )
    answers = [line for line in said[said.index("> hint") :] if line != "Your move."]
    assert answers == [
        "> hint",
        "Look in the lower right quarter of the remaining bar. Type hint again for the move.",
        "> HINT",
        "Play (2,3). Type hint again for the reason.",
        "> hint",
        "That makes the rows differ by one square, and you can do so again after each bite by your opponent.",
        "Rule: Even up. Make an L's arms equal, or leave rows that differ by one.",
        "Best line: (2,3) (1,3) (2,2) (1,2) (2,1).",
        "> verdict",
        "You win in 3 moves.",
        "Proved; a bite that makes the two rows differ by one square wins; a proof without search.",
        "> values",
        "You win in 3 moves if you play (2,3).",
        "Second wins in 2 moves if you play (1,3) or (2,2).",
        "Second wins in 1 move if you play (1,2) or (2,1).",
        "> moves",
        "Row 1, columns 2 and 3.",
        "Row 2, columns 1 to 3.",
        "> moves (2",
        "(2,1)",
        "(2,2)",
        "(2,3)",
        "> after 1,3",
        "Row 1 has two squares left; the first is the poison.",
        "Row 2 has two squares left.",
        "> board",
        "X # #",
        "# # #",
        "The match is saved. Run arcade play to continue it.",
    ]


def test_thinking_notice_appears_once_during_long_wait(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arcade.text.match.PATIENCE", 0.01)
    told = threading.Event()

    def choose(player: Any, position: Any, *_: Any) -> Any:
        assert told.wait(60)
        return position.moves()[0]

    monkeypatch.setattr(PerfectPlayer, "choose", choose)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if line == "Still thinking.":
            told.set()

    match = new_match(parse_game_id("chocobar:2x2"), ("perfect", HUMAN))
    MatchDialogue(match, services, say).run(())
    assert said.count("Still thinking.") == 1
    assert said[said.index("Still thinking.") + 1] == "First plays (1,2)."


def test_moves_can_be_undone_and_redone(talk: Callable[..., list[str]]) -> None:
    said = talk("chocobar:3x3", "undo", "3,3", "undo", "redo", "resign", "again", "resign", "undo", "played")
    assert "You have no move to take back." in said
    assert said[said.index("> undo", said.index("> 3,3")) + 1] == "The board is back to before move 1."
    assert said[said.index("> redo") + 1] == "You play (3,3)."
    assert said[said.index("> again") + 1] == "Chocobar 3x3."
    assert "You resigned." in said
    assert "You are continuing in a new match. The finished one is still in your history." in said
    assert "No moves have been played yet." in said


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("9,9", "The bite (9,9) is not on the bar, which has two rows."),
        ("1,1", "You cannot bite (1,1), the poison."),
        ("foo", "Type help for the commands."),
        ("undo 3", "must be a row and a column"),
        ("after", "preview: after MOVE."),
        ("after 7,7", "is not on the bar"),
        ("moves x", "No legal move starts with 'x'."),
        ("coach strict", "Unknown coach 'strict'"),
        ("review", "You can review the match when it is over."),
        ("save", "There are no moves to save yet."),
        ("save /nowhere/x.match", "Cannot write"),
        ("other", "This match has only one board."),
        ("box", "No machine has opened a matchbox"),
        ("redo", "Nothing to redo."),
        ("go", "It is your move"),
        ("rules", "A bar of chocolate lies on the table."),
        ("\x1b[2J", "'\\x1b[2J'"),
    ],
)
def test_failed_command_is_explained_and_match_continues(
    talk: Callable[..., list[str]], line: str, answer: str
) -> None:
    said = talk("chocobar:2x2", line, "2,2")
    assert answer in said[said.index(f"> {line}") + 1]
    assert "You play (2,2)." in said
    assert not [line for line in said if "\x1b" in line and not line.startswith(">")]


def test_command_other_is_refused_in_a_duel(talk: Callable[..., list[str]]) -> None:
    said = talk("chocobar:3x3", "other", "3,3", "other")
    assert said.count("This match has only one board.") == 2


@pytest.mark.parametrize("coach", Coach)
def test_coach_comments_according_to_its_setting(talk: Callable[..., list[str]], coach: Coach) -> None:
    said = talk("chocobar:3x3", f"coach {coach}", "look", "nix", "3,3", "undo")
    fault = "Your move gave away the win. Type undo to take it back."
    assert (fault in said) == (coach is Coach.MISTAKES)
    # Once at first and once after the move was taken back, not after every word.
    assert said.count("You win in 3 moves.") == 2 * (coach is Coach.OPEN)
    assert f"Coach: {coach.summary}." in said


@pytest.mark.parametrize(("reply", "returned_mistake"), [("1,3", True), ("1,5", False)])
def test_mistake_report_precedes_reply_that_may_return_win(
    talk: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, reply: str, returned_mistake: bool
) -> None:
    monkeypatch.setattr("arcade.play.engine.ENGINE_PAUSE", 600.0)
    chosen = parse_game_id("chocobar:4x5").game.parse_move(reply)
    monkeypatch.setattr(PerfectPlayer, "choose", lambda *_: chosen)
    said = talk("chocobar:4x5", "coach mistakes", "2,2")
    fault = said.index("Your move gave away the win. Type undo to take it back.")
    assert fault < said.index(f"Second plays {chosen}.")
    assert ("Your mistake went unpunished." in said) == returned_mistake


def test_path_commands_work_after_the_match(talk: Callable[..., list[str]]) -> None:
    early, lost = "You can do that when the match is over.", ("resign", "swap", "resign", "easier")
    said = talk("chocobar:4x5", "harder", *lost, "harder", seats=(HUMAN, "beginner"))
    assert said[said.index("> harder") + 1] == early
    assert "Type swap to play from the other side." in said
    assert said[said.index("> swap") + 1 :][:3] == ["Chocobar 4x5.", "Beginner is First.", "You are Second."]
    assert said[said.index("> easier") + 1] == "That match is not available. Type help for the commands."
    assert said[said.index("> harder", said.index("> easier")) + 1 :][:3] == [
        "Chocobar 5x6.",
        "You are First.",
        "Casual is Second.",
    ]
    won = talk("chocobar:2x2", "2,2", "1,2", "2,1", "verdict", seats=(HUMAN, "beginner"))
    assert won[won.index("> verdict") + 1] == "The match is over."
    harder = "Press Enter or type harder to play against a stronger opponent."
    assert harder in won
    won = talk("hexapawn:3x3:.p./P../...:w", "a3", seats=(HUMAN, "beginner"))
    assert harder in won, "a position that was set up is no step of the path"
    twice = talk("chocobar:2x2", "1,2", "review", "again", "1,2")
    assert twice[-2] == "Type quit, then arcade learn chocobar for a lesson on what you missed."


def test_empty_line_does_nothing_before_the_end_and_the_first_offer_after_it(
    talk: Callable[..., list[str]],
) -> None:
    said = talk("chocobar:4x5", "", "resign", "", seats=(HUMAN, "beginner"))
    assert said[said.index("> ") + 1] == "Your move."
    assert "Press Enter for a rematch." in said
    assert said[said.index("> ", said.index("> resign")) + 1] == "Chocobar 4x5."
    won = talk("chocobar:2x2", "2,2", "1,2", "", seats=(HUMAN, "beginner"))
    assert won[won.index("> ") + 1 :][:3] == ["Chocobar 2x2.", "You are First.", "Casual is Second."]


def test_review_names_each_mistake_and_better_move(talk: Callable[..., list[str]]) -> None:
    said = talk("chocobar:2x2", "1,2", "review")
    told = said[said.index("> review") + 1 :]
    assert told == [
        "You lose: you have nothing left but the poison.",
        "You gave the win away with (1,2) instead of (2,2), move 1:"
        " your opponent replied with (2,1), which leaves you only the poison."
        " Rule: Only the poison. One row or column left? Bite everything except the poison.",
        "Best moves: You 0 of 1, Perfect 1 of 1.",
        "You played without help.",
        "Move 1: You play (1,2). Threw it away. Your opponent replied with (2,1), which leaves you only the "
        "poison. Better: (2,2). Rule: Only the poison. One row or column left? Bite everything except the "
        "poison.",
        OVER,
    ]


def test_end_of_input_saves_the_match(talk: Callable[..., list[str]], services: Services) -> None:
    refused("No unfinished match", MatchDialogue.last, services, print)
    assert talk("chocobar:3x3", "2,2")[-1] == "The match is saved. Run arcade play to continue it."
    services.state = services.state.from_texts(services.store.words("state"))
    said = talk(MatchDialogue.last(services, print), "look")
    assert "You play (2,2)." in said
    assert "Row 2 has one square left." in said


def test_match_is_saved_to_file_and_reloaded(
    talk: Callable[..., list[str]], services: Services, tmp_path: Path
) -> None:
    name = str(tmp_path / "one.match")
    said = talk("chocobar:2x2", "2,2", "1,2", f"save {name}", f"save {name}")
    assert f"Wrote the match to {name!r}." in said
    assert f"The file {name!r} already exists. Choose another name." in said
    match = match_file.read_file(name)
    kept = len(services.store.matches())
    said = talk(MatchDialogue(match, services, print), "save")
    assert "You win: Second has nothing left but the poison." in said
    assert "This match was played elsewhere, so it is not saved." in " ".join(said)
    assert len(services.store.matches()) == kept


def test_refusing_machine_gets_fresh_beads(talk: Callable[..., list[str]], services: Services) -> None:
    machine: Any = Machine("Dry", Options("menace", seat=0))
    machine.beads[0] = 0
    services.machines.keep(machine)
    said = talk("menace", "box", "fresh", seats=("Dry", HUMAN))
    assert "The first box of Dry is empty, so Dry refuses to play." in said
    assert said[said.index("> fresh") + 1].startswith("X plays ")


def test_race_describes_both_boards(talk: Callable[..., list[str]]) -> None:
    said = talk("honshu:6x3#5", "other", "moves 1r", "moves row 1", seats=(HUMAN, "random"))
    assert said[said.index("> other") + 1] == "Right:"
    assert said[said.index("> moves 1r") + 1].startswith("1r0@")


def test_failed_save_is_reported(
    talk: Callable[..., list[str]], services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = failing(StoreError("The disk is full."))
    monkeypatch.setattr(services.store, "save_match", full)
    said = talk("chocobar:2x2", "2,2")
    assert "The disk is full. You can keep playing; the arcade keeps trying to save." in said
    assert said[-1] == "Your move."


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        (Outcome(0, "a line"), "It has 3 more of them than at first"),
        (Outcome(1, "a line"), "It has 1 fewer of them than at first"),
    ],
)
def test_draw_sentence_mentions_change_in_beads(outcome: Outcome, said: str) -> None:
    machine: Machine[TicTacToe, Cell] = Machine("m")
    start, move = GAME.new({}), Cell(4)
    assert "than at first" not in draw_sentence(machine, machine.retrace(start, [move])[0])
    machine.learn(machine.retrace(start, [move]), outcome)
    assert said in draw_sentence(machine, machine.retrace(start, [move])[0])


def test_box_command_ignores_human_moves_in_machine_seat(
    talk: Callable[..., list[str]], services: Services
) -> None:
    match = new_match(parse_game_id("menace"), (HUMAN, HUMAN), services.machines, seed=1)
    for move in ("b2", "a3"):
        match.play(match.game.parse_move(move))
    match.set_player(0, "MENACE")
    match.resign(1)
    said = talk(MatchDialogue(match, services, print), "box")
    assert "No machine has opened a matchbox in this match." in said


def test_values_name_the_player_when_both_are_human(talk: Callable[..., list[str]]) -> None:
    assert "Second wins in 1 move if First plays (1,2) or (2,1)." in talk(
        "chocobar:2x3", "values", seats=(HUMAN, HUMAN)
    )


def test_unknown_word_after_the_end_points_to_the_commands(talk: Callable[..., list[str]]) -> None:
    said = talk("chocobar:3x3", "resign", "yes")
    assert said[said.index("> yes") + 1] == "The match is over. Type help for the commands."
