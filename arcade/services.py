"""Storage, settings, machines and kernels, shared by all screens and dialogues."""

from __future__ import annotations

import os
import shlex
import tempfile
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from arcade.engines.files import InputError, data_folder, write_new
from arcade.engines.kernel_compiler import KernelCompiler
from arcade.engines.registry import AnyGame, listed_games
from arcade.engines.verdict import Value
from arcade.play.jobs import Notice, Severity
from arcade.play.keymap import read_keys
from arcade.store.file import Wait, connect, wait_a_little
from arcade.store.queries import Ending, Filter, damaged_sentence
from arcade.store.record import HUMAN, MatchRecord
from arcade.store.settings import AppState, Settings
from arcade.store.store import PuzzleResult, Saved, SavedAs, Store, StoreError, StoreLockedError, open_store
from arcade.study.host import StudyHost

if TYPE_CHECKING:
    # The first paint needs none of these.
    from arcade.play.machines import AnyMachine, Machines, Reward
    from arcade.play.match import Match
    from arcade.study.daily import Week
    from arcade.study.lessons import LessonOffer
    from arcade.study.puzzles import PuzzleRun

T = TypeVar("T")

TOURNAMENT_MATCH: SavedAs = (0, 0)
"""ID and revision that mark a match of a tournament. Such matches are not in the match history."""
LOSSES_BEFORE_HELP = 2

RETRY_SECONDS = 0.5

SLOW_RETRY_SECONDS = 5.0

PROGRESS_INTERVAL = 1.0
"""Seconds for which the data file can be locked before a notice appears."""

OPEN_SECONDS = 1.0
"""Maximum seconds to wait for a locked data file before the first paint."""

LAST_SECONDS = 1.0
"""Maximum seconds to wait for a locked data file before the program ends."""


@dataclass
class Unsaved:
    match: Match
    saved: SavedAs | None
    told: Callable[[SavedAs, Sequence[Reward]], None] = lambda saved, rewards: None
    """Function to call when the match is saved, if this happens after `save_match` has returned."""
    rewards: Sequence[Reward] = ()
    late: bool = False


def _name(match: Match) -> Hashable:
    return "match", id(match)


def _store_of_screen(folder: Path | None) -> Store:
    """Open a store for the screens. Once open, it never waits for a lock: waiting would freeze the app."""
    opened = connect(folder or data_folder(), lambda seconds: seconds < OPEN_SECONDS)
    return Store(*opened, lambda seconds: False)


