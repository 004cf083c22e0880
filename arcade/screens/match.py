"""The match screen of every game."""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.actions import parse
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from arcade.matches import watched_match
from arcade.play import files as match_file
from arcade.play.actions import ACTIONS
from arcade.play.jobs import Notice
from arcade.play.keymap import default_key
from arcade.play.match import Match
from arcade.play.proof import GROUP, SECONDS, prove
from arcade.play.scene import BoardScene, CoachScene, EndScene, QuestionScene, Scene
from arcade.play.sentences import chat_text
from arcade.play.session import Session
from arcade.play.state import NOT_YOUR_TURN, Offers
from arcade.screens.base import (
    ENTER,
    ENTER_REST,
    PANEL_KEYS,
    ArcadeScreen,
    FrameSequence,
    name_of,
    open_screen,
)
from arcade.screens.dialogs import Prompt, Question, SeatsDialog, confirm
from arcade.screens.machine_panel import MachinePanel, machine_panel
from arcade.screens.navigation import ChooseMatch, OpenMatch, OpenTeaching
from arcade.services import Services
from arcade.store.record import Coach
from arcade.store.store import SavedAs
from arcade.widgets.board import Board, EndFrame, ListBoard
from arcade.widgets.forms import next_of
from arcade.widgets.keys import Shortcut, Shortcuts, TitleBar, match_shortcut, shortcut_line
from arcade.widgets.panels import HintPanel, MoveListPanel, PlyRows, SeatsPanel, ValueGraph, VerdictPanel
from arcade.widgets.tables import RaceTable, ScoreGraph, Table

SHARED_LINES = 24
"""Minimum terminal lines to show both a machine's box and the introduction."""

END_SECONDS = 0.5

GO_ON = ("enter", "space", "right", "down", "left", "up")

ROOMS = (("boxes", "all boxes"), ("laboratory", "laboratory"))
WALK: Offers = (("back", "back"), ("forward", "on"))


