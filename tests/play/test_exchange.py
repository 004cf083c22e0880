import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from arcade.engines.files import InputError
from arcade.engines.registry import parse_game_id
from arcade.play.exchange import export_matches, import_matches
from arcade.play.files import write
from arcade.play.machines import Machines
from arcade.play.match import new_match
from arcade.store.file import FILE_NAME
from arcade.store.queries import Filter
from arcade.store.store import Store, open_store
from tests.refusals import refused


def filled() -> Store:
    store = Store.in_memory()
    for number, (start, seats, moves) in enumerate(
        (
            ("chocobar:2x2", ("human", "perfect"), 9),
            ("honshu:7x6#1", ("human",), 9),
            ("menace", ("MENACE", "human"), 9),
            ("hexapawn:4x4", ("human", "human"), 3),
        )
    ):
        match = new_match(parse_game_id(start), seats, Machines(lambda: store))
        for _ in range(moves):
            if match.result is None:
                match.play(match.position.moves()[0])
        store.save_match(match.record(), when=1000.5 + number)
    return store


def content(store: Store) -> list[tuple[float, str]]:
    return sorted((each.updated, each.record.to_json()) for each in store.matches(-1))


def test_export_and_import_round_trip_without_duplicates() -> None:
    with filled() as store, Store.in_memory() as other:
        text = export_matches(store.matches(-1))
        machines = Machines(lambda: other)
        assert import_matches(other, text, machines) == (4, 0)
        assert content(other) == content(store)
        # The lines of a list do not come from another computation.
        assert [each and each.points for each in other.listed(Filter())] == [
            each and each.points for each in store.listed(Filter())
        ]
        assert import_matches(other, text + text, machines) == (0, 8)
        assert content(other) == content(store)


def test_import_recognises_match_from_older_version() -> None:
    with filled() as store:
        text = export_matches(store.matches(-1))
        store._write("UPDATE matches SET record = json_remove(record, '$.comments', '$.lost')")
        assert import_matches(store, text, Machines(lambda: store)) == (0, 4)


def test_damaged_stored_match_is_imported_again() -> None:
    with filled() as store:
        text = export_matches(store.matches(-1))
        store._write("UPDATE matches SET record = 'what' WHERE id = 1")
        assert import_matches(store, text, Machines(lambda: store)) == (1, 3)


def test_import_cancelled_while_reading_saves_nothing() -> None:
    with filled() as store, Store.in_memory() as other:
        answers = iter([False, False, True])
        with pytest.raises(InputError, match=r"stopped"):
            import_matches(
                other, export_matches(store.matches(-1)), Machines(lambda: other), lambda: next(answers)
            )
        assert other.matches() == []


@pytest.fixture
def one_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.play.exchange.MAX_BATCH_SIZE", 1)


@pytest.mark.usefixtures("one_a_batch")
def test_import_batches_let_other_connections_write(data_folder: Path) -> None:
    with filled() as store, open_store() as other, open_store(wait=lambda seconds: False) as third:
        told: list[str] = []

        def progress(words: str) -> None:
            told.append(words)
            third.set("theme", words)

        text = export_matches(store.matches(-1))
        assert import_matches(other, text, Machines(lambda: other), progress=progress) == (4, 0)
        assert content(other) == content(store)
        assert told[3:6] == ["4 matches read, none saved", "1 of 4 matches saved", "2 of 4 matches saved"]


def test_import_batches_are_limited_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.play.exchange.BATCH_SECONDS", 0)
    with filled() as store, Store.in_memory() as other:
        told: list[str] = []
        text = export_matches(store.matches(-1))
        assert import_matches(other, text, Machines(lambda: other), progress=told.append) == (4, 0)
        assert told[-1] == "4 of 4 matches saved"
        assert len(told) == 8, "as many batches as matches"


@pytest.mark.usefixtures("one_a_batch")
def test_import_cancelled_between_batches_reports_saved_count() -> None:
    with filled() as store, Store.in_memory() as other:
        machines = Machines(lambda: other)
        text = export_matches(store.matches(-1))
        answers = iter([False] * 6 + [True])
        message = refused(
            r"^The import was stopped\. 2 of 4 matches were saved\.",
            import_matches,
            *(other, text, machines, lambda: next(answers)),
        )
        assert message.endswith("Import the file again for the rest.")
        assert len(other.matches()) == 2
        assert import_matches(other, text, machines) == (2, 2)
        assert content(other) == content(store)


