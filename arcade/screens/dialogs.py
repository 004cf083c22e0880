"""Questions, new matches, players, settings and help."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.table import Table
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static

from arcade.engines.game import Game
from arcade.engines.parameters import Parameter, Parameters, ParameterValue
from arcade.engines.reference_methods import HISTORY
from arcade.engines.registry import AnyGame, GameID, random_seed
from arcade.engines.seats import current_notation, is_guest, parse_player, player_kinds
from arcade.engines.wording import capitalize
from arcade.matches import last_players
from arcade.play.keymap import KEYLESS, default_key
from arcade.play.match import HUMAN, Match, check_seat, min_players, new_match
from arcade.play.path import LADDER
from arcade.screens.base import ArcadeScreen, BaseScreen, Dialog, help_sections, reporting
from arcade.store.record import Coach
from arcade.store.settings import SWITCHES
from arcade.textual_fixes import Result
from arcade.widgets.forms import OFF, ON, Choice, Line, NumberField, Row

if TYPE_CHECKING:
    from arcade.play.machines import Machines


Check = Callable[[str], object]


class Form(Dialog[Result]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "accept", "Accept", show=False),
    ]

    heading = ""
    ACCEPT: ClassVar[str] = "OK"
    BUTTONS: ClassVar[Sequence[str]] = ()
    """Labels of further buttons. Each button runs the action whose name is its label in lower case."""
    BOX: ClassVar[str] = "dialog"

    @property
    def subject(self) -> object:
        return self.heading

    @abstractmethod
    def fields(self) -> ComposeResult: ...

    @abstractmethod
    def read(self) -> Result | None:
        """Return the result. Raises ValueError for input that the player can correct."""

    def compose(self) -> ComposeResult:
        with Vertical(classes=self.BOX):
            yield Label(self.heading, classes="heading", markup=False)
            yield from self.fields()
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button(self.ACCEPT, variant="primary", id="ok", action="screen.accept")
                for word in self.BUTTONS:
                    yield Button(word, id=word.lower(), action=f"screen.{word.lower()}")
                yield Button("Cancel", id="cancel", action="screen.close")

    @on(Input.Submitted)
    def action_accept(self) -> None:
        self.accept(self.read)

    def accept(self, read: Callable[[], Result | None]) -> None:
        try:
            result = read()
        except ValueError as error:
            self.query_one(".error", Static).update(str(error))
            self.query_one(".dialog").add_class("-wrong")
            return
        self.dismiss(result)


class Prompt(Form[str]):
    """A dialog for a line of text. `check` raises ValueError to reject the text."""

    BOX = "dialog -small"

    def __init__(self, question: str, placeholder: str = "", check: Check | None = None) -> None:
        super().__init__()
        self.heading = question
        self.placeholder = placeholder
        self.check = check

    def fields(self) -> ComposeResult:
        yield Line(placeholder=self.placeholder)

    def read(self) -> str | None:
        text = self.query_one(Input).value.strip()
        if text and self.check is not None:
            self.query_one(Input).focus()
            self.check(text)
        return text or None


class Question(Dialog[bool]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n", "answer(False)", "No"),
        Binding(default_key("leave"), "answer(False)", "No", show=False, id="leave"),
        Binding("left,right,h,l", "app.focus_next", show=False),
    ]

    # An Enter meant for something else must not confirm.
    AUTO_FOCUS = "#no"

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    @property
    def subject(self) -> object:
        return self.question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog -small"):
            yield Label(self.question, classes="heading", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Yes", id="yes", action="screen.answer(True)")
                yield Button("No", variant="primary", id="no", action="screen.answer(False)")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


def confirm(screen: BaseScreen[Any], question: str, agreed: Callable[[], object]) -> None:
    screen.open(Question(question), lambda yes: agreed() if yes else None)


CUSTOM = "custom"


class GameFields(Vertical):
    """Fields for the board: a list of presets, and the parameters if *Custom size* is chosen.

    If `seeded` is set and the first position is random, there is a field for the seed.
    """

    DEFAULT_CSS = """
    GameFields { height: auto; }
    GameFields.-listed Row.detail { display: none; }
    """

    def __init__(self, game: AnyGame, values: Parameters, seeded: bool = True) -> None:
        super().__init__()
        self.game = game
        self.values: dict[str, ParameterValue] = dict(values)
        self.seeded = seeded and game.parameters.seeded
        self.boards: dict[str, str] = {}
        if game.parameters.presets and game.parameters:
            here = game.parameters.text(values)
            presets = {preset.parameters: preset.title for preset in game.parameters.presets}
            self.boards = {here: here} | presets

    def compose(self) -> ComposeResult:
        if self.boards:
            options = [(title, parameters) for parameters, title in self.boards.items()]
            here = self.game.parameters.text(self.values)
            yield Row("Board", Choice([*options, ("Custom size", CUSTOM)], here, id="preset"))
            self.add_class("-listed")
        for row in self._rows():
            yield row.add_class("detail")

    @property
    def _files(self) -> tuple[Parameter, ...]:
        files = self.game.parameters.files
        return () if files is None else files.labels

    def _rows(self) -> Iterator[Row]:
        for parameter in self.game.parameters:
            yield Row(parameter.title, self._field(parameter), note=parameter.help)
        for file in self._files:
            field = Input(placeholder="none", compact=True, id=f"file-{file.name}", classes="file")
            yield Row(file.title, field, note=file.help)
        if self.seeded:
            seed = NumberField(placeholder="random", id="seed")
            yield Row("Seed", seed, note="the same seed gives the same match")

    def _field(self, parameter: Parameter) -> Input | Choice:
        value = self.values[parameter.name]
        id = f"parameter-{parameter.name}"
        if isinstance(value, bool):
            return Choice.switch(value, id=id)
        if parameter.choices:
            return Choice([(choice, choice) for choice in parameter.choices], str(value), id=id)
        return NumberField(value, id=id) if isinstance(value, int) else Input(value, compact=True, id=id)

    def read(self) -> dict[str, ParameterValue]:
        """Return the parameters. Raises InputError if a number is not whole."""
        read: dict[str, ParameterValue] = {}
        for parameter in self.game.parameters:
            field = self.query_one(f"#parameter-{parameter.name}")
            assert isinstance(field, Input | Select)
            if isinstance(field, NumberField):
                read[parameter.name] = field.read(parameter.title)
            else:
                switch = isinstance(parameter.default, bool)
                read[parameter.name] = field.value == ON if switch else str(field.value)
        return read

    @on(Select.Changed, "#preset")
    def preset_chosen(self, event: Select.Changed) -> None:
        self.set_class(event.value != CUSTOM, "-listed")
        if event.value == CUSTOM:
            return
        self.values = self.game.parameters.parse(str(event.value))
        for name, value in self.values.items():
            field = self.query_one(f"#parameter-{name}")
            assert isinstance(field, Input | Select)
            field.value = (ON if value else OFF) if isinstance(value, bool) else str(value)

    def start(self) -> GameID:
        """Return the game ID from the fields or a file. Raises InputError if it is not valid."""
        values = self.read()
        self.game.new(values)
        names = {file.name: self.query_one(f"#file-{file.name}", Input).value for file in self._files}
        if not any(names.values()):
            return GameID(self.game, values, None, self._seed())
        files = self.game.parameters.files
        assert files is not None
        return GameID.of(self.game, files.read(names, values))

    def _seed(self) -> int | None:
        if not self.seeded:
            return None
        seed = self.query_one("#seed", NumberField).number
        return random_seed() if seed is None else seed


NOBODY = "nobody"

MORE = "..."
"""Value of the menu entry that lists all players. No player can have this name."""


class SeatChoice(Row):
    """A field for one player. If `spare` is set, the seat may stay empty."""

    def __init__(self, game: AnyGame, seat: int, who: str, machines: Machines, spare: bool = False) -> None:
        side = "" if game.sides == Game.sides else f", {game.sides[seat]}"
        super().__init__(f"Player {seat + 1}{side}")
        self.machines = machines
        self.game = game
        self.seat = seat
        self.who = current_notation(game, who)
        self.spare = spare
        self.few = True

    def compose(self) -> ComposeResult:
        yield Choice(self._lines(), self.who.partition(":")[0])
        yield NumberField(digits=3, classes="level")
        yield Label(classes="note level")

    def _lines(self) -> list[tuple[str, str]]:
        name, _, _ = self.who.partition(":")
        every = player_kinds(self.game)
        kinds = [kind for kind in every if not self.few or kind.name in (*LADDER, name)] or every
        players = [(kind.title, kind.name, kind.summary) for kind in kinds]
        # These titles are long and must not widen the column.
        history = [line for line in players if line[2].startswith(HISTORY)]
        known = [("You", HUMAN, "At this keyboard."), *(line for line in players if line not in history)]
        if self.spare:
            known.append(("None", NOBODY, "No opponent."))
        guests: list[str] = []
        with reporting(self.app):
            guests = self.machines.names(self.game, self.seat)
        if name not in {who for _, who, _ in (*known, *history)}:
            guests = list(dict.fromkeys([*guests, name]))
        known.extend((guest, guest, "A matchbox machine.") for guest in guests)
        width = max(len(title) for title, _, _ in known)
        lines = [(f"{title:{width}}  {summary}", who) for title, who, summary in (*known, *history)]
        return lines if len(kinds) == len(every) else [*lines, ("More players ...", MORE)]

    def list_all(self) -> None:
        self.few = False
        choice = self.query_one(Choice)
        with self.prevent(Select.Changed):
            choice.set_options(self._lines())
            choice.value = self.who.partition(":")[0]
        # The list that contained this line still has to close.
        self.call_after_refresh(choice.action_show_overlay)

    def seat_player(self, who: str) -> None:
        self.who = who
        name, colon, argument = who.partition(":")
        choice = self.query_one(Choice)
        with self.prevent(Select.Changed):
            choice.set_options(self._lines())
            choice.value = name
        self._show_level()
        if colon:
            self.query_one(Input).value = argument

    def on_mount(self) -> None:
        self._show_level()
        _, colon, argument = self.who.partition(":")
        if colon:
            self.query_one(Input).value = argument

    def _show_level(self) -> None:
        name = str(self.query_one(Select).value)
        level = self.query_one(Input)
        argument = None
        if name not in (HUMAN, NOBODY) and not is_guest(self.game, name):
            argument = parse_player(self.game, name)[0].argument
        for part in self.query(".level"):
            part.display = argument is not None
        if argument is not None:
            level.value = str(argument.default)
            level.tooltip = f"{argument.title}, {argument.low} to {argument.high}: {argument.help}"
            self.query_one(".note", Label).update(f"{argument.low} to {argument.high}")

    @on(Select.Changed)
    def changed(self, event: Select.Changed) -> None:
        if event.value == MORE:
            event.stop()
            self.list_all()
        elif str(event.value) != self.who.partition(":")[0]:
            self.who = str(event.value)
            self._show_level()

    @property
    def chosen(self) -> str:
        name = str(self.query_one(Select).value)
        level = self.query_one(Input)
        return f"{name}:{level.value}" if level.display else name

    def check(self, parameters: Parameters) -> None:
        """Raise InputError if the level is out of range or an external player cannot take the seat."""
        if self.chosen != NOBODY:
            check_seat(self.game, parameters, self.seat, self.chosen, self.machines)


class SeatsForm(Form[Result]):
    BUTTONS = ("Swap",)

    def action_swap(self) -> None:
        choices = list(self.query(SeatChoice))
        for choice, who in zip(choices, [choice.chosen for choice in reversed(choices)], strict=True):
            choice.seat_player(who)

    def players(self, parameters: Parameters) -> list[str]:
        """Return the players in seat notation. Raises InputError if a player cannot take the seat."""
        choices = list(self.query(SeatChoice))
        for choice in choices:
            choice.check(parameters)
        return [choice.chosen for choice in choices if choice.chosen != NOBODY]


class SeatsDialog(SeatsForm[list[str]]):
    """A dialog for the players of a running match. A race keeps its boards, so no seat may become empty."""

    heading = "Who plays"

    def __init__(self, match: Match, machines: Machines) -> None:
        super().__init__()
        self.match = match
        self.machines = machines

    def fields(self) -> ComposeResult:
        for seat, who in enumerate(self.match.seats):
            yield SeatChoice(self.match.game, seat, who, self.machines)

    def read(self) -> list[str]:
        return self.players(self.match.parameters)


class NewMatchDialog(SeatsForm[Match]):
    ACCEPT = "Play"

    def __init__(self, game: AnyGame, like: Match | None = None) -> None:
        super().__init__()
        self.game = game
        self.values: dict[str, ParameterValue] = dict(like.parameters if like else game.parameters.parse(""))
        self.like = like
        self.heading = f"New match of {game.title}"

    def fields(self) -> ComposeResult:
        game, services = self.game, self.services
        seats = list(self.like.seats if self.like else last_players(services, game, self.values))
        alone = min_players(game) == 1
        if len(seats) == 1:
            seats.append(NOBODY)
        with VerticalScroll(classes="fields", can_focus=False):
            yield GameFields(game, self.values)
            for seat, who in enumerate(seats):
                yield SeatChoice(game, seat, who, services.machines, spare=alone)

    def on_mount(self) -> None:
        self.query_one("#ok").focus()
        self.seats_changed()

    @on(Select.Changed)
    def seats_changed(self) -> None:
        watched = HUMAN not in [choice.chosen for choice in self.query(SeatChoice)]
        self.query_one("#ok", Button).label = "Watch" if watched else self.ACCEPT

    def read(self) -> Match:
        start = self.query_one(GameFields).start()
        seats = self.players(start.parameters)
        return new_match(start, seats, self.services.machines, random_seed() if start.seed is None else None)


class SettingsScreen(Dialog[None]):
    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label("Settings", classes="heading")
            with VerticalScroll(classes="fields", can_focus=False):
                yield from self._rows()
            with Horizontal(classes="buttons"):
                yield Button("Close", variant="primary", action="screen.close")

    def _rows(self) -> ComposeResult:
        themes = [(name, name) for name in sorted(self.app.available_themes)]
        yield Row("Theme", Choice(themes, self.app.theme, id="theme"))
        for name, switch in SWITCHES.items():
            turned = Choice.switch(getattr(self.services.settings, name), id=name)
            yield Row(switch.title, turned, note=switch.help)
        coaches = [(capitalize(coach.summary), coach.value) for coach in Coach]
        yield Row("Coach", Choice(coaches, self.services.settings.coach.value, id="coach"))

    @on(Select.Changed)
    def chosen(self, event: Select.Changed) -> None:
        self.arcade.change(str(event.select.id), str(event.value))


UNNAMED = ("screen.copy_text", "command_palette")


class HelpScreen(Dialog[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("leave"), "close", "Close", id="leave"),
        Binding(default_key("help"), "close", "Close", id="help"),
        Binding("enter", "close", "Close"),
        Binding("down,j,s", "scroll(3)", "Down", show=False),
        Binding("up,k,w", "scroll(-3)", "Up", show=False),
    ]

    def __init__(self, screen: ArcadeScreen) -> None:
        super().__init__()
        self.rules = screen.help_rules()
        keys: dict[str, list[str]] = {}
        for active in screen.active_bindings.values():
            binding = active.binding
            keyed = not binding.key.startswith(KEYLESS)
            if active.enabled and keyed and binding.description and binding.action not in UNNAMED:
                words = binding.tooltip or binding.description
                keys.setdefault(words, []).append(screen.app.get_key_display(binding))
        self.rows = [(" ".join(dict.fromkeys(shown)), words) for words, shown in keys.items()]

    def compose(self) -> ComposeResult:
        from textual.widgets import Markdown  # loads markdown-it

        marks = {name: getattr(self.glyphs, name) for name in ("win", "loss", "tie", "only", "threw")}
        general = help_sections()["The arcade"].format(**marks, **self.keys.all_named)
        table = Table.grid(padding=(0, 2))
        for shown, words in self.rows:
            table.add_row(f"[bold]{shown}[/]", words)
        with Vertical(classes="dialog -large"), VerticalScroll(id="help"):
            yield Markdown(self.rules or general)
            yield Static("Keys that work here now", classes="heading")
            yield Static(table)
            if self.rules:
                yield Markdown(general)

    def action_scroll(self, lines: int) -> None:
        self.query_one("#help").scroll_relative(y=lines, animate=False)
