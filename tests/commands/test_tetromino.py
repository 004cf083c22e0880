"""`arcade tetromino`."""

from __future__ import annotations

from tests.shell import Shell


def test_placements_are_counted_by_piece(shell: Shell) -> None:
    counts = {"I": 41, "L": 180, "O": 28, "S": 90, "T": 90, "total": 429}
    assert shell("tetromino", "placements", "5x8")[0].split() == [
        str(word) for pair in counts.items() for word in pair
    ]
    assert shell("tetromino", "placements", "5x8")[0].startswith("I\t41\nL\t180\n")
    assert shell.json("tetromino", "placements", "5x8") == counts


def test_placements_command_counts_those_of_a_given_position(shell: Shell) -> None:
    found = shell.json("tetromino", "placements", "4x3:####/#..#/#..#:LO-T:1")
    assert found == {"I": 0, "L": 0, "O": 1, "S": 0, "T": 0, "total": 1}


def test_value_command_prints_text_or_json(shell: Shell) -> None:
    assert shell("tetromino", "value", "5x6")[0] == "loss\n"
    assert shell.json("tetromino", "value", "4x7")["value"] == "win"


def test_too_short_time_limit_is_reported(shell: Shell) -> None:
    assert "Ran out of time" in shell.refused("tetromino", "value", "8x8", "--seconds", "0.05")


def test_oversized_board_is_refused(shell: Shell) -> None:
    assert "81 cells" in shell.refused("tetromino", "value", "9x9")
