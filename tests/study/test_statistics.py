import random
from collections import Counter
from dataclasses import replace
from itertools import groupby

import pytest

from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import Value
from arcade.play.match import new_match
from arcade.store.record import Coach, MatchRecord
from arcade.store.store import PuzzleResult, Store
from arcade.study.statistics import GameStatistics, sections, statistics


def drawn(rng: random.Random) -> MatchRecord:
    """A match that somebody gave up, with a result and seats that are made up."""
    start = parse_game_id(rng.choice(["chocobar:3x4", "chocobar:2x2", "menace", "hexapawn:3x3"]))
    match = new_match(start, ("human", "random"))
    match.resign(0)
    seats = rng.choice(
        [("human", "club"), ("depth:3", "human"), ("sees:3", "human"), ("human", "human"), ("club", "random")]
    )
    result = rng.choice([*Value, None])
    given_up = {Value.WIN: 1, Value.LOSS: 0}.get(result) if result else None
    return replace(
        match.record(),
        seats=seats,
        result=result,
        resigned=given_up,
        takebacks=rng.choice([0, 0, 1]),
        coach=Coach.QUIET,
    )


def by_hand(
    records: list[MatchRecord], game: str, unaided: bool
) -> tuple[Counter[tuple[str, str]], int, int]:
    """Counts of results by what they are of, and the streaks."""
    counts: Counter[tuple[str, str]] = Counter()
    seen: list[bool] = []
    for each in records:
        if each.game != game or each.person is None or each.result is None or (unaided and each.takebacks):
            continue
        won = each.result == ("win" if each.person == 0 else "loss")
        word = "tied" if each.result == "tie" else "won" if won else "lost"
        seen.append(won)
        size = each.start.partition(":")[2]
        for key in (
            "all",
            f"size {size}",
            f"opponent {each.seats[1 - each.person].replace('sees', 'depth')}",
            f"side {each.person}",
        ):
            counts[key, word] += 1
    runs = [len(list(run)) for won, run in groupby(seen) if won]
    now = len(seen) - 1 - max((at for at, won in enumerate(seen) if not won), default=-1)
    return counts, now, max(runs, default=0)


def test_statistics_match_a_manual_count() -> None:
    rng = random.Random(4)
    records = [drawn(rng) for _ in range(600)]
    with Store.in_memory() as store:
        for number, each in enumerate(records):
            store.save_match(each, when=float(number))
        found = {each.game: each for each in statistics(store)}
    for game, sides in (("chocobar", ("First", "Second")), ("hexapawn", ("White", "Black"))):
        for unaided, tables in ((False, found[game].every), (True, found[game].unaided)):
            counts, now, longest = by_hand(records, game, unaided)
            got = {
                "all": tables.all,
                **{f"size {key}": each for key, each in tables.by_size.items()},
                **{f"opponent {key}": each for key, each in tables.by_opponent.items()},
                **{f"side {sides.index(key)}": each for key, each in tables.by_side.items()},
            }
            assert {(key, word): getattr(each, word) for key, each in got.items() for word in WORDS} == {
                (key, word): counts[key, word] for key in got for word in WORDS
            }
            assert sum(counts.values()) == 4 * tables.all.total >= 100
            assert (tables.streak.now, tables.streak.longest) == (now, longest)
    assert found["tetromino"].empty


WORDS = ("won", "tied", "lost")


def of(store: Store, game: str) -> GameStatistics:
    return next(each for each in statistics(store) if each.game == game)


def test_scores_are_compared_with_best_known() -> None:
    match = new_match(parse_game_id("honshu:7x6#1"), ("human",))
    match.resign(0)
    record = replace(match.record(), coach=Coach.QUIET)
    with Store.in_memory() as store:
        for start, points in (("honshu:7x6#1", 30), ("honshu:7x6#2", 45), ("honshu:7x6#3", 50)):
            store.save_match(replace(record, start=start, scores=(points,)))
        store.save_best_score("honshu:7x6#1", 40)
        store.save_best_score("honshu:7x6#2", 50)
        found = of(store, "honshu")
        (scores,) = found.every.scores.values()
    assert (scores.played, scores.highest, scores.compared) == (3, 50, 2)
    assert [scores.best_share, scores.mean_share] == pytest.approx([0.9, 0.825])
    (section,) = sections(found)
    assert section.rows == [("7x6", "3", "50", "90%", "82%")]


def test_puzzles_are_counted_by_grade() -> None:
    with Store.in_memory() as store:
        # An older version of the arcade also had a mode rush.
        rows = (("streak", 3, True), ("rush", 3, True), ("practice", 3, False), ("streak", 1, True))
        for mode, grade, solved in rows:
            store.add_puzzle(PuzzleResult("chocobar", "chocobar:3x4", mode, None, grade, solved, 1.0, 1.0))
        (section,) = sections(of(store, "chocobar"))
    assert section.rows == [("grade 1", "1", "1"), ("grade 3", "1", "2")]
