from benchmarks.watch import figures, slower

KEPT = """\
# Performance

## Hexapawn

| what | measured | limit |
|---|---:|---:|
| reference: a fixed piece of work | 100.0 ms |  |
| full board 5x5, value +19, 12,323 positions | 3.44 ms | 0.1 s |
| full board 6x6, value -30, 1,736,149 positions | 0.79 s | 5 s |
| kernel on 5x6 against C by the same method, 26.9 ms | 1.08 times | 1.6 times |
| peak memory of that | 1,428 MiB | 2048 MiB |
| the line of 5x5 to the end | 200 us |  |
| 8x8 after 1 s, 3,699,344 positions | at least 28 plies |  |
"""


def test_what_can_be_compared() -> None:
    found = figures(KEPT)
    assert found["Hexapawn", "full board 6x6, value -30, 1,736,149 positions"] == (0.79, "time")
    assert found["Hexapawn", "kernel on 5x6 against C by the same method"] == (1.08, "ratio")
    assert found["Hexapawn", "peak memory of that"] == (1428.0, "memory")
    assert len(found) == 6


def test_nothing_is_slower_than_itself_nor_on_a_slow_day() -> None:
    assert slower(KEPT, KEPT) == []
    slow = KEPT.replace("100.0 ms", "200.0 ms").replace("3.44 ms", "6.9 ms").replace("0.79 s", "1.6 s")
    assert slower(KEPT, slow) == []


def test_each_kind_of_figure_that_is_worse_is_named() -> None:
    assert slower(KEPT, KEPT.replace("0.79 s", "1.1 s").replace("3.44 ms", "4.4 ms")) == [
        "Hexapawn: full board 6x6, value -30, 1,736,149 positions: 1.39 times what it was "
        "(1.1 s instead of 0.79 s, the reference 1.00 times as slow)."
    ]
    assert slower(KEPT, KEPT.replace("26.9 ms | 1.08", "31 ms | 1.5")) == [
        "Hexapawn: kernel on 5x6 against C by the same method: 1.39 times what it was "
        "(1.5 times instead of 1.08 times)."
    ]
    (memory,) = slower(KEPT, KEPT.replace("1,428 MiB", "2,000 MiB"))
    assert memory.startswith("Hexapawn: peak memory of that: 1.40 times")
    # Half a millisecond is too short to tell.
    assert slower(KEPT, KEPT.replace("200 us", "500 us")) == []
    # On a fast day the same time is slower.
    assert len(slower(KEPT, KEPT.replace("100.0 ms", "50.0 ms"))) == 2