class MatchScreen(ArcadeScreen):
    BOARD: ClassVar[type[Board]] = ListBoard

    CSS_PATH: ClassVar[Path | None] = None

    # Textual's choice of focus could make another board the main one.
    AUTO_FOCUS: ClassVar[str | None] = ""

    PANELS = "#side"

    HAND: ClassVar[type[Widget] | None] = None

    OFFERS: ClassVar[Sequence[str]] = ()
    """Names of the machine screens that are offered even if no machine plays."""

    ASKED: ClassVar[Mapping[str, str]] = {"proof": "The proof of the verdict"}

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                default_key(action.name),
                f"act('{action.name}')",
                action.word,
                show=False,
                tooltip=action.help,
                id=action.name,
            )
            for action in ACTIONS.values()
        ),
        Binding(default_key("open_match"), "app.open_id", "Open", show=False, id="open_match"),
        Binding(
            default_key("watch"), "watch", "Watch", show=False, tooltip="Watch two engines play", id="watch"
        ),
        *PANEL_KEYS,
        # Needs priority, because the board has the focus but no use for Enter.
        Binding("enter", "take_offer", "First action on the card", show=False, priority=True),
    ]

    def __init__(self, services: Services, match: Match, saved: SavedAs | None = None) -> None:
        super().__init__()
        self.session = Session(match, services, self, self.on_scene, self.on_notice, saved)
        self.replays = False
        self.source_shown = False
        self._shown = self.session.scene
        self._rules_asked = False
        self._told = 0
        self._clock: Timer | None = None
        self._rests_until = 0.0
        """Monotonic time before which Enter does not accept an offered action."""
        self._takes_enter = math.inf
        """Event time before which Enter is ignored. From this time, it plays a move."""
        self._lights = FrameSequence[tuple[EndFrame, ...]](self, self._show_frame)

    @property
    def scene(self) -> Scene:
        return self.session.scene

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def race(self) -> bool:
        """True if scores are shown beside the boards."""
        return self.scene.board.points is not None

    @classmethod
    def app_commands(cls, app: App[Any]) -> Iterable[SystemCommand]:
        """Yield the game's commands that are available on every screen."""
        return ()

    def body(self) -> ComposeResult:
        self.set_class(self.race, "-race")
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield (RaceTable if self.race else Table)(self.BOARD, self.scene)
                yield from self.under_boards()
                yield Shortcuts(id="rooms")
                yield Shortcuts(id="status")
            with Vertical(id="side"):
                yield SeatsPanel(id="seats", classes="panel")
                yield VerdictPanel(id="verdict", classes="panel")
                yield machine_panel()(id="box", classes="panel")
                yield from self.extra_panels()
                with VerticalScroll(id="hint-scroll", classes="panel", can_focus=False):
                    yield HintPanel(id="hint")
                yield MoveListPanel(id="moves")
                yield (ScoreGraph if self.race else ValueGraph)(id="graph")

    def in_footer(self, binding: Binding) -> bool:
        _, action, parameters = parse(binding.action)
        return binding.show or name_of(action, parameters) in self.scene.footer

    def under_boards(self) -> Iterable[Widget]:
        """Yield widgets for the space under the boards. `show_extra` fills them."""
        return ()

    def extra_panels(self) -> Iterable[Widget]:
        """Yield the game's own panels. `show_extra` fills them."""
        if self.HAND is not None:
            yield self.HAND(id="hands")

    def show_extra(self) -> None:
        """Update the game's own widgets, for example when the cursor moves."""
        hand: Any
        for hand in self.query("#hands"):
            hand.show(self.board, self.scene)

    def on_mount(self) -> None:
        # Keys pressed before the board appeared were not meant for it.
        self._takes_enter = max(Message().time, self.arcade.entered + ENTER_REST)
        self.board.focus()
        self.call_later(self._open)

    def _open(self) -> None:
        """Show the match. Solvers load after the first paint, because loading takes time."""
        if self.alive:
            self.session.open()
            if self.story:
                self.session.pause()
            self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        if self in self.app.screen_stack:
            self.start_analysis()
            if self.replays:
                self.session.do("replay")
            elif self.scene.watched and not self.scene.shown and self.services.settings.animated:
                self.session.do("pause")

    def start_analysis(self) -> None:
        self.session.start()
        self._watch_the_clock()

    def on_unmount(self) -> None:
        self.session.stop()

    def promise(self, group: str, promised: str) -> bool:
        """Announce work that the player requested. Return False, with a warning, if it is already running."""
        if group in self.jobs.controls:
            self.notify(f"{self.ASKED[group]} is already running.", severity="warning")
            return False
        self.notify(promised)
        return True

    @property
    def table(self) -> Table:
        return self.query_one(Table)

    @property
    def board(self) -> Board:
        return self.table.board

    @property
    def box(self) -> MachinePanel:
        return self.query_one("#box", MachinePanel)

    def help_rules(self) -> str:
        return f"# {self.match.game.title}\n\n{self.match.game.teaching.rules}"

    def on_notice(self, notice: Notice) -> None:
        self.notify(notice.text, severity=notice.severity, timeout=notice.seconds)

    def on_scene(self, scene: Scene) -> None:
        before, self._shown = self._shown, scene
        if not self.alive:
            return
        if _place(scene) != _place(before):
            self._put_out()
            if self.story:
                self.session.pause()
            self.box.moved(before, scene)
        if scene != replace(before, verdict=scene.verdict):
            self.show()
        elif scene != before:
            self.show_verdict()
        if scene.match_number != before.match_number or (scene.finished and not before.finished):
            self._rules_asked = False
        if scene.finished and not before.finished and scene.shown == before.shown + 1:
            self._light_up()
        if scene.refusing and not before.refusing:
            self.when_on_top(partial(self.offer_fresh, scene))
        self._watch_the_clock()

    def offer_fresh(self, scene: Scene) -> None:
        name = scene.refusing
        if name != self.scene.refusing or scene.match_number != self.scene.match_number:
            return

        def answered(yes: bool) -> None:
            if yes:
                self.services.machines.refresh(name)
            self.session.come_back(paused=not yes)

        question = f"The first box of {name} is empty, so {name} refuses to play. Give it fresh beads?"
        open_screen(self.app, Question(question), answered, self.session.come_back)

    def _light_up(self) -> None:
        if self.services.settings.animated:
            frames = (board.end_frames() for board in self.table.boards)
            moments = list(zip_longest(*frames, fillvalue=EndFrame()))
            if moments:
                self._lights.begin(moments, END_SECONDS / len(moments))
                self._show_frame()

    def _show_frame(self) -> None:
        self._show_boards()
        self.show_status()

    def _put_out(self) -> None:
        if self._lights.end():
            self._show_frame()

    def takes(self, event: events.Event) -> bool:
        if isinstance(event, events.Key | events.MouseDown | events.Paste) and self.alive:
            self._put_out()
            if self.box.hurry():
                # Show the position first, because the key may play a move in it.
                self.show()
        if isinstance(event, events.Key):
            if event.key in ENTER and event.time < self._takes_enter:
                return True
            # Any other key shows that the player knows the board.
            self._takes_enter = self.arcade.entered = 0.0
        if isinstance(event, events.Key) and event.key in GO_ON and self.story and not self.too_small:
            self.action_go_on()
            return True
        return super().takes(event)

    def _watch_the_clock(self) -> None:
        if self.session.busy and self._clock is None:
            pace = self.services.settings.pace(0.5 if self.race else 1.0)
            self._clock = self.set_interval(pace, self._tick)

    def _tick(self) -> None:
        if not self.session.busy and self._clock is not None:
            self._clock.stop()
            self._clock = None
        self.session.publish()

    def _show_boards(self) -> None:
        scene = replace(self.scene, boards=self.scene.drawn_boards)
        if self._lights.left:
            lit = zip(scene.boards, self._lights.left[0], strict=True)
            scene = replace(
                scene, boards=tuple(replace(board, squares=frame.squares) for board, frame in lit)
            )
        self.table.show(scene)

    def show(self) -> None:
        if not self.alive:
            return
        if self.box.picking:
            self.show_status()
            return
        self.refresh_bindings()
        self.show_verdict()
        self._show_boards()
        self.query_one(SeatsPanel).show(self.scene.players, one_line=self.has_class("-narrow"))
        self.show_hint()
        for rows in self.query(PlyRows):
            rows.show(self.scene, self.services.settings.marks)
        offered = self.query_one("#rooms", Shortcuts)
        reviewed = self.scene.finished and not self.scene.over
        offered.display = self.refusal("boxes") is None and not self.story and not reviewed
        if offered.display:
            offered.show(*self._words(ROOMS))
        roomy = not self.has_class("-low") or self.needs_compact_help or self.story or self.box.large
        self.box.show_scene(self.scene, self.has_class("-hinting") and not roomy)
        self.show_extra()
        self.show_status()
        self.show_title()

    @property
    def newcomer(self) -> bool:
        plays = any(player.human for player in self.scene.players)
        return plays and not self.scene.finished and not self.services.has_seen(self.match.game.name)

    @property
    def welcomed(self) -> bool:
        return self._rules_asked or (self.newcomer and self.scene.hint is None)

    @property
    def story(self) -> Sequence[str]:
        game = self.match.game
        told = not self.newcomer or self.scene.shown or self.services.has_seen(f"{game.name}:story")
        return () if told else game.teaching.story[self._told :]

    def action_go_on(self) -> None:
        self._told += 1
        if self.story:
            self.show_hint()
        else:
            self._end_story()

    def _end_story(self) -> None:
        self.services.has_played(f"{self.match.game.name}:story")
        self.session.resume()

    @property
    def needs_compact_help(self) -> bool:
        if not self.welcomed or not self.has_class("-low"):
            return False
        machine, hand = any(player.machine for player in self.scene.players), self.HAND is not None
        if self.has_class("-narrow"):
            return machine or hand
        return machine if self.size.height >= SHARED_LINES else hand

    def show_hint(self) -> None:
        hint, panel = self.scene.hint, self.query_one(HintPanel)
        self.set_class(self.needs_compact_help, "-crowded")
        self.set_class(bool(self.story), "-story")
        game = self.match.game
        if self.story:
            panel.tell(
                self.story[0], len(game.teaching.story) - len(self.story) + 1, len(game.teaching.story)
            )
        elif self.welcomed:
            panel.welcome(
                game.teaching.goal or game.summary,
                "" if self.needs_compact_help else game.teaching.picture,
                self.board.how,
            )
        else:
            walk = WALK
            if hint is not None and not hint.walked:
                walk = (("forward", f"to see the {hint.line_title.lower()}"),)
            panel.show(hint, self._words(walk))
        hinting = hint is not None or self.welcomed
        covered = self.welcomed and self.has_class("-projector")
        self.query_one("#hint-scroll").display = hinting and not covered
        self.set_class(hinting, "-hinting")

    def show_verdict(self) -> None:
        scene = self.scene
        verdict = scene.verdict
        if isinstance(verdict, EndScene) and not self.has_class("-ended"):
            self._rest()
        self.set_class(isinstance(verdict, EndScene), "-ended")
        self.set_class(isinstance(verdict, EndScene | QuestionScene) and not scene.watched, "-card")
        quiet = isinstance(verdict, CoachScene) and not (verdict.mistake or verdict.returned_mistake)
        self.set_class(quiet, "-quiet")
        self.set_class(
            isinstance(verdict, CoachScene) and bool(verdict.mistake) and not scene.hint, "-faulted"
        )
        offers = self._words(verdict.offers) if isinstance(verdict, EndScene) else ()
        more = iter([self.keys.label("commands")])
        others = [offer._replace(key=offer.key or next(more, "")) for offer in offers[1:]]
        shortcuts = [*(offer._replace(key="Enter") for offer in offers[:1]), *others]
        if isinstance(verdict, QuestionScene):
            shortcuts = [*self._words(scene.offers)]
        self.query_one(VerdictPanel).show(scene, self.source_shown, shortcuts)

    @property
    def heading(self) -> str:
        return self.scene.title

    def result_text(self) -> str:
        """Return the result as text to copy, or "" to copy the match instead."""
        return chat_text(self.match) if isinstance(self.scene.verdict, EndScene) else ""

    def show_title(self) -> None:
        self.query_one(TitleBar).show(self.heading, self.scene.progress, self.services.compiler.status)

    def show_status(self) -> None:
        scene, table = self.scene, self.table
        playable = scene.move_refusal is None
        shown_elsewhere = self.story or isinstance(scene.verdict, QuestionScene)
        if (not scene.offers and scene.status) or shown_elsewhere:
            words: tuple[Shortcut, ...] = ()
        elif isinstance(table, RaceTable) and playable and scene.main != scene.active:
            words = (table.to_board(scene.active),)
        else:
            words = self._words(scene.offers)
        told = [shortcut_line(*words)] if words else []
        if not words or (self.board.pointed is not None and playable):
            told.insert(0, Content(self.status()))
        if self._lights.left:
            counted = self._lights.left[0][scene.main].words
            told = [Content(counted)] if counted else told
        self.query_one("#status", Shortcuts).update(Content("\n").join(told), layout=False)

    def _words(self, offers: Offers) -> tuple[Shortcut, ...]:
        return tuple(
            match_shortcut(self.keys, name, word) for name, word in offers if self.refusal(name) is None
        )

    def status(self) -> str:
        scene = self.scene
        if self.story:
            return ""
        if self.box.picking:
            latest = next(move for move in scene.moves if move.latest)
            return f"{scene.players[latest.column].side} picks a bead."
        if scene.status:
            return scene.status
        pointed = self.board.pointed
        if pointed is None:
            return "" if self.welcomed else self.board.prompt()
        values = self._value_words(self.board.view, pointed)
        return self.board.pointed_words(pointed, self.match.words(pointed), *values)

    def _value_words(self, board: BoardScene, move: Any) -> list[str]:
        if move not in board.verdicts:
            return []
        verdict, after = board.verdicts[move].verdict, board.position.play(move)
        words = [self.glyphs.verdict(verdict)]
        if verdict.value is not None and after.outcome() is None:
            rule = self.match.game.explanations.reasons.first_match(after, verdict.value.reversed)
            words += [f"rule: {rule[0].name}"] if rule else []
        return words

    def redraw(self) -> None:
        self.session.apply_coach_setting()
        self.show()

    def on_board_play(self, message: Board.Play) -> None:
        scene, board = self.scene, message.board.view
        if self.story:
            self.action_go_on()
        elif message.position != board.position:
            return
        elif scene.still is not None or (scene.hint is not None and scene.hint.walked):
            self.session.do("put_away")
        elif not board.playable:
            self.notify(scene.move_refusal or NOT_YOUR_TURN, severity="warning")
        elif message.move is not None:
            self._rules_asked = False
            self.services.has_played(self.match.game.name)
            self.session.play(message.move)

    def on_board_pointed(self) -> None:
        self.show_status()
        self.show_extra()

    def on_ply_rows_jump(self, message: PlyRows.Jump) -> None:
        self.session.go_to(message.plies, message.tried)
        self.board.focus()

    def _rest(self) -> None:
        self._rests_until = time.monotonic() + ENTER_REST

    async def action_take_offer(self) -> None:
        rests = time.monotonic() < self._rests_until
        self._rest()
        end = self.scene.verdict
        if not rests and isinstance(end, EndScene):
            self._takes_enter = Message().time + ENTER_REST
            await self.action_act(end.offers[0][0])

    def action_watch(self) -> None:
        match = self.match
        self.post_message(OpenMatch(watched_match(self.services, match.game, match.parameters)))

    def refusal(self, action: str) -> str | None:
        if action == "graph" and self.has_class("-tall"):
            return ""
        if action in self.OFFERS:
            return None
        if action == "take_offer":
            # If the cursor is on a move, Enter tries it out instead.
            return None if isinstance(self.scene.verdict, EndScene) and not self.board.pointing else ""
        if action == "put_away" and (self.newcomer or self._rules_asked):
            return None
        if self.story and action in ("hint", "rules", "pause", "projector"):
            return ""
        return self.scene.refusals.get(action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        refusal = self.refusal(name_of(action, parameters)) if self.alive else None
        # Actions of the player's turn stay in the footer.
        return None if refusal == NOT_YOUR_TURN else refusal is None

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.show)

    def action_leave(self) -> None:
        self.session.stop()
        self.services.remember(in_play="")
        super().action_leave()

    def commands(self) -> Iterable[SystemCommand]:
        places = {ACTIONS[name].word: place for place, name in enumerate(self.scene.suggested_actions)}
        return sorted(super().commands(), key=lambda command: places.get(command.title, len(places)))

    async def action_act(self, name: str) -> None:
        match name:
            case "new":
                self.post_message(ChooseMatch(self.match.game, self.match))
            case "graph":
                self.toggle_class("-graph")
            case "lesson":
                self.post_message(OpenTeaching(self.match))
            case "boxes":
                self.open_boxes()
            case "laboratory":
                self.open_laboratory()
            case "seats":
                self.change_seats()
            case "coach":
                self.change_coach()
            case "review" | "punishment":
                self.session.do(name)
                self.board.focus()
            case "source":
                self.source_shown = not self.source_shown
                self.show_verdict()
            case "other_board":
                self.look_at_other_board()
            case "projector":
                await self.turn_projector()
            case "type":
                self.type_move()
            case "copy":
                self.copy_match()
            case "write":
                self.write_match()
            case "resign":
                self.resign()
            case "put_away":
                self.put_away()
            case "rules":
                self.turn_rules()
            case "hint":
                self._rules_asked = False
                self.session.do(name)
            case "prove":
                self.prove_again()
            case _:
                self.session.do(name)

    def open_boxes(self) -> None:
        self.session.leave()
        self.box.open_boxes(self.match.game.name, self.scene, self.session.come_back)

    def open_laboratory(self) -> None:
        self.session.leave()
        self.box.open_laboratory(self.match.game.name, self.scene, self.session.come_back)

    def on_machine_panel_opened(self) -> None:
        self.open_boxes()

    def on_machine_panel_picked(self) -> None:
        self.show()

    def change_seats(self) -> None:
        self.open(SeatsDialog(self.match, self.services.machines), self.session.set_players)

    def change_coach(self) -> None:
        coach = next_of(list(Coach), self.services.settings.coach, 1)
        self.arcade.change("coach", coach.value)
        self.notify(f"The coach {coach.summary}.")

    def look_at_other_board(self) -> None:
        assert isinstance(self.table, RaceTable)
        self.session.look_at(self.table.other)

    def on_race_table_look_at(self, message: RaceTable.LookAt) -> None:
        self.session.look_at(message.seat)

    async def turn_projector(self) -> None:
        if not self.query("#curve"):
            await self.query_one("#side").mount(self.box.curve())
        self.box.large = not self.box.large
        self.set_class(self.box.large, "-projector")
        self.call_after_refresh(self.show)

    def type_move(self) -> None:
        game, session, position = self.match.game, self.session, self.session.branch

        def check(text: str) -> None:
            position.play(game.parse_move(text, position))

        def typed(text: str) -> None:
            # An engine may have moved while the dialog was open.
            if session.branch == position:
                self.post_message(Board.Play(self.board, game.parse_move(text, position)))

        moves = position.moves()
        self.open(Prompt("Your move", f"for example {moves[len(moves) // 2]}", check), typed)

    def copy_match(self) -> None:
        result = self.result_text()
        if result:
            self.copy(result, "Result copied. Paste it into a chat.")
            return
        # The text shows neither a variation nor an earlier position.
        drawing = str(self.match.last_position(self.scene.main)).replace("}", ")")
        text = f"{match_file.write(self.match.record())}\n{{\n{drawing}\n}}\n"
        self.copy(text, "Match copied as text.")

    def write_match(self) -> None:
        def write(text: str) -> None:
            written = match_file.write(self.match.record())
            self.notify(self.save_or_download("the match", written, match_file.with_ending(text)))

        self.open(Prompt("Write the match to a file", "for example mine.match", write))

    def resign(self) -> None:
        confirm(self, "Resign this match?", lambda: self.session.do("resign"))

    def turn_rules(self) -> None:
        if self.welcomed:
            self.put_away()
        else:
            self._rules_asked = True
            self.show()

    def put_away(self) -> None:
        if self._rules_asked:
            self._rules_asked = False
            self.show()
        elif "put_away" not in self.scene.refusals:
            self.session.do("put_away")
        elif self.story:
            self._end_story()
        else:
            # A player who closes the introduction knows how to play.
            self.services.has_played(self.match.game.name)
            self.show()

    def prove_again(self) -> None:
        session, match = self.session, self.match
        position = session.branch
        place = f"{match.title}, move {len(match.plies) + len(session.state.tried)}"

        def told(text: str) -> None:
            here = self.match is match and session.branch == position
            self.notify(text if here else f"{place}: {text}")

        if self.promise(GROUP, f"Verifying the verdict. This takes up to {SECONDS:.0f} seconds."):
            session.note_reveal()
            prove(self.jobs, match.game, position, told)


def _place(scene: Scene) -> tuple[Any, ...]:
    return (
        scene.match_number,
        scene.shown,
        tuple(move.text for move in scene.moves),
        tuple(board.position for board in scene.boards),
    )
