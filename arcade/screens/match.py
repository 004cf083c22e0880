"""The match screen of every game: the boards on the left, everything about the match on the right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.verdict import MoveVerdict, Verdict
from arcade.match import files as match_file
from arcade.match.match import HUMAN, Match
from arcade.match.seating import with_other_level
from arcade.matchbox.machine import AnyMachine
from arcade.screens import rooms
from arcade.screens.base import ArcadeScreen
from arcade.screens.open_box import OpenBoxPanel
from arcade.screens.ways import ways_after, ways_now
from arcade.services import Services
from arcade.session.jobs import Changed, Event, Judged, Learned, Moved, Notice, Refused
from arcade.session.session import NOT_YOUR_TURN, OVER, SPEEDS, Session
from arcade.store.store import SavedAs
from arcade.widgets.board import Board, BoardView, ListBoard
from arcade.widgets.box_panel import BoxPanel, OpenBox
from arcade.widgets.keys import KeyFooter, KeyWord, KeyWords, TitleBar, key_words
from arcade.widgets.panels import HintPanel, Insight, MoveList, PlyRows, SeatsPanel, ValueGraph, VerdictPanel
from arcade.widgets.tables import RaceTable, RaceVerdict, ScoreGraph, Table

SHARED_LINES = 24
"""Least lines of a terminal for both the box of a machine and what a newcomer is told."""

WHAT_NEXT = f"{OVER} A plays it again, n begins a new one."


class MatchScreen(ArcadeScreen):
    """A match of any game; a game's own screen says which board it is played on, and adds its panels.

    Args:
        services: what all screens share.
        match: the match to play.
        saved: which row of the store it is, if it is there already.
    """

    BOARD: ClassVar[type[Board]] = ListBoard

    HAND: ClassVar[type[Widget] | None] = None
    """The panel that shows the mover's hand, where the game has hands."""

    TEACHES: ClassVar[bool] = False
    """Whether machines are what the game is about, also while none sits there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New", tooltip="New match: size, seats, level"),
        Binding("u", "undo", "Undo", tooltip="Take back to your last move"),
        Binding("r", "redo", "Redo", tooltip="Play again what was taken back"),
        Binding("i", "hint", "Hint", tooltip="Hint: where, which, why"),
        Binding("v", "values", "Values", tooltip="Show or hide what every move is worth"),
        Binding("g", "graph", "Graph", tooltip="Moves or value graph"),
        Binding("c", "seats", "Seats", tooltip="Change who plays"),
        Binding(
            "C",
            "coach",
            "Coach",
            show=False,
            tooltip="How much the coach says: nothing, mistakes, everything",
        ),
        Binding(
            "p",
            "pause",
            "Play",
            tooltip="Let the engines play, or pause them; after the end, go on from here",
        ),
        Binding("full_stop", "step(1)", "Step", show=False, key_display=".", tooltip="One move forward"),
        Binding("comma", "step(-1)", "Step back", show=False, key_display=",", tooltip="One move back"),
        Binding("m", "mistake(-1)", "Mistake", show=False, tooltip="Back to the mistake before"),
        Binding("M", "mistake(1)", "Next mistake", show=False, tooltip="On to the next mistake"),
        Binding("F", "better", "Find better", show=False, tooltip="Find the better move at each mistake"),
        Binding("A", "again(False)", "Again", show=False, tooltip="The same match again"),
        Binding("O", "again(True)", "Other side", show=False, tooltip="The same match from the other side"),
        Binding("V", "source", "Source", show=False, tooltip="Where the verdict comes from"),
        Binding(
            "plus,equals_sign",
            "speed(1)",
            "Faster",
            show=False,
            key_display="+",
            tooltip="Watch faster; after the end, a harder opponent",
        ),
        Binding(
            "minus",
            "speed(-1)",
            "Slower",
            show=False,
            key_display="-",
            tooltip="Watch slower; after the end, an easier opponent",
        ),
        Binding("z", "other_board", "Map", show=False, tooltip="Look at the other seat's board"),
        Binding("b", "boxes", "Boxes", show=False, tooltip="All boxes of the machine"),
        Binding("t", "type", "Type", show=False, tooltip="Type a move"),
        Binding("o", "app.open_id", "Open", show=False, tooltip="Open a game ID, a position, a match"),
        Binding("y", "copy", "Copy", show=False, tooltip="Copy the match as text"),
        Binding("W", "write", "Write", show=False, tooltip="Write the match to a file"),
        Binding("x", "resign", "Resign", show=False, tooltip="Give the match up"),
        Binding("R,N", "restart", "Restart", show=False, tooltip="Back to the first position"),
        Binding("P", "replay", "Watch", show=False, tooltip="Watch the finished match from its first move"),
        Binding("escape", "put_away", "Put away", show=False, tooltip="Put the hint away"),
    ]

    def __init__(self, services: Services, match: Match, saved: SavedAs | None = None) -> None:
        super().__init__()
        self.session = Session(match, services, self, self.on_session, saved)
        self.replays = False
        """Whether the match, which is finished, is shown from its first move when the screen opens."""
        self.graph_shown = False
        self.source_shown = False
        self._pointed: Any = None
        self._clock: Timer | None = None

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def race(self) -> bool:
        """Whether each seat plays on a board of its own."""
        return self.match.game.kind is Kind.RACE

    # Layout.

    def compose(self) -> ComposeResult:
        self.set_class(self.race, "-race")
        yield TitleBar()
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield (RaceTable if self.race else Table)(self.BOARD, self.session, self.view)
                yield from self.under_boards()
                yield KeyWords(id="rooms")
                yield KeyWords(id="status")
            with Vertical(id="side"):
                yield SeatsPanel(id="seats", classes="panel")
                yield (RaceVerdict if self.race else VerdictPanel)(id="verdict", classes="panel")
                yield OpenBoxPanel(self.session)
                yield from self.extra_panels()
                with VerticalScroll(id="hint-scroll", classes="panel", can_focus=False):
                    yield HintPanel(id="hint")
                yield MoveList(id="moves")
                yield (ScoreGraph if self.race else ValueGraph)(id="graph")
        yield KeyFooter(self.unused)

    def under_boards(self) -> Iterable[Widget]:
        """What lies between the boards and the line under them; `show_extra` fills it."""
        return ()

    def extra_panels(self) -> Iterable[Widget]:
        """Panels of one game's own, between the verdict and the moves; `show_extra` fills them."""
        return ()

    def show_extra(self) -> None:
        """Bring the panels of one game's own up to date."""

    def on_mount(self) -> None:
        self.board.focus()
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        """Show the match; solvers come when it has been painted, because loading them takes its time."""
        self.session.open()
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        """Set solvers to work, unless the screen has been left again."""
        if self in self.app.screen_stack:
            self.set_to_work()
            if self.replays:
                self.session.replay()

    def set_to_work(self) -> None:
        """Let engines and solvers think, and load the machines in the seats."""
        self.session.set_to_work()
        self.box.load()
        self._watch_the_clock()

    def on_unmount(self) -> None:
        self.session.stop()

    @property
    def table(self) -> Table:
        """The boards."""
        return self.query_one(Table)

    @property
    def board(self) -> Board:
        """The board that a person looks at first, or the only one."""
        return self.table.board

    @property
    def box(self) -> OpenBoxPanel:
        return self.query_one(OpenBoxPanel)

    def help_rules(self) -> str:
        return f"# {self.match.game.title}\n\n{self.match.game.rules}"

    # What the session tells.

    def on_session(self, event: Event) -> None:
        match event:
            case Notice(text, severity, seconds):
                self.notify(text, severity=severity, timeout=seconds)
            case _ if not self.is_mounted:
                return
            case Moved():
                self._pointed = None
                self.box.moved()
                self.show()
                self.box.load()
            case Changed():
                self.show()
            case Judged():
                self.show_verdict()
            case Learned(rewards):
                self.box.learned(rewards)
            case Refused(machine):
                self._offer_fresh(machine)
        self._watch_the_clock()

    def _watch_the_clock(self) -> None:
        """Tell how far the work is, as long as there is any."""
        if self.session.busy and self._clock is None:
            pace = self.services.settings.pace(0.5 if self.race else 1.0)
            self._clock = self.set_interval(pace, self._tick)

    def _tick(self) -> None:
        if not self.session.busy and self._clock is not None:
            self._clock.stop()
            self._clock = None
        self.show_verdict()

    # What is on show.

    def view(self, seat: int) -> BoardView:
        """What the board of a seat shows."""
        session, match = self.session, self.match
        current = not self.race or seat == match.turn
        position = session.position if current else match.position_of(seat)
        values: tuple[MoveVerdict[Any], ...] = ()
        if session.values_shown and session.quest is None:
            values = tuple(match.analysis(position) or ())
        hint = session.hint if current else None
        hinted = hint.move if hint and session.hint_step >= 2 and not session.walked else None
        if session.walked and hint:
            last = hint.line[session.walked - 1]
        else:
            own = [ply.move for ply in match.plies if not self.race or ply.seat == seat]
            last = own[-1] if own else None
        # A person may try moves out while others think.
        seated = [match.seats[seat]] if self.race else match.seats
        trying = HUMAN in seated and match.result is None and not session.walked
        playable = session.persons_turn and current
        review = match.finished and session.quest is None and not session.side
        return BoardView(position, match.first, playable, values, hinted, last, trying, review)

    def show(self) -> None:
        """Bring everything on the screen up to date."""
        if not self.is_mounted:
            return
        match, glyphs = self.match, self.glyphs
        self.table.show(glyphs)
        self.query_one(SeatsPanel).show(match, glyphs)
        self.show_verdict()
        self.show_hint()
        session = self.session
        for rows in self.query(PlyRows):
            rows.show(match, glyphs, self.services.settings.marks, session.revealed)
        self._show_rooms()
        # On a low screen there is no room for both the box and a hint.
        self.box.show_match(glyphs, self.hinting and self.has_class("-low") and not self.crowded)
        self.show_extra()
        self.show_status()
        self.show_title()

    @property
    def newcomer(self) -> bool:
        """Whether a person is to play here who has made no move of this game yet."""
        match = self.match
        return HUMAN in match.seats and not match.finished and not self.services.knows(match.game.name)

    @property
    def hinting(self) -> bool:
        """Whether there is a hint to see, or what a newcomer is told."""
        return self.session.hint is not None or self.newcomer

    @property
    def crowded(self) -> bool:
        """Whether what a newcomer is told has to be short, beside the box of a machine or a hand."""
        if not self.newcomer or self.session.hint is not None or not self.has_class("-low"):
            return False
        roomy = self.size.height >= SHARED_LINES
        return bool(self.box.seated) if roomy else self.HAND is not None

    def show_hint(self) -> None:
        """Bring the hint up to date."""
        session, panel = self.session, self.query_one(HintPanel)
        self.set_class(self.crowded, "-crowded")
        if session.hint is None and self.newcomer:
            game = self.match.game
            panel.welcome(game.goal, "" if self.crowded else game.picture, self.board.HOW)
        else:
            panel.show(session.hint, session.hint_step, session.walked or None)
        self.query_one("#hint-scroll").display = self.hinting
        self.set_class(self.hinting, "-hinting")

    def show_verdict(self) -> None:
        """Bring the verdict up to date, with what running work has found so far."""
        session, match = self.session, self.match
        panel = self.query_one(VerdictPanel)
        ended = bool(match.result) and not session.side
        self.set_class(ended, "-ended")
        self.follow_unused()
        if session.quest is not None:
            panel.ask_for_better(match, session.quest)
            return
        if not session.revealed:
            panel.coach(match, self.services.settings.coach, session.fault)
            return
        if ended:
            panel.end(
                match, session.judge.verdicts.get(match.first), session.turning_point(), ways_after(session)
            )
            return
        verdict = session.so_far or session.verdict
        panel.show(
            Insight(match, verdict, session.working(), self.glyphs, session.mover, self.source_shown),
        )

    def unused(self) -> frozenset[str]:
        session, match = self.session, self.match
        unused = set()
        if not match.undone:
            unused.add("redo")
        if not match.plies and not session.side:
            unused |= {"restart", "step(-1)"} if match.finished else {"restart", "step(-1)", "undo"}
        if match.finished:
            unused |= {"seats", "resign"}
        else:
            unused |= {"again(False)", "again(True)", "replay", "better"}
            if not match.watched and not session.paused:
                unused.add("pause")
        if match.result and not session.side:
            unused |= {"hint", "pause", "type"}
        if session.quest is not None:
            unused.add("pause")
        if not session.revealed or not session.mistakes():
            unused |= {"mistake(-1)", "mistake(1)"}
        if not session.own_mistakes():
            unused.add("better")
        return frozenset(unused)

    def _show_rooms(self) -> None:
        """The ways to the machines' screens, with their keys, where a machine learns."""
        keys = {each.action: each.key for _, each in self._bindings}
        ways = (("boxes", "all boxes"), ("laboratory", "laboratory"))
        rooms = self.query_one("#rooms", KeyWords)
        if self.learning:
            rooms.show(*(KeyWord(keys.get(action, ""), words, action) for action, words in ways))
        if rooms.display != self.learning:
            rooms.display = self.learning
            self.refresh_bindings()

    @property
    def learning(self) -> bool:
        """Whether there is a machine to look at."""
        return self.TEACHES or any(box.seated for box in self.query(OpenBoxPanel))

    def show_title(self) -> None:
        match = self.match
        parameters = match.game.parameters_text(match.parameters)
        name = f"{match.game.title} {parameters}".rstrip()
        if match.game.chance and match.start.position is None:
            name += f" #{match.start.seed or 0}"
        state = f"move {len(match.plies)}"
        if match.undone:
            state += f" of {len(match.line)}"
        if match.watched and not match.result:
            still = self.session.paused and not self.session.replaying
            state += ", paused" if still else f", {SPEEDS[self.session.speed]:g} s a move"
        self.query_one(TitleBar).show(name, state, self.services.warmer.status)

    def show_status(self) -> None:
        """Bring the line under the board up to date."""
        line, ways = self.query_one("#status", KeyWords), self.ways()
        told = [key_words(*ways)] if ways else []
        if not ways or (self._pointed is not None and self.session.persons_turn):
            told.insert(0, Content(self.status()))
        # Where there is one line only, what a person points at goes first.
        line.update(Content("\n").join(told), layout=False)

    def ways(self) -> tuple[KeyWord, ...]:
        """What can be done where no move is waited for, to be said instead of the status."""
        session, match, table = self.session, self.match, self.table
        if "hint" in session.jobs.controls:
            return ()
        if isinstance(table, RaceTable) and session.persons_turn and session.main_seat != match.turn:
            return (table.to_board(match.turn),)
        return ways_now(session)

    def status(self) -> str:
        """Whose turn it is, or what the move that is pointed at would do."""
        match = self.match
        if "hint" in self.session.jobs.controls:
            return "Looking for a hint."
        if match.to_move not in (HUMAN, None) and not self.session.persons_turn:
            return f"{match.game.sides[match.turn]} is thinking."
        if self._pointed is None:
            return self.board.advice()
        words = [f"{self._pointed}", self.board.describe(self._pointed)]
        verdict = self._verdict_of(self._pointed) if self.session.values_shown else None
        if verdict is not None:
            words.append(self.glyphs.verdict(verdict))
        return "  ".join(filter(None, words))

    def _verdict_of(self, move: Any) -> Verdict | None:
        analysis = self.match.analysis(self.session.judged) or []
        return next((each.verdict for each in analysis if each.move == move), None)

    def redraw(self) -> None:
        self.session.heed_coach()
        self.show()
        self.box.redraw()

    # What is done on the board.

    def on_board_play(self, message: Board.Play) -> None:
        session = self.session
        if self.box.skip() or message.position != message.board.view.position:
            return
        if session.walked:
            session.put_away()
        elif self.match.result and not session.persons_turn:
            self.notify(WHAT_NEXT)
        elif not session.persons_turn or not message.board.view.playable:
            self.notify(
                f"{NOT_YOUR_TURN[:-1]}; p lets the engine play on." if session.paused else NOT_YOUR_TURN
            )
        elif message.move is not None:
            self.services.has_played(self.match.game.name)
            session.play(message.move)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        if message.board is self.board:
            self._pointed = message.move
            self.show_status()
            self.pointed()

    def pointed(self) -> None:
        """Another move is pointed at on the main board; for the panels of one game's own."""

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(self.table, RaceTable):
            self.table.focus_moved(event.widget)

    def on_box_panel_clicked(self, message: BoxPanel.Clicked) -> None:
        if not self.box.skip():
            self.action_boxes()

    def on_ply_rows_jump(self, message: PlyRows.Jump) -> None:
        self.session.go_to(message.plies)
        self.board.focus()

    # What the keys do.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "graph":
            return not self.has_class("-tall")
        if action == "other_board":
            return self.race
        if action == "boxes":
            return self.is_mounted and self.learning
        return True

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        if self.is_mounted and self.query(VerdictPanel):
            self.refresh_bindings()
            self.show()

    def action_leave(self) -> None:
        self.session.stop()
        self.services.remember(in_play="")
        super().action_leave()

    def action_new(self) -> None:
        rooms.choose_match(self.app, self.match.game, self.match)

    def action_restart(self) -> None:
        self.session.restart()

    def action_undo(self) -> None:
        self.session.undo()

    def action_redo(self) -> None:
        self.session.redo()

    def action_step(self, by: int) -> None:
        self.session.step(by)

    def action_mistake(self, by: int) -> None:
        self.session.to_mistake(by)

    def action_better(self) -> None:
        self.session.find_better()
        self.board.focus()

    def action_coach(self) -> None:
        coach = self.services.settings.coach.next
        self.arcade.change("coach", coach.value)
        self.notify(f"The coach {coach.summary}.")

    def action_source(self) -> None:
        self.source_shown = not self.source_shown
        self.show_verdict()

    def action_again(self, other_side: bool) -> None:
        if not self.match.finished:
            self.notify("After the match, A plays it again; R goes back to its start.")
            return
        seats = list(self.match.seats)
        self._begin(seats[::-1] if other_side else seats)

    def _begin(self, seats: list[str]) -> None:
        match = self.match
        try:
            self.session.begin(Match(match.start, seats, match.guests, match.seed + 1))
        except InputError as error:
            self.notify(str(error), severity="warning")

    def action_pause(self) -> None:
        self.session.pause()

    def action_replay(self) -> None:
        self.session.replay()

    def action_speed(self, by: int) -> None:
        done = self.match.finished and not self.session.replaying
        seats = with_other_level(self.match.seats, by) if done else None
        if seats is not None:
            self._begin(seats)
        else:
            self.session.change_speed(by)

    def action_hint(self) -> None:
        self.session.ask_hint()

    def action_values(self) -> None:
        self.session.show_values()
        self.show()
        unknown = self.match.analysis(self.session.judged) is None
        if self.session.values_shown and not self.match.result and unknown:
            self.notify("The values are shown when they are found.")

    def action_graph(self) -> None:
        self.graph_shown = not self.graph_shown
        self.set_class(self.graph_shown, "-graph")

    def action_other_board(self) -> None:
        if isinstance(self.table, RaceTable) and not self.table.look_at_other():
            self.notify("This match has one board only.")

    def action_put_away(self) -> None:
        if not self.box.skip() and not self.session.put_away():
            self.services.has_played(self.match.game.name)
            self.show()

    def action_seats(self) -> None:
        from arcade.screens.dialogs import SeatsDialog

        if self.match.finished:
            # Who won is kept by seats: to change them now would change who won.
            self.notify(WHAT_NEXT)
            return

        def seated(seats: list[str] | None) -> None:
            # The dialog has checked them.
            if seats is not None:
                self.session.sit(seats)

        self.open(SeatsDialog(self.match, self.services.machines), seated)

    def action_type(self) -> None:
        from arcade.screens.dialogs import Prompt

        match, position = self.match, self.session.branch
        if position.outcome() is not None:
            self.notify(WHAT_NEXT)
            return

        def check(text: str) -> None:
            position.play(match.game.parse_move(text, position))

        def typed(text: str | None) -> None:
            # Engines may have moved meanwhile.
            if text and self.session.branch == position:
                self.post_message(Board.Play(self.board, match.game.parse_move(text, position)))

        moves = position.moves()
        self.open(Prompt("Your move", f"for example {moves[len(moves) // 2]}", check), typed)

    def action_copy(self) -> None:
        drawing = str(self.board.view.position).replace("}", ")")
        self.app.copy_to_clipboard(f"{match_file.write(self.match.record())}\n{{\n{drawing}\n}}\n")
        self.notify("The match is copied as text; o opens it again.")

    def action_write(self) -> None:
        from arcade.screens.dialogs import Prompt

        def write(text: str) -> None:
            written = match_file.write(self.match.record())
            self.notify(self.hand_over("the match", written, match_file.with_ending(text)))

        self.open(Prompt("Write the match to a file", "for example mine.match", write))

    def action_resign(self) -> None:
        from arcade.screens.dialogs import Question

        if self.match.finished:
            self.notify(WHAT_NEXT)
        elif self.match.to_move != HUMAN:
            self.session.resign()
        else:
            self.open(Question("Resign this match?"), lambda yes: self.session.resign() if yes else None)

    # Machines.

    def _offer_fresh(self, machine: AnyMachine) -> None:
        """Ask whether a machine that refuses to play should start again with new beads."""
        from arcade.screens.dialogs import Question

        def answered(yes: bool | None) -> None:
            if yes:
                try:
                    self.services.machines.refresh(machine.name)
                except InputError as error:
                    self.notify(str(error), severity="error")
                    return
                self.session.paused = False
            self._back()

        name = machine.name
        question = f"The first box of {name} is empty, so {name} refuses to play. Give it fresh beads?"
        self.open(Question(question), answered)

    def _away(self) -> None:
        """Another screen is about to lie over this one: nothing moves under it."""
        self.session.stop()
        if self.match.to_move != HUMAN:
            self.session.paused = True

    def _back(self) -> None:
        """The other screen is gone; machines may have been trained there."""
        self.box.forget()
        self.session.moved(save=False)

    def action_boxes(self) -> None:
        shown, machine = self.box.open_box(), self.box.shown_machine()
        at = shown.opening.box.index if isinstance(shown, OpenBox) and shown.opening is not None else None
        self._away()
        name = machine.name if machine else None
        rooms.open_boxes(self.app, self.match.game.name, name, at, self._back)

    def action_laboratory(self) -> None:
        machine = self.box.shown_machine()
        self._away()
        name = machine.name if machine else None
        rooms.open_laboratory(self.app, self.match.game.name, name, self._back)

    def action_prove(self) -> None:
        from arcade.session.proof import SECONDS, prove

        self.notify(f"The verdict is being proved again. This takes at most {SECONDS:.0f} seconds.")
        prove(self.session, lambda text: self.notify(text))

    def commands(self) -> Iterable[SystemCommand]:
        offered = list(super().commands())
        yield from offered
        words = "Prove the verdict of this position again without the solver"
        yield SystemCommand("Prove", words, lambda: self.run_later("prove"))
        if self.learning and all(each.title != "Lab" for each in offered):
            yield SystemCommand("Lab", "Train machines of matchboxes", lambda: self.run_later("laboratory"))
