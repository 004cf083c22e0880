import pytest

from arcade.engines.control import Control
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.search import ScoreSearch, long_search
from arcade.engines.hexapawn.table import large_table
from arcade.engines.verdict import Proof, Value
from tests.narrow import present
from tests.refusals import failing, refused

BOARD = PawnPosition.full(5, 6)
"""Black wins it in 22 plies."""
MIB = 4


@pytest.mark.parametrize("threads", [1, 2])
def test_long_search_finds_the_exact_distance(threads: int, control: Control) -> None:
    found = long_search(BOARD, large_table(MIB), control, threads=threads)
    assert (found.proof, found.value, found.remoteness) == (Proof.EXACT, Value.LOSS, 22)
    assert found.nodes == control.nodes > 0
    assert 0 < found.seconds <= control.seconds


def test_long_search_for_the_winner_stops_when_proved(control: Control) -> None:
    # A second thread may by chance find how soon as well.
    found = long_search(BOARD, large_table(MIB), control, winner=True, threads=1)
    assert (found.proof, found.value) == (Proof.BOUND, Value.LOSS)
    assert present(found.at_least) <= 22 <= present(found.at_most)


def test_stopped_long_search_returns_its_proven_bounds(
    control: Control, monkeypatch: pytest.MonkeyPatch
) -> None:
    resume = ScoreSearch.resume

    def stopping(search: ScoreSearch, budget: int, control: Control) -> None:
        resume(search, budget, control)
        if control.nodes > 30_000:
            control.cancel()

    monkeypatch.setattr(ScoreSearch, "resume", stopping)
    found = long_search(BOARD, large_table(MIB), control, threads=1)
    assert 30_000 < found.nodes < 50_000
    assert found.proof is Proof.BOUND
    assert 0 < present(found.at_least) <= 22


@pytest.mark.parametrize(("memory", "bits"), [(4, 16), (7, 16), (8, 17)])
def test_large_table_memory_rounds_down_to_power_of_two(memory: int, bits: int) -> None:
    table = large_table(memory)
    assert table.bucket_bits == bits
    assert table.memory == 1 << bits + 6


def test_large_table_without_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.engines.hexapawn.table.empty_words", failing(MemoryError()))
    refused(r"Not enough memory for a table of 4 MiB\. Use a smaller --memory\.", large_table, MIB)
