"""The match screen that all games share: a board on the left, everything about the match on the right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget

from arcade.engines.game import Kind
from arcade.engines.verdict import MoveVerdict, Verdict
from arcade.match import HUMAN, Mark, Match
from arcade.screens.solving import SPEEDS, SolvingScreen
from arcade.widgets.board import Board, BoardView
from arcade.widgets.key_footer import KeyFooter
from arcade.widgets.key_words import KeyWord, KeyWords, key_words
from arcade.widgets.list_board import ListBoard
from arcade.widgets.panels import HintPanel, SeatsPanel, VerdictPanel
from arcade.widgets.plies import MoveList, PlyRows, ValueGraph
from arcade.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from arcade.app import SavedAs

OVER = "The match is over: n begins a new one, u takes back."


class MatchScreen(SolvingScreen):
    """A match of any game; a game's own screen says which board it is played on."""

    BOARD: ClassVar[type[Board]] = ListBoard

    VERDICT: ClassVar[type[VerdictPanel]] = VerdictPanel
    GRAPH: ClassVar[type[PlyRows]] = ValueGraph

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New", tooltip="New match: size, seats, level"),
        Binding("u", "undo", "Undo", tooltip="Take back to your last move"),
        Binding("r", "redo", "Redo", tooltip="Play again what was taken back"),
        Binding("i", "hint", "Hint", tooltip="Hint: where, which, why"),
        Binding("v", "values", "Values", tooltip="Show or hide what every move is worth"),
        Binding("g", "graph", "Graph", tooltip="Moves or value graph"),
        Binding("c", "seats", "Seats", tooltip="Change who plays"),
        Binding("p", "pause", "Pause", tooltip="Let the engines play, or pause them"),
        Binding("full_stop", "step(1)", "Step", show=False, key_display=".", tooltip="One move forward"),
        Binding("comma", "step(-1)", "Step back", show=False, key_display=",", tooltip="One move back"),
        Binding(
            "m", "mistake", "Mistake", show=False, tooltip="Back to the last move that threw the game away"
        ),
        Binding(
            "plus,equals_sign", "speed(1)", "Faster", show=False, key_display="+", tooltip="Watch faster"
        ),
        Binding("minus", "speed(-1)", "Slower", show=False, key_display="-", tooltip="Watch slower"),
        Binding("t", "type", "Type", show=False, tooltip="Type a move"),
        Binding("o", "app.open_id", "Open", show=False, tooltip="Open a game ID or a pasted position"),
        Binding("y", "copy", "Copy", show=False, tooltip="Copy the match as text"),
        Binding("x", "resign", "Resign", show=False, tooltip="Give the match up"),
        Binding("R,N", "restart", "Restart", show=False, tooltip="Back to the first position"),
        Binding("escape", "put_away", "Put away", show=False, tooltip="Put the hint away"),
    ]

    def __init__(self, match: Match, saved: SavedAs | None = None) -> None:
        super().__init__(match, saved)
        self.values_shown = False
        self.graph_shown = False
        self._pointed: Any = None

    # Layout.

    def compose(self) -> ComposeResult:
        """Board and panels."""
        yield TitleBar()
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield from self.compose_boards()
                yield from self.under_boards()
                yield KeyWords(id="status")
            with Vertical(id="side"):
                yield SeatsPanel(id="seats", classes="panel")
                yield self.VERDICT(id="verdict", classes="panel")
                yield from self.extra_panels()
                with VerticalScroll(id="hint-scroll", classes="panel", can_focus=False):
                    yield HintPanel(id="hint")
                yield MoveList(id="moves")
                yield self.GRAPH(id="graph")
        yield KeyFooter()

    def compose_boards(self) -> Iterable[Widget]:
        """What takes most of the left side: the board."""
        with Horizontal(id="boards"):
            yield self.BOARD(self.view(0), id="board-0")

    def under_boards(self) -> Iterable[Widget]:
        """What lies between the board and the line under it; `show_extra` fills it."""
        return ()

    def extra_panels(self) -> Iterable[Widget]:
        """Panels of one game's own, between the verdict and the moves; `show_extra` fills them."""
        return ()

    def show_extra(self) -> None:
        """Bring the panels of one game's own up to date."""

    def on_mount(self) -> None:
        """Begin, or go on with, the match."""
        self.board.focus()
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        """Show the match; solvers come when it has been painted, because loading them takes its time."""
        self.save()
        self.show()
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        """Set solvers to work, unless the screen has been left again."""
        if self in self.app.screen_stack:
            self.set_to_work()

    @property
    def board(self) -> Board:
        """The board that a person looks at first, or the only one."""
        return self.query_one("#board-0", Board)

    @property
    def boards(self) -> list[Board]:
        """All boards, one a seat in a race."""
        return [self.board]

    def help_rules(self) -> str:
        """The rules of the game."""
        return f"# {self.match.game.title}\n\n{self.match.game.rules}"

    # What is on show.

    def view(self, seat: int) -> BoardView:
        """What the board of a seat shows."""
        match = self.match
        duel = match.game.kind is Kind.DUEL
        current = duel or seat == match.turn
        position = self.position if current else match.position_of(seat)
        values: tuple[MoveVerdict[Any], ...] = ()
        if self.values_shown:
            values = tuple(match.analysis(position) or ())
        hinted = self.hint.move if self.hint and self.hint_step >= 2 and not self.walked and current else None
        if self.walked and self.hint and current:
            last = self.hint.line[self.walked - 1]
        else:
            own = [ply.move for ply in match.plies if duel or ply.seat == seat]
            last = own[-1] if own else None
        return BoardView(position, match.first, self.persons_turn and current, values, hinted, last)

    def show(self) -> None:
        """Bring everything on the screen up to date."""
        if not self.is_mounted:
            return
        match, glyphs = self.match, self.arcade.glyphs
        for seat, board in enumerate(self.boards):
            board.show(self.view(seat))
        self.query_one(SeatsPanel).show(match, glyphs)
        self.show_verdict()
        self.show_hint()
        for rows in self.query(PlyRows):
            rows.show(match, glyphs, self.arcade.marks)
        self.show_extra()
        self.show_status()
        self.show_title()

    @property
    def newcomer(self) -> bool:
        """Whether a person sits here who has made no move of this game yet."""
        return HUMAN in self.match.seats and not self.arcade.knows(self.match.game.name)

    @property
    def hinting(self) -> bool:
        """Whether there is a hint to see, or what a newcomer is told."""
        return self.hint is not None or self.newcomer

    def show_hint(self) -> None:
        """Bring the hint up to date."""
        panel = self.query_one(HintPanel)
        if self.hint is None and self.newcomer:
            panel.welcome(self.board.HOW)
        else:
            panel.show(self.hint, self.hint_step, self.walked or None)
        self.query_one("#hint-scroll").display = self.hinting

    def show_verdict(self) -> None:
        """Bring the verdict up to date."""
        working = "" if self.match.result else self._working()
        verdict = self.verdicts.get(self.judged)
        self.query_one(VerdictPanel).show(self.match, verdict, working, self.arcade.glyphs)

    def show_title(self) -> None:
        """Bring the title line up to date."""
        match = self.match
        parameters = match.game.parameters_text(match.parameters)
        name = f"{match.game.title} {parameters}".rstrip()
        if match.game.chance and match.start.position is None:
            name += f" #{match.start.seed or 0}"
        state = f"ply {len(match.plies)}"
        if match.undone:
            state += f" of {len(match.plies) + len(match.undone)}"
        if match.watched and not match.result:
            state += ", paused" if self.paused else f", {SPEEDS[self.speed]:g} s a ply"
        self.query_one(TitleBar).show(name, state, self.arcade.warmer.status)

    def show_status(self) -> None:
        """Bring the line under the board up to date."""
        ways = () if self._pointed is not None and self.persons_turn else self.ways()
        said = key_words(*ways) if ways else Content(self.status())
        self.query_one("#status", KeyWords).update(said, layout=False)

    def ways(self) -> tuple[KeyWord, ...]:
        """What can be done where no move is waited for, to be said instead of the status."""
        match = self.match
        if self.walked:
            return (
                KeyWord(",", "back", "step(-1)"),
                KeyWord(".", "on", "step(1)"),
                KeyWord("Esc", "to the match", "put_away"),
            )
        if match.result:
            mistake = KeyWord("m", "to the mistake", "mistake")
            threw = any(ply.mark is Mark.THREW for ply in match.plies)
            return (KeyWord("n", "new", "new"), KeyWord("u", "take back", "undo"), *([mistake] * threw))
        if match.to_move != HUMAN and self.paused:
            return (KeyWord("p", "play on", "pause"), KeyWord(".", "one move", "step(1)"))
        if match.watched:
            return (
                KeyWord("p", "pause", "pause"),
                KeyWord("-", "slower", "speed(-1)"),
                KeyWord("+", "faster", "speed(1)"),
            )
        return ()

    def status(self) -> str:
        """Whose turn it is, or what the move that is pointed at would do."""
        match = self.match
        if match.to_move not in (HUMAN, None):
            return f"{match.game.sides[match.turn]} is thinking."
        if "hint" in self.controls:
            return "Looking for a hint."
        if self._pointed is not None:
            return self.status_of(self._pointed)
        return self.board.advice()

    def status_of(self, move: Any) -> str:
        """What the move that is pointed at would do."""
        words = [f"{move}", self.board.describe(move)]
        verdict = self._verdict_of(move) if self.values_shown else None
        if verdict is not None:
            words.append(self.arcade.glyphs.verdict(verdict))
        return "  ".join(filter(None, words))

    def _verdict_of(self, move: Any) -> Verdict | None:
        analysis = self.match.analysis(self.judged) or []
        return next((each.verdict for each in analysis if each.move == move), None)

    # What is done on the board.

    def position_changed(self, save: bool = True) -> None:
        """The match stands at another position, in which nothing is pointed at yet."""
        self._pointed = None
        super().position_changed(save)

    def on_board_play(self, message: Board.Play) -> None:
        """A person chose a move on the board; a second click, made before the board followed, is none."""
        if message.position != message.board.view.position:
            return
        if self.walked:
            self.action_put_away()
        elif self.match.result:
            self.notify(OVER)
        elif not self.persons_turn or not message.board.view.playable:
            self.notify(
                "It is not your turn; p lets the engine play on." if self.paused else "It is not your turn."
            )
        elif message.move is not None:
            self.arcade.learned_game(self.match.game.name)
            self.play(message.move)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """A person points at a move."""
        if message.board is self.board:
            self._pointed = message.move
            self.show_status()

    # What the keys do.

    def action_leave(self) -> None:
        """Back to the menu; the match is kept."""
        self.stop_work()
        self.arcade.left_match()
        super().action_leave()

    def action_new(self) -> None:
        """Choose a new match."""
        self.arcade.choose_match(self.match.game, like=self.match)

    def action_restart(self) -> None:
        """Back to the first position; redo leads forward again."""
        self.match.restart()
        self.paused = self.match.to_move != HUMAN
        self.position_changed()

    def action_undo(self) -> None:
        """Take back to a person's last move."""
        match = self.match
        persons = HUMAN in [match.seats[ply.seat] for ply in match.plies]
        if not match.watched and not persons and match.resigned is None:
            self.notify("There is no move of yours to take back.")
            return
        if not match.undo():
            self.notify("There is nothing to take back.")
            return
        while persons and match.to_move != HUMAN and match.undo():
            pass
        if match.watched:
            self.paused = True
        self.position_changed()

    def action_redo(self) -> None:
        """Play again what was taken back, up to a person's next turn."""
        match = self.match
        if not match.redo():
            self.notify("There is nothing to play again.")
            return
        while not match.watched and match.to_move not in (HUMAN, None) and match.redo():
            pass
        self.position_changed()

    def go_to(self, plies: int) -> None:
        """Look at the position after so many plies; engines wait there."""
        match = self.match
        while len(match.plies) > plies and match.undo():
            pass
        while len(match.plies) < plies and match.redo():
            pass
        self.paused = match.to_move != HUMAN
        self.position_changed()

    def on_ply_rows_jump(self, message: PlyRows.Jump) -> None:
        """A ply was clicked."""
        self.go_to(message.plies)
        self.board.focus()

    def action_step(self, by: int) -> None:
        """One move forward or back: along a hint's line, along what was played, or by an engine."""
        match = self.match
        if self.hint is not None and self.hint_step >= 3:
            self.walked = min(max(self.walked + by, 0), len(self.hint.line))
            self.show()
        elif by < 0:
            self.go_to(max(len(match.plies) - 1, 0))
        elif match.undone:
            self.go_to(len(match.plies) + 1)
        elif match.to_move not in (HUMAN, None):
            self.paused = True
            self.stop_work()
            self.think(match.position, self.control("move", self.move_seconds()), 0.0)

    def action_mistake(self) -> None:
        """Back to the position before the last move that threw the game away."""
        for number in range(len(self.match.plies) - 1, -1, -1):
            if self.match.plies[number].mark is Mark.THREW:
                self.go_to(number)
                return
        self.notify("No move up to here is known to have thrown anything away.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where moves and graph are both in sight there is nothing to change over."""
        return not self.has_class("-tall") if action == "graph" else True

    def on_resize(self, event: events.Resize) -> None:
        """Another height may show moves and graph at once, so that there is nothing to change over."""
        self.call_after_refresh(self.refresh_bindings)

    def action_pause(self) -> None:
        """Let the engines play, or hold them."""
        if self.match.result:
            self.notify(OVER)
            return
        if self.match.to_move == HUMAN:
            self.notify("It is your move; c changes who plays.")
            return
        self.paused = not self.paused
        self.position_changed(save=False)

    def action_speed(self, by: int) -> None:
        """Watch faster or slower."""
        self.speed = min(max(self.speed + by, 0), len(SPEEDS) - 1)
        self.show_title()

    def action_values(self) -> None:
        """Show or hide the value of every move on the board."""
        self.values_shown = not self.values_shown
        self.show()
        if self.values_shown and not self.match.result and self.match.analysis(self.judged) is None:
            self.notify("The values are shown when they are found.")

    def action_graph(self) -> None:
        """Show the moves or the value graph."""
        self.graph_shown = not self.graph_shown
        self.set_class(self.graph_shown, "-graph")

    def action_hint(self) -> None:
        """Climb the hint ladder by a step."""
        if self.match.result or not self.persons_turn:
            if not self.walked:
                self.notify("A hint is for the person whose turn it is.")
        elif "hint" in self.controls:
            self.hint_step = min(self.hint_step + 1, 3)
        elif self.hint is None:
            self.hint_step = 1
            self.match.hints[self.match.turn] += 1
            self.find_hint(self.match.position, self.control("hint", self.HINT_SECONDS))
            self.show_status()
        else:
            self.hint_step = min(self.hint_step + 1, 3)
            self.show()

    def action_put_away(self) -> None:
        """Put the hint away, or first go back from its line to the match."""
        if self.walked:
            self.walked = 0
        elif self.hint is not None:
            self.hint, self.hint_step = None, 0
        else:
            self.arcade.learned_game(self.match.game.name)
        self.show()

    def action_seats(self) -> None:
        """Change who plays, in mid-game too."""
        from arcade.screens.new_match import SeatsDialog

        if self.match.result:
            # Who won is kept by seats: to change them now would change who won.
            self.notify(OVER)
            return

        def seated(seats: list[str] | None) -> None:
            # Engines may have ended the match meanwhile.
            if seats is not None and self.match.result:
                self.notify(OVER)
            elif seats is not None:
                # The dialog has checked them.
                for seat, who in enumerate(seats):
                    self.match.sit(seat, who)
                self.paused = self.match.watched
                self.position_changed()

        self.arcade.open(SeatsDialog(self.match), seated)

    def action_type(self) -> None:
        """Type a move in its notation."""
        from arcade.screens.prompt import Prompt

        if self.match.result:
            self.notify(OVER)
            return
        match, position = self.match, self.match.position

        def check(text: str) -> None:
            position.play(match.game.parse_move(text, position))

        def typed(text: str | None) -> None:
            # Engines may have moved meanwhile.
            if text and self.match.position == position:
                self.post_message(Board.Play(self.board, match.game.parse_move(text, position)))

        moves = position.moves()
        example = str(moves[len(moves) // 2])
        self.arcade.open(Prompt("Your move", f"for example {example}", check), typed)

    def action_copy(self) -> None:
        """Copy the match as text."""
        self.app.copy_to_clipboard(f"{self.match.text()}\n\n{self.board.picture()}\n")
        self.notify("The match is copied as text.")

    def action_resign(self) -> None:
        """Resign, after a question."""
        from arcade.screens.prompt import Question

        if self.match.result:
            self.notify(OVER)
            return
        if self.match.to_move != HUMAN:
            self.notify("Only the person whose turn it is can resign.")
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.match.resign(self.match.turn)
                self.position_changed()

        self.arcade.open(Question("Resign this match?"), answered)

    def commands(self) -> Iterable[SystemCommand]:
        """Every action of this screen, for the command palette."""
        return self.binding_commands()

    def redraw(self) -> None:
        """Draw everything anew."""
        self.show()