class Services(StudyHost):
    """Access to stored data and settings. If the data file cannot be used, everything stays in memory.

    Args:
        folder: the data folder (default: `data_folder()`)
        warm: whether to compile kernels in the background
        preparing: function to call before a kernel is compiled on first use
    """

    def __init__(
        self,
        folder: Path | None = None,
        warm: bool = True,
        preparing: Callable[[], None] = lambda: None,
    ) -> None:
        self.told: Callable[[Notice], None] | None = None
        self._waiting: list[Notice] = []
        self._later: Callable[[float, Callable[[], object]], object] | None = None
        self._retrying = False
        self._trouble = ""
        self.unwritten = ""
        self._told_unwritten = ""
        self._writes: dict[Hashable, Callable[[], None]] = {}
        """Pending writes by name, in order. A later write replaces an earlier one with the same name."""
        self._unsaved: dict[Hashable, Unsaved] = {}
        self._failing_since: float | None = None
        self._told_damaged = False
        self._reviewed: tuple[SavedAs | None, MatchRecord] | None = None
        try:
            self.store = _store_of_screen(folder)
            texts, state = self.store.words("settings"), self.store.words("state")
        except StoreError as error:
            self._say(f"{error} This session will not be saved.", "error", 15)
            self.store = Store.in_memory()
            texts, state = {}, {}
        self.settings = Settings.from_texts(texts)
        self.state = AppState.from_texts(state)
        self.keys, wrong = read_keys(folder or data_folder())
        if wrong:
            more = f" Run arcade keys to see {len(wrong) - 1} more." if wrong[1:] else ""
            self._say(wrong[0] + more, "warning", 15)
        self.alone = self.store.claim()
        """True if no other arcade uses the data file."""
        self.compiler = KernelCompiler(self.state.warmed if warm else None, preparing)

    @cached_property
    def machines(self) -> Machines:
        from arcade.play.machines import Machines  # not before the first paint

        return Machines(lambda: self.store)

    def close(self, seconds: float = LAST_SECONDS) -> str:
        """Finish pending writes within `seconds`, and close the store. Return "" or an error message."""
        self.compiler.stop()
        end = time.monotonic() + seconds
        # Ctrl+C here must not lose the match.
        with suppress(KeyboardInterrupt):
            while not self.retry() and time.monotonic() < end:
                time.sleep(0.05)
        sentence = self._leave_behind() if self._writes else ""
        self._writes.clear()
        self._unsaved.clear()
        self.store.close()
        return sentence

    def _leave_behind(self) -> str:
        from arcade.play.files import write  # not before the first paint

        if not self._unsaved or self.store.path is None:
            return f"{self.unwritten} Your last changes are not saved."
        text = "\n".join(write(each.match.record(), time.time()) for each in self._unsaved.values())
        name = f"unsaved-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.match"
        for folder in (self.store.path.parent, Path(tempfile.gettempdir())):
            with suppress(InputError, OSError):
                write_new(str(folder / name), text)
                saved = f"Your matches are in {folder / name}."
                command = f"arcade matches import {shlex.quote(str(folder / name))}"
                return f"{self.unwritten} {saved} To save it later: {command}"
        return f"{self.unwritten} Your last matches are not saved."

    def listen(
        self,
        told: Callable[[Notice], None],
        later: Callable[[float, Callable[[], object]], object] | None = None,
    ) -> None:
        """Send all notices, including earlier ones, to `told`. Use `later` to schedule retries of writes."""
        self.told = told
        self._later = later
        for notice in self._waiting:
            told(notice)
        self._waiting.clear()
        if self._writes:
            self.retry()

    def _say(self, text: str, severity: Severity = "information", seconds: float | None = 10) -> None:
        notice = Notice(text, severity, seconds)
        if self.told is None:
            self._waiting.append(notice)
        else:
            self.told(notice)

    @contextmanager
    def _complaining(self) -> Iterator[None]:
        try:
            yield
        except StoreError as error:
            if str(error) not in (self._trouble, self._told_unwritten):
                self._trouble = str(error)
                self._say(f"{error} You can keep playing, but it may not be saved.", "error")

    def ask(self, ask: Callable[[Store], T]) -> T | None:
        with self._complaining():
            return ask(self.store)
        return None

    def _write(self, name: Hashable, write: Callable[[], None]) -> None:
        self._writes.pop(name, None)
        self._writes[name] = write
        self.retry()

    def retry(self) -> bool:
        """Try all pending writes again. Return True if none is left."""
        if self._writes:
            failure = self._try_writes()
            if failure is not None:
                self._put_off(failure)
                return False
            if self._told_unwritten:
                self._say("Saving works again. Everything is saved now.")
            self.unwritten, self._told_unwritten, self._failing_since = "", "", None
        return True

    def _try_writes(self) -> StoreError | None:
        failure: StoreError | None = None
        for name, write in list(self._writes.items()):
            try:
                write()
            except StoreLockedError as error:
                return failure or error
            except StoreError as error:
                failure = failure or error
                continue
            except InputError as error:
                self._say(str(error), "error")
            del self._writes[name]
            self._unsaved.pop(name, None)
        return failure

    def _put_off(self, failure: StoreError) -> None:
        self.unwritten = str(failure)
        locked = isinstance(failure, StoreLockedError)
        if self._failing_since is None:
            self._failing_since = time.monotonic()
        waited = time.monotonic() - self._failing_since
        if self._told_unwritten != self.unwritten and (not locked or waited >= PROGRESS_INTERVAL):
            self._told_unwritten = self.unwritten
            self._say(f"{failure} You can keep playing; the arcade keeps trying to save.", "error")
        if self._later is not None and not self._retrying:
            self._retrying = True
            self._later(RETRY_SECONDS if locked else SLOW_RETRY_SECONDS, self._retry_later)

    def _retry_later(self) -> None:
        self._retrying = False
        self.retry()

    @property
    def unsaved_matches(self) -> list[Unsaved]:
        return list(self._unsaved.values())

    @property
    def unsaved(self) -> bool:
        return bool(self._writes)

    def change(self, name: str, text: str) -> bool:
        before = self.settings
        self.settings = before.changed(name, text)
        if self.settings == before:
            return False
        for each, stored in self.settings.stored(name).items():
            self._write(("settings", each), partial(self.store.set, each, stored))
        return True

    def remember(self, **changes: str) -> None:
        self.state = replace(self.state, **changes)
        for name, text in changes.items():
            self._write(("state", name), partial(self.store.set, name, text, "state"))

    def has_seen(self, game: str) -> bool:
        return game in self.state.played.split()

    def has_played(self, game: str) -> None:
        if not self.has_seen(game):
            self.remember(played=f"{self.state.played} {game}".strip())

    def learned(self, game: str) -> frozenset[str]:
        pairs = (pair.partition(":") for pair in self.state.learned.split())
        return frozenset(lesson for name, _, lesson in pairs if name == game)

    def has_learned(self, game: str, lesson: str) -> None:
        if lesson not in self.learned(game):
            self.remember(learned=f"{self.state.learned} {game}:{lesson}".strip())

    def puzzle_results(self, game: str = "", day: str = "") -> list[PuzzleResult]:
        return self.ask(lambda store: store.puzzles(game, day=day)) or []

    def save_puzzle(self, played: PuzzleRun) -> None:
        result = played.result(time.time())
        self._write(object(), partial(self._add_puzzle, result))
        if played.mode.counts and played.solved > self.state.best_of(result.game, result.mode):
            self.remember(bests=self.state.bests_with(result.game, result.mode, played.solved))

    def _add_puzzle(self, result: PuzzleResult) -> None:
        if result.day is None or not self.store.puzzles(result.game, result.mode, result.day):
            self.store.add_puzzle(result)

    def leave_puzzle(self, played: PuzzleRun) -> None:
        attempt = played.attempt
        if played.day is not None and attempt is not None and (attempt.helped or attempt.mistakes):
            self.save_puzzle(played)

    def best_of(self, game: str, mode: str) -> int:
        return self.state.best_of(game, mode)

    def next_daily(self, game: AnyGame) -> AnyGame | None:
        from arcade.study.puzzles import today  # not before the first paint

        day, games = today(), listed_games()
        done = {game.name, *(result.game for result in self.puzzle_results(day=day.isoformat()))}
        done |= {each.name for each in games if each.practice.daily_board and self.week(each, day)[day]}
        at = games.index(game) + 1 if game in games else 0
        return next((each for each in (*games[at:], *games[:at]) if each.name not in done), None)

    def week(self, game: AnyGame, day: date) -> Week:
        from arcade.study.daily import DayScore, days_of_week, deal_of  # not before the first paint

        days = {each: str(deal_of(game, each)) for each in days_of_week(day)}
        scores = self.ask(lambda store: store.scores_alone(list(days.values()))) or {}
        return {each: DayScore(*scores[start]) if start in scores else None for each, start in days.items()}

    def stars(self, game: AnyGame) -> list[bool]:
        """Return whether each star is won: one for each step of the path, and the challenge's star last."""
        from arcade.play.path import steps_won  # not before the first paint

        stars = self.ask(lambda store: steps_won(store, game)) or []
        challenge = game.practice.challenge
        if challenge is not None:
            stars.append(self.challenge_wins(game) == challenge.wins)
        return stars

    def challenge_wins(self, game: AnyGame) -> int:
        return self.ask(lambda _: self.machines.challenge_wins(game)) or 0

    def remember_seats(self, match: Match) -> None:
        name, seats = match.game.name, tuple(match.seats)
        if HUMAN in seats and seats != self.state.seats_of(name):
            self.remember(seats=self.state.seats_with(name, seats))

    def save_match(
        self,
        match: Match,
        saved: SavedAs | None,
        told: Callable[[SavedAs, Sequence[Reward]], None] = lambda saved, rewards: None,
    ) -> tuple[SavedAs | None, Sequence[Reward]]:
        self.remember_seats(match)
        if match.finished and saved == TOURNAMENT_MATCH:
            return saved, []
        name = _name(match)
        unsaved = self._unsaved.setdefault(name, Unsaved(match, saved))
        unsaved.told = told
        self._write(name, partial(self._save, unsaved))
        unsaved.late = name in self._unsaved
        return (saved, []) if unsaved.late else (unsaved.saved, unsaved.rewards)

    def _save(self, unsaved: Unsaved) -> None:
        match, saved = unsaved.match, unsaved.saved
        taught = match.taught
        try:
            if not (match.finished and saved is not None and self.store.has_finished(*saved)):
                # Another arcade may train the same machine, and both results count.
                with self.store.together():
                    rewards = self._reward(match)
                    number, revision = saved or (None, 0)
                    written = self.store.save_match(
                        match.record(), number, revision, self.machines.kept_text(rewards)
                    )
                    if saved is None or written[0] != saved[0]:
                        self.store.set("in_play", str(written[0]), "state")
                unsaved.saved, unsaved.rewards = written, rewards
        except StoreError:
            match.taught = taught
            raise
        if unsaved.late and unsaved.saved is not None:
            unsaved.told(unsaved.saved, unsaved.rewards)

    def _reward(self, match: Match) -> list[Reward]:
        try:
            rewards = self.machines.learn(match)
        except StoreError:
            raise
        except InputError as error:
            self._say(str(error), "error")
            return []
        match.taught = match.taught or bool(rewards)
        return rewards

    def reviewed(self, match: Match, saved: SavedAs | None) -> None:
        unsaved = self._unsaved.get(_name(match))
        if match.result is None or (saved is None and unsaved is None):
            return
        record = match.record()
        if (saved, record) == self._reviewed:
            return
        self._reviewed = (saved, record)
        unsaved = unsaved or Unsaved(match, saved)
        self._write(("review", id(match)), partial(self._note_review, match, unsaved))

    def _note_review(self, match: Match, unsaved: Unsaved) -> None:
        from arcade.study.review import chances_text  # not before the first paint

        if unsaved.saved is None:
            return
        number, record = unsaved.saved[0], match.record()
        self.store.note_review(number, record)
        if record.scores:
            best = match.best_of(match.first)
            if best is not None:
                self.store.save_best_score(record.start, best)
        elif record.person is not None:
            self.store.save_level_data(
                number, chances_text(match, record.person, self.store, number, self.machines)
            )

    def teaching(self, match: Match) -> LessonOffer | None:
        from arcade.play.mistakes import own_mistakes  # not before the first paint
        from arcade.study.lessons import teaching  # not before the first paint
        from arcade.study.statistics import missed  # not before the first paint

        rules = [match.line[number].rule for number in reversed(own_mistakes(match))]
        with self._complaining():
            rules += [rule.id for rule, _ in missed(self.store, match.game, LOSSES_BEFORE_HELP).rules]
        return teaching(match.game, rules)

    def to_learn(self, match: Match) -> str | None:
        done = Filter(game=match.game.name, ended=Ending.DONE, duel=True)
        rows = self.ask(lambda store: store.listed(done, LOSSES_BEFORE_HELP)) or []
        if len(rows) < LOSSES_BEFORE_HELP or not all(row and row.seen is Value.LOSS for row in rows):
            return None
        found = self.teaching(match)
        return found.words if found else ""

    def machine_of(self, match: Match, seat: int) -> AnyMachine | None:
        name = match.guest(seat)
        if name is None or match.guests is None:
            return None
        return self.machines.seated(name, match.game, match.parameters, seat)

    def own_store(self, wait: Wait = wait_a_little) -> AbstractContextManager[Store]:
        """Open the data file again for work in another thread. Raises StoreError if it cannot be opened."""
        path = self.store.path
        return nullcontext(self.store) if path is None else open_store(path.parent, wait)

    def recent_matches(self) -> list[Saved]:
        saved = self.ask(lambda store: store.matches())
        if saved is None:
            return []
        if saved.unreadable and not self._told_damaged:
            self._told_damaged = True
            self._say(damaged_sentence(saved.unreadable), "warning")
        known = {each.saved[0]: each.match for each in self._unsaved.values() if each.saved}
        return [replace(each, record=known[each.id].record()) if each.id in known else each for each in saved]

    def win_loss_counts(self) -> dict[str, dict[str, int]]:
        return self.ask(lambda store: store.win_loss_counts()) or {}

    def last_in_play(self) -> Saved | None:
        """Return the match last in play. None if it is over or damaged, or if another arcade is running."""
        id = self.state.in_play
        if not (self.alone and id.isascii() and id.isdecimal() and len(id) < 19):
            return None
        with suppress(InputError), self._complaining():
            saved = self.store.match(int(id))
            return saved if saved.record.result is None else None
        return None
