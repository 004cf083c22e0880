"""What a match screen does itself of the actions of a match: dialogs, panels, files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from arcade.match import files as match_file
from arcade.screens.requests import ChangeSetting, ChooseMatch
from arcade.widgets.board import Board
from arcade.widgets.tables import RaceTable

if TYPE_CHECKING:
    from arcade.screens.match import MatchScreen


def _new(screen: MatchScreen) -> None:
    screen.post_message(ChooseMatch(screen.match.game, like=screen.match))


def _values(screen: MatchScreen) -> None:
    session, match = screen.session, screen.match
    session.show_values()
    screen.show()
    if session.values_shown and not match.result and match.analysis(session.judged) is None:
        screen.notify("The values are shown when they are found.")


def _graph(screen: MatchScreen) -> None:
    screen.toggle_class("-graph")


def _seats(screen: MatchScreen) -> None:
    from arcade.screens.new_match import SeatsDialog

    def seated(seats: list[str] | None) -> None:
        # The dialog has checked them.
        if seats is not None:
            screen.session.sit(seats)

    screen.open(SeatsDialog(screen.match, screen.services.machines), seated)


def _coach(screen: MatchScreen) -> None:
    coach = screen.services.settings.coach.next
    screen.post_message(ChangeSetting("coach", coach.value))
    screen.notify(f"The coach {coach.summary}.")


def _better(screen: MatchScreen) -> None:
    screen.session.do("better")
    screen.board.focus()


def _source(screen: MatchScreen) -> None:
    screen.source_shown = not screen.source_shown
    screen.show_verdict()


def _other_board(screen: MatchScreen) -> None:
    assert isinstance(screen.table, RaceTable)
    screen.table.look_at_other()


def _type(screen: MatchScreen) -> None:
    from arcade.screens.dialogs import Prompt

    game, session, position = screen.match.game, screen.session, screen.session.mode.branch

    def check(text: str) -> None:
        position.play(game.parse_move(text, position))

    def typed(text: str | None) -> None:
        # Engines may have moved meanwhile.
        if text and session.mode.branch == position:
            screen.post_message(Board.Play(screen.board, game.parse_move(text, position)))

    moves = position.moves()
    screen.open(Prompt("Your move", f"for example {moves[len(moves) // 2]}", check), typed)


def _copy(screen: MatchScreen) -> None:
    drawing = str(screen.board.view.position).replace("}", ")")
    screen.app.copy_to_clipboard(f"{match_file.write(screen.match.record())}\n{{\n{drawing}\n}}\n")
    screen.notify("The match is copied as text; o opens it again.")


def _write(screen: MatchScreen) -> None:
    from arcade.screens.dialogs import Prompt

    def write(text: str) -> None:
        written = match_file.write(screen.match.record())
        screen.notify(screen.hand_over("the match", written, match_file.with_ending(text)))

    screen.open(Prompt("Write the match to a file", "for example mine.match", write))


def _resign(screen: MatchScreen) -> None:
    from arcade.screens.dialogs import Question

    screen.open(Question("Resign this match?"), lambda yes: screen.session.do("resign") if yes else None)


def _put_away(screen: MatchScreen) -> None:
    if screen.box.skip():
        return
    if screen.session.mode.can_escape:
        screen.session.do("put_away")
    else:
        # Whoever puts the welcome away knows how to play.
        screen.services.has_played(screen.match.game.name)
        screen.show()


def _prove(screen: MatchScreen) -> None:
    from arcade.session.proof import SECONDS, prove

    screen.notify(f"The verdict is being proved again. This takes at most {SECONDS:.0f} seconds.")
    prove(screen.session, lambda text: screen.notify(text))


DONE_HERE: dict[str, Callable[[MatchScreen], None]] = {
    "new": _new,
    "values": _values,
    "graph": _graph,
    "seats": _seats,
    "coach": _coach,
    "better": _better,
    "source": _source,
    "other_board": _other_board,
    "boxes": lambda screen: screen.box.open_boxes(),
    "laboratory": lambda screen: screen.box.open_laboratory(),
    "type": _type,
    "copy": _copy,
    "write": _write,
    "resign": _resign,
    "put_away": _put_away,
    "prove": _prove,
}
