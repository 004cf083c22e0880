"""What keys mean, how many a match needs, and keys of a person's own."""

import importlib
import pkgutil
import re
import tomllib
from pathlib import Path

import pytest
from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode
from textual.widgets import OptionList

import arcade
from arcade.engines.files import data_folder
from arcade.engines.registry import installed_games
from arcade.play.jobs import Notice
from arcade.play.keymap import (
    DEFAULT_KEYS,
    FIXED,
    FORMER,
    KEYLESS,
    KEYS,
    checked,
    default_key,
    read_keys,
    with_own,
)
from arcade.play.keys import Keys, written
from arcade.screens import menu
from arcade.screens.base import ArcadeScreen
from arcade.screens.dialogs import HelpScreen, NewMatchDialog, Prompt, Question
from arcade.screens.games import screen_class
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen, RecentMatches
from arcade.services import Services
from arcade.store.settings import SETTINGS_FILE
from arcade.widgets.keys import KeyFooter, TitleBar
from tests.screens.pilots import (
    app_of,
    app_with,
    at_rest,
    match_of,
    painted,
    play_next,
    pressed,
    reached,
    running,
    said,
    top_screen,
)
from tests.screens.starts import hand, key_event, until
from tests.shell import Shell

PAGE = Path(__file__).parents[2] / "docs" / "playing.md"


def classes() -> list[type[DOMNode]]:
    """The app, and all screens, dialogs and widgets."""
    for module in pkgutil.walk_packages(arcade.__path__, "arcade."):
        if module.name.split(".")[1] in ("app", "screens", "widgets"):
            importlib.import_module(module.name)
    found, new = set(), [DOMNode]
    while new:
        new = [each for base in new for each in base.__subclasses__() if each not in found]
        found.update(new)
    return [each for each in found if each.__module__.startswith("arcade.")]


def own_bindings(of: type[DOMNode]) -> list[Binding]:
    return [binding for _, binding in BindingsMap(vars(of).get("BINDINGS", ()))]


def meanings(of: list[type[DOMNode]]) -> dict[str, set[str]]:
    """What each key means: the name in `KEYS` that its bindings have, or that of a fixed key.

    The y and n of a question are letters of its answers.
    """
    fixed = {key: name for name, those in FIXED.items() for key in those.split(",")}
    found: dict[str, set[str]] = {}
    for each in of:
        for binding in own_bindings(each):
            if each is Question and not binding.id:
                continue
            meant = binding.id or fixed.get(binding.key, f"{each.__name__}: {binding.action}")
            found.setdefault(binding.key, set()).add(meant)
    for key, name in fixed.items():
        found.setdefault(key, set()).add(name)
    return found


def test_key_has_one_meaning_on_all_screens() -> None:
    found = meanings(classes())
    assert {key: names for key, names in found.items() if len(names) > 1} == {}
    assert set().union(*found.values()) == KEYS.keys() | FIXED.keys()


def test_check_detects_a_second_meaning_of_a_key() -> None:
    class Other(DOMNode, inherit_bindings=False):
        BINDINGS = [Binding("n", "next", "Next"), Binding("u", "up", id="search")]  # noqa: RUF012

    found = meanings([*classes(), Other])
    assert found["n"] == {"new", "Other: next"}
    assert found["u"] == {"undo", "search"}


def test_action_has_the_same_keys_on_every_screen() -> None:
    for each in classes():
        for name in {binding.id for binding in own_bindings(each) if binding.id}:
            bound = {binding.key for binding in own_bindings(each) if binding.id == name}
            assert bound == set(default_key(name).split(",")), each


def keyed(of: type[DOMNode]) -> set[str]:
    """The meanings of the keys of a class and its bases, but for the fixed ones."""
    bindings = of._merged_bindings or ()
    names = {binding.id for _, binding in bindings if binding.id}
    return {name for name in names - FIXED.keys() if DEFAULT_KEYS.of(name)}


MAX_KEYS = 15
"""As many as a person can learn."""


def test_match_screen_adds_few_keys() -> None:
    for game in installed_games():
        assert len(keyed(screen_class(game.name)) - keyed(ArcadeScreen)) <= MAX_KEYS, game.name


def test_documented_key_table_matches_the_match_keys() -> None:
    table = PAGE.read_text("utf-8").partition("| key | action |")[2].partition("\n\n")[0]
    named = {key for row in table.splitlines() if row for key in re.findall("`([^`]+)`", row.split("|")[1])}
    assert named - {"hjkl", "WASD"} == {
        written(KEYS[name].keys)[0] for name in keyed(screen_class("chocobar"))
    }


def test_help_names_only_actions_with_a_key() -> None:
    text = Path(arcade.__file__).parent.joinpath("screens", "help.md").read_text("utf-8")
    for name in set(re.findall(r"\{(\w+)\}", text)) - {"win", "loss", "tie", "only", "threw"}:
        assert KEYS[name].keys, name
    assert not re.findall(r"\*\*[a-zA-Z.,]\*\*", text)


