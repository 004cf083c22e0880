"""The history: all saved matches, to find, open, delete, export and import."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from arcade.engines.errors import InputError
from arcade.engines.files import read_text
from arcade.engines.registry import game_names
from arcade.listing import Ending, Filter, Listed, game_title, players, what
from arcade.screens.base import ArcadeScreen
from arcade.screens.prompt import Prompt, Question
from arcade.screens.requests import OpenSaved
from arcade.session.exchange import MOST_BYTES, import_matches, write
from arcade.session.jobs import Job, Jobs
from arcade.widgets.key_footer import KeyFooter
from arcade.widgets.key_words import KeyWord, KeyWords
from arcade.widgets.match_rows import MatchRows
from arcade.widgets.title_bar import TitleBar
from arcade.words import matches


class HistoryScreen(ArcadeScreen):
    """The list of all matches.

    Args:
        wanted: which matches to begin with.
    """

    CSS: ClassVar[str] = """
    HistoryScreen #search { margin: 0 1; background: $panel; display: none; }
    HistoryScreen #filters { padding: 0 1; }
    HistoryScreen.-searching #search { display: block; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,delete", "delete", "Delete", key_display="d", tooltip="Delete the match"),
        Binding("u", "restore", "Undo", tooltip="Bring back what was deleted last"),
        Binding("e", "export", "Export", tooltip="Write the listed matches to a file"),
        Binding("i", "import", "Import", tooltip="Read matches from a file"),
        Binding("g", "game", "Game", show=False, tooltip="Only matches of one game"),
        Binding("r", "ended", "Result", show=False, tooltip="Only matches that ended so"),
        Binding("w", "unaided", "Without help", show=False, tooltip="Only matches without help"),
        Binding("slash", "search", "Search", show=False, key_display="/", tooltip="Find matches by words"),
        Binding("escape", "all", "All", show=False, tooltip="Show all matches again, or leave"),
    ]

    def __init__(self, wanted: Filter | None = None) -> None:
        super().__init__()
        self.wanted = wanted or Filter()
        self.jobs = Jobs(self, self._failed)

    def compose(self) -> ComposeResult:
        """The filters, a field to search, and the list."""
        yield TitleBar()
        yield KeyWords(id="filters")
        yield Input(placeholder="words: game, size, players", compact=True, id="search")
        yield MatchRows()
        yield KeyFooter()

    def on_mount(self) -> None:
        """The keys go to the list."""
        self.rows.focus()

    def on_screen_resume(self) -> None:
        """The list may have changed, as after a match that was opened."""
        self.read()

    def redraw(self) -> None:
        """Other colours or characters."""
        self.rows.refresh()

    @property
    def rows(self) -> MatchRows:
        """The list."""
        return self.query_one(MatchRows)

    def read(self) -> None:
        """Read the list from the store."""
        if not self.is_mounted:
            return
        wanted, store = self.wanted, self.services.store
        count = 0

        def lines(offset: int, limit: int) -> list[Listed | None]:
            found: list[Listed | None] = []
            self._try(lambda: found.extend(store.listed(wanted, limit, offset)))
            return found

        def ask() -> None:
            nonlocal count
            count = store.count(wanted)

        self._try(ask)
        chosen = wanted != Filter()
        self.rows.show(count, lines, "There is no such match." if chosen else "No match is saved yet.")
        self._show_title()
        self.query_one("#filters", KeyWords).show(
            KeyWord("g", f"game: {game_title(wanted.game) if wanted.game else 'any'}", "game"),
            KeyWord("r", f"result: {wanted.ended or 'any'}", "ended"),
            KeyWord("w", f"help: {'none' if wanted.unaided else 'any'}", "unaided"),
            KeyWord("/", f"search: {wanted.text}" if wanted.text else "search", "search"),
            *([KeyWord("Esc", "all", "all")] if chosen else []),
        )

    def _show_title(self, busy: str = "") -> None:
        self.query_one(TitleBar).show("Your matches", matches(self.rows.count), busy)

    def _try(self, work: Callable[[], None]) -> bool:
        try:
            work()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return False
        return True

    def _choose(self, wanted: Filter) -> None:
        self.wanted = wanted
        self.rows.cursor = 0
        self.read()

    # Which matches.

    def action_game(self) -> None:
        """Only matches of the next game, at last of all again."""
        names = ["", *game_names()]
        at = names.index(self.wanted.game) if self.wanted.game in names else 0
        self._choose(replace(self.wanted, game=names[(at + 1) % len(names)]))

    def action_ended(self) -> None:
        """Only matches with the next result, at last all again."""
        results = [None, *Ending]
        at = results.index(self.wanted.ended)
        self._choose(replace(self.wanted, ended=results[(at + 1) % len(results)]))

    def action_unaided(self) -> None:
        """Only matches without help, or all."""
        self._choose(replace(self.wanted, unaided=not self.wanted.unaided))

    def action_search(self) -> None:
        """Type words to find."""
        self.add_class("-searching")
        self.query_one("#search", Input).focus()

    @on(Input.Changed, "#search")
    def searched(self, event: Input.Changed) -> None:
        """The list follows what is typed."""
        self._choose(replace(self.wanted, text=event.value.strip()))

    @on(Input.Submitted, "#search")
    def found(self) -> None:
        """The keys go to the list again."""
        self.rows.focus()

    def action_all(self) -> None:
        """Show all matches again; if all are shown, leave."""
        if self.wanted == Filter() and not self.has_class("-searching"):
            self.action_leave()
            return
        self.query_one("#search", Input).value = ""
        self.remove_class("-searching")
        self.rows.focus()
        self._choose(Filter())

    # What can be done with them.

    @on(MatchRows.Opened)
    def opened(self) -> None:
        """Open the match under the cursor; a finished one to review it."""
        listed = self.rows.chosen
        if listed is None:
            self.notify("This match is damaged and cannot be opened.", severity="warning")
            return
        id = listed.id
        self._try(lambda: self._open(id))

    def _open(self, id: int) -> None:
        self.post_message(OpenSaved(self.services.store.match(id)))

    def action_delete(self) -> None:
        """Delete the match under the cursor after a question."""
        listed = self.rows.chosen
        if listed is None:
            self.notify("There is no match here that can be deleted.")
            return
        id = listed.id

        def answered(yes: bool | None) -> None:
            if yes and self._try(lambda: self.services.store.delete_matches([id])):
                self.notify("The match is deleted. u brings it back.")
            self.read()

        self.open(Question(f"Delete {what(listed)} ({players(listed)})?"), answered)

    def action_restore(self) -> None:
        """Bring back what was deleted last."""

        def restore() -> None:
            count = self.services.store.restore_matches()
            back = "is" if count == 1 else "are"
            self.notify(f"{matches(count)} {back} back." if count else "Nothing is left to bring back.")

        self._try(restore)
        self.read()

    def _ask(self, question: str, example: str, work: Callable[[Job, str], str]) -> None:
        """Ask for a file, and do something with it in a job that ends with a sentence."""

        def typed(file: str | None) -> None:
            if file:
                self._show_title("working")
                self.jobs.start("file", lambda job: job.tell(self._done, work(job, file)))

        self.open(Prompt(question, example), typed)

    def _done(self, told: str) -> None:
        self.jobs.drop("file")
        self.notify(told)
        self.read()

    def _failed(self, error: BaseException) -> None:
        self.notify(
            str(error) if isinstance(error, InputError) else f"{error!r}", severity="error", timeout=10
        )
        self.read()

    def on_unmount(self) -> None:
        """Leave no work behind."""
        self.jobs.stop()

    def action_export(self) -> None:
        """Write the listed matches to a new file."""
        services, wanted = self.services, self.wanted

        def export(job: Job, file: str) -> str:
            with services.own_store() as store:
                found = store.matches(-1, wanted)
            return self.hand_over(matches(len(found)), write(found), file)

        self._ask(f"Write {matches(self.rows.count)} to which file?", "e.g. mine.match", export)

    def action_import(self) -> None:
        """Read matches from a file; all of them are saved, or none."""
        services = self.services

        def take(job: Job, file: str) -> str:
            text = read_text(os.path.expanduser(file), "file of matches", MOST_BYTES)
            with services.own_store() as store:
                new, known = import_matches(store, text, services.machines, lambda: job.control.cancelled)
            return f"Imported {matches(new)}{f', {known} were there already' if known else ''}."

        self._ask("Read matches from which file?", "an exported file", take)