@pytest.mark.usefixtures("one_a_batch")
def test_import_blocked_by_lock_reports_saved_count(data_folder: Path) -> None:
    with filled() as store, open_store(wait=lambda seconds: False) as other:
        text = export_matches(store.matches(-1))
        with closing(sqlite3.connect(data_folder / FILE_NAME, isolation_level=None)) as third:

            def progress(words: str) -> None:
                if words.startswith("3 of"):
                    third.execute("BEGIN IMMEDIATE")

            refused(
                r"another program has locked the file\. 3 of 4 matches were saved\.",
                partial(import_matches, progress=progress),
                *(other, text, Machines(lambda: other)),
            )
        assert len(other.matches()) == 3


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (r'\[Match "1"\]', '[Match "2"]', "2: The match cannot be read. Line .* must be 1"),
        (r'\[Time "[^"]*"\]', '[Time "soon"]', "2: The match cannot be read. Line .* a time like"),
        (r'\[Time "[^"]*"\]', '[Time "2026-01-01"]', "2: The match cannot be read. Line .* a time like"),
        (r"1\. ", "1. { ", "2: The match cannot be read. Line "),
        (r"1\. \S+", "1. (9,9)", "2: "),
        (r"(1-0|0-1)\s*$", "1/2-1/2", "2: The match is damaged: its moves lead to another result"),
        (r'\[Player2 "[^"]*"\]', "", "2: The match cannot be read: .*(seat|hints)"),
        ("chocobar", "nothing", "2: Unknown game 'nothing'"),
    ],
)
def test_import_with_invalid_match_saves_nothing(old: str, new: str, why: str) -> None:
    with filled() as store, Store.in_memory() as other:
        first, second, *_ = (export_matches([each]) for each in reversed(store.matches(-1)))
        text = "\n".join([second, re.sub(old, new, first, count=1), second])
        with pytest.raises(InputError, match=rf"^Nothing was imported\. Match {why}.*\.$"):
            import_matches(other, text, Machines(lambda: other))
        assert other.matches() == []


def test_import_refuses_an_empty_file() -> None:
    with Store.in_memory() as store, pytest.raises(InputError, match="the file is empty"):
        import_matches(store, "\n", Machines(lambda: store))


def test_import_refuses_wrong_scores_and_invalid_text() -> None:
    with filled() as store, Store.in_memory() as other:
        race = export_matches(each for each in store.matches(-1) if each.record.game == "honshu")
        race = re.sub(r'Scores "\d+"', 'Scores "999"', race)
        for text in (race, "{", "what\x1b[2J", "[" * 100_000):
            with pytest.raises(InputError, match=r"imported\. Match 1: ") as caught:
                import_matches(other, text, Machines(lambda: other))
            assert str(caught.value).isprintable()


def test_import_without_times_is_idempotent() -> None:
    with filled() as store, Store.in_memory() as other:
        text = "\n".join(write(each.record) for each in store.matches(-1))
        machines = Machines(lambda: other)
        assert import_matches(other, text, machines) == (4, 0)
        assert import_matches(other, text, machines) == (0, 4)
        # Written with `W` in a match that is in the store with its time.
        assert import_matches(store, text, Machines(lambda: store)) == (0, 4)


def test_matches_differing_only_in_time_are_both_imported() -> None:
    with Store.in_memory() as store, Store.in_memory() as other:
        record = new_match(parse_game_id("hexapawn:4x4"), ("human", "human")).record()
        for when in (1000.0, 2000.0):
            store.save_match(record, when=when)
        text = export_matches(reversed(store.matches(-1)))
        assert import_matches(other, text, Machines(lambda: other)) == (2, 0)


@pytest.mark.parametrize("dated", [True, False])
def test_reviewed_match_is_not_imported_again(dated: bool) -> None:
    with filled() as store:
        saved = store.match(1)
        text = write(saved.record, saved.updated if dated else None)
        marks = ("kept the value", *saved.record.marks[1:])
        assert marks != saved.record.marks
        store.note_review(1, replace(saved.record, marks=marks))
        assert store.match(1).record.marks == marks
        assert import_matches(store, text, Machines(lambda: store)) == (0, 1)


@pytest.mark.parametrize("dated", [True, False])
def test_continued_match_is_not_imported_again(dated: bool) -> None:
    with Store.in_memory() as store:
        machines = Machines(lambda: store)
        match = new_match(parse_game_id("hexapawn:4x4"), ("human", "human"))
        text = write(match.record(), 1000.0 if dated else None)
        assert import_matches(store, text, machines) == (1, 0)
        match.play(match.position.moves()[0])
        (saved,) = store.matches()
        store.save_match(match.record(), saved.id, saved.revision)
        assert import_matches(store, text, machines) == (0, 1)
        # A deleted one may come back.
        store.delete_matches([saved.id])
        assert import_matches(store, text, machines) == (1, 0)


def test_import_keeps_file_order() -> None:
    def sizes(store: Store) -> list[str]:
        return [each.record.size for each in reversed(store.matches(-1))]

    with Store.in_memory() as store:
        # The clock was wrong at the second.
        for size, when in (("3x3", 1000.0), ("4x4", 9000.0), ("5x5", 2000.0)):
            store.save_match(
                new_match(parse_game_id(f"hexapawn:{size}"), ("human", "human")).record(), when=when
            )
        text = export_matches(reversed(store.matches(-1)))
        with Store.in_memory() as other:
            import_matches(other, text, Machines(lambda: other))
            assert sizes(other) == sizes(store) == ["3x3", "4x4", "5x5"]


def test_import_of_newest_first_file_keeps_match_order() -> None:
    with filled() as store, Store.in_memory() as other:
        text = export_matches(store.matches(-1))
        import_matches(other, text, Machines(lambda: other))
        games = [each.record.game for each in other.matches(-1)]
        assert games == [each.record.game for each in store.matches(-1)]