async def test_quit_key_in_menu_asks_once_and_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_with()) as (app, pilot):
        # One of long ago does not count.
        with monkeypatch.context() as context:
            context.setattr(menu, "LEAVE_SECONDS", 0.0)
            await pressed(pilot, "q", "q")
            assert app.is_running
            assert not app._exit
        app.clear_notifications()
        await pressed(pilot, "right", "q")
        assert said(app) == "Press q again to quit."
        await pressed(pilot, "right", "q")
        assert isinstance(app.screen, MenuScreen)
        assert app.is_running
        hand(app, key_event("q"))
        await until(pilot, lambda: not app.is_running)


@pytest.mark.slow
@pytest.mark.usefixtures("instant", "instant_race")
async def test_command_list_begins_with_suggestions_without_duplicates() -> None:
    async with at_rest(app_of("chocobar:3x4")) as (app, pilot):
        # It begins with what fits the moment.
        await pressed(pilot, "colon", until=lambda: len(app.screen.query_one(OptionList).options) > 3)
        first = app.screen.query_one(OptionList).options
        assert [str(each.prompt).partition("\n")[0] for each in first[:2]] == ["Hint", "Values"]
        await pressed(pilot, "escape", "command:resign", "y")
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert titles[:2] == ["Again", "Other side"]

        # It names each once.
        for text in ("honshu:5x3", "hexapawn:3x3", "tetromino:4x5", "menace"):
            await play_next(pilot, match_of(text, *["human"] * (1 if text.startswith("honshu") else 2)))
            titles = [command.title for command in app.get_system_commands(app.screen)]
            assert len(titles) == len(set(titles)), text


NAMES = (
    "help commands leave open new pause stop undo back forward hint values review copy faster slower "
    "search export wall delete again rotate rotate_back flip redo graph seats coach other_side lesson "
    "source prove other_board projector laboratory open_match type write resign restart replay boxes edit "
    "dead_cells best_map puzzles learn records settings tournament machine only_game "
    "only_result only_unaided turn fill clear more_rows fewer_rows more_columns fewer_columns misere "
    "capture watch"
)
"""What a settings file may name: files of players have these names, so none may go, except to `FORMER`."""


def test_settings_file_accepts_all_earlier_action_names() -> None:
    for name in NAMES.split():
        assert checked({name: "F5"}, "here") == ({name: "f5"}, [])


def test_removed_action_name_in_settings_is_ignored_silently() -> None:
    for name in FORMER:
        assert checked({name: "F5"}, "here") == ({}, [])


def choose(text: str) -> Path:
    path = data_folder() / SETTINGS_FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


async def test_custom_keys_work_and_are_shown() -> None:
    # Two change places, one is new, and one has none otherwise.
    choose('[keys]\nundo = "v"\nvalues = "u"\nhint = "z,F5"\nresign = "X"\n')
    async with at_rest(app_of("chocobar:3x4")) as (app, pilot):
        screen = top_screen(app, MatchScreen)
        footer = {entry.description: entry.shown for entry in screen.query_one(KeyFooter).entries}
        assert (footer["Values"], footer["Hint"]) == ("u", "z")
        await pressed(pilot, "z", until=lambda: "z show the move" in str(screen.query_one("#hint").render()))
        await pressed(pilot, "f5", until=lambda: screen.session.state.hint_step == 2)
        await pressed(pilot, "i")
        assert screen.session.state.hint_step == 2
        await pressed(pilot, "X", "y", until=lambda: screen.match.result is not None)
        await pressed(pilot, "v", until=lambda: screen.match.result is None)
        help = await reached(pilot, HelpScreen, "question_mark")
        assert ("u", "Show the value of every move, then how many moves each takes") in help.rows


@pytest.mark.slow
async def test_custom_keys_appear_in_titles_and_move_instructions() -> None:
    choose('[keys]\nrotate = "R"\nflip = "t"\nsearch = "z"\ncommands = "C"\n')
    async with at_rest(app_with()) as (app, pilot):
        assert str(app.screen.query_one(TitleBar).render()).endswith("  C more")
        assert "]z history[" in str(app.screen.query_one(RecentMatches).border_subtitle)
        await play_next(pilot, match_of("tetromino:4x4"))
        assert all(words in painted(app) for words in ("R rotate", "t flip"))
        await play_next(pilot, match_of("honshu:5x3", "human"))
        assert "R turn" in painted(app)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('undoo = "z"', "undoo: unknown name. Did you mean 'undo'?"),
        ('up = "t"', "up: the keys of 'up' cannot be changed."),
        ('undo = "z"\nhint = "z"', "hint: 'z' is already a key of 'undo'."),
        ('undo = "k"', "undo: 'k' is already a key of 'up'."),
        ('undo = "esc"', "undo: 'Esc' is already a key of 'put_away'."),
        ('undo = "escape"', "undo: 'Esc' is already a key of 'put_away'."),
        ("undo = 3", 'undo: expected a key in quotes, such as "x", found 3.'),
        ('undo = ""', "undo: expected a key in quotes"),
        ('undo = "ctrl+q"', "undo: 'ctrl+q' cannot be used"),
        ('undo = "ß"', "undo: 'ß' cannot be used"),
        ('undo = "z,"', "undo: '' cannot be used"),
        ("undo = [", "Cannot read "),
        ("a = " + "[" * 100_000, "Cannot read "),
        ('undo = "z"\nundo = "Z"', "Cannot read "),
        ("[theme]", "expected only the table [keys], found 'theme'."),
    ],
)
def test_invalid_binding_is_reported_and_ignored(text: str, sentence: str) -> None:
    path = choose(f"[keys]\n{text}\n")
    used, wrong = read_keys(data_folder())
    assert [sentence in each and str(path) in each for each in wrong] == [True]
    assert used in (DEFAULT_KEYS, with_own({"undo": "z"}))
    assert path.read_text("utf-8") == f"[keys]\n{text}\n"


def started() -> tuple[Keys, list[str]]:
    """The keys in use and what is told when the arcade starts."""
    services, told = Services(warm=False), list[Notice]()
    services.listen(told.append)
    services.close()
    return services.keys, [each.text for each in told]


async def test_default_keys_work_after_a_reported_error() -> None:
    # A key that is taken, one that cannot be chosen, and a file that cannot be read.
    for text in ('undo = "k"', 'undo = ""', "undo = ["):
        path = choose(f"[keys]\n{text}\n")
        (wrong,) = read_keys(data_folder())[1]
        assert started() == (DEFAULT_KEYS, [wrong])
        assert path.read_text("utf-8") == f"[keys]\n{text}\n"
    async with running(app_with()) as (app, pilot):
        assert wrong in said(app)
        await reached(pilot, NewMatchDialog, "n")


@pytest.mark.parametrize(
    ("given", "keys", "shown"),
    [
        (",", "comma", ","),
        ("comma,f2", "comma,f2", "comma,f2"),
        ("F2,;", "f2,semicolon", "f2,;"),
    ],
)
def test_written_keys_are_read_back(given: str, keys: str, shown: str) -> None:
    assert checked({"back": given}, "here") == ({"back": keys}, [])
    assert written(keys) == shown
    assert checked({"back": shown}, "here") == ({"back": keys}, [])


def test_invalid_binding_does_not_affect_others() -> None:
    chosen, wrong = checked({"new": "u", "undo": "k", "hint": "z", "copy": "u"}, "here")
    assert chosen == {"new": "u", "hint": "z"}
    assert [each.partition(":")[0] for each in wrong] == ["here, undo", "here, copy"]


def test_custom_key_is_taken_from_its_default_action() -> None:
    keys = with_own({"type": "u", "graph": "plus"})
    found = {name: keys.table[name] for name in ("type", "undo", "graph", "faster")}
    assert found == {"type": "u", "undo": "", "graph": "plus", "faster": "equals_sign"}
    # What has no key any more is named by its place in the list of commands.
    assert [keys.named(name) for name in ("type", "undo", "faster")] == ["u", ":undo", "="]
    assert with_own({"type": "colon"}).named("commands") == "Ctrl+P commands"
    assert with_own({"undo": "v", "values": "u"}).of("undo") == ["v"]


async def test_custom_key_overrides_default_keys_of_board_and_screen() -> None:
    choose('[keys]\ntype = "e"\nresign = "n"\n')
    assert read_keys(data_folder())[1] == []
    async with at_rest(app_with()) as (_, pilot):
        # Otherwise the board rotates its piece with e.
        screen = await play_next(pilot, match_of("tetromino:4x4"))
        assert screen.board.has_focus
        footer = [entry.description for entry in screen.query_one(KeyFooter).entries]
        assert "Hint" in footer
        assert "New" not in footer
        await reached(pilot, Prompt, "e")
        await reached(pilot, MatchScreen, "escape")
        await reached(pilot, Question, "n")
        await reached(pilot, MatchScreen, "escape")
        # What lost its key is still in the list of commands.
        commands = {command.title: command.help for command in screen.commands()}
        assert commands["New"] == "New match: board, players, level"
        await reached(pilot, NewMatchDialog, f"{KEYLESS}new")


def test_malformed_settings_file_is_refused() -> None:
    path = choose("")
    path.write_bytes(b"\xff")
    assert "is not UTF-8 text" in read_keys(data_folder())[1][0]
    choose("keys = 3")
    assert "expected a table [keys], found keys = 3." in read_keys(data_folder())[1][0]


def test_keys_command_prints_a_settings_file(shell: Shell) -> None:
    choose('[keys]\nundo = "z"\n')
    told = tomllib.loads(shell("keys")[0])["keys"]
    assert told["undo"] == "z"
    assert checked(told, "here")[1] == []
    assert told.keys() == {name for name, key in KEYS.items() if key.keys}
    choose('[keys]\nundo = "n"\n')
    assert "new" not in tomllib.loads(shell("keys")[0])["keys"]
    choose('[keys]\nundo = "n"\nhint = "n"\n')
    assert "'n' is already a key of 'undo'" in shell("keys", code=2)[1]


def test_many_errors_are_reported_in_one_sentence() -> None:
    choose('[keys]\nundoo = "z"\nhint = "k"\n')
    _, (told,) = started()
    assert "undoo" in told
    assert "Run arcade keys to see 1 more." in told
