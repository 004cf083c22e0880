"""The board format of a university course: the number of rows, the number of columns, then the board.

    3
    4
     p p
    pP
      PP

White is to move. `P` is a white pawn and `p` a black pawn. A row may lack spaces at its end, or have extra
ones. `reference_methods` names the course.
"""

from dataclasses import replace

from arcade.engines.files import InputError
from arcade.engines.hexapawn.rules import SIDES, PawnPosition, pawns_in, size_flaw, square_name
from arcade.engines.verdict import Proof, Value, Verdict
from arcade.engines.wording import quantity

_FIRST_ROW_LINE = 3


def read_course(text: str) -> PawnPosition:
    lines = text.splitlines()
    rows = _number(lines, 1, "rows")
    columns = _number(lines, 2, "columns")
    flaw = size_flaw(rows, columns)
    if flaw is not None:
        raise InputError(f"Lines 1 and 2: {flaw[0].lower()}{flaw[1:]}")
    for number, line in enumerate(lines[2:], _FIRST_ROW_LINE):
        for column, letter in enumerate(line):
            if letter != " ":
                _check(letter, number, column, rows, columns)
    if len(lines) - 2 < rows:
        raise InputError(f"Line {len(lines) + 1}: row {len(lines) - 1} of {rows} rows is missing.")
    white, black = (pawns_in(lines[2 : 2 + rows], columns, letter) for letter in "Pp")
    board = PawnPosition(rows, columns, white, black)
    flaw = board.flaw()
    if flaw is not None:
        raise InputError(f"Line {_FIRST_ROW_LINE}: {flaw[0].lower()}{flaw[1:]}")
    return board


def _check(letter: str, number: int, column: int, rows: int, columns: int) -> None:
    row = rows - 1 - (number - _FIRST_ROW_LINE)
    if letter not in "Pp":
        raise InputError(f"Line {number}: expected P, p or a space, found {letter!r}.")
    if row < 0:
        raise InputError(f"Line {number}: there is a pawn below the board, which has {rows} rows.")
    if column >= columns:
        raise InputError(
            f"Line {number}: there is a pawn in column {column + 1}, but the last column is {columns}."
        )
    if letter == "P" and row == rows - 1:
        raise InputError(
            f"Line {number}: White has a pawn on its last row ({square_name(row, column)}), so the game is "
            "over. Move or remove the pawn."
        )


def _number(lines: list[str], number: int, what: str) -> int:
    text = lines[number - 1].strip() if number <= len(lines) else ""
    if not text:
        raise InputError(f"Line {number}: the number of {what} is missing.")
    if not (text.isascii() and text.isdecimal()):
        raise InputError(f"Line {number}: expected only the number of {what}, found {text!r}.")
    if len(text) > 4:
        raise InputError(f"Line {number}: a board cannot have {text[:4]}... {what}.")
    return int(text)


def put(board: PawnPosition, row: int, column: int, pawn: str) -> PawnPosition:
    """Return the board with "P", "p" or "." on a square. `row` and `column` count from 0."""
    bit = 1 << row * board.columns + column
    white, black = board.white & ~bit, board.black & ~bit
    return replace(board, white=white | bit * (pawn == "P"), black=black | bit * (pawn == "p"))


def resized(board: PawnPosition, rows: int, columns: int) -> PawnPosition:
    """Return the board in another size. Raises InputError if the size is invalid.

    A starting position becomes the starting position of the new size. In other positions, each pawn stays on
    the square with the same name.
    """
    flaw = size_flaw(rows, columns)
    if flaw is not None:
        raise InputError(flaw)
    full = PawnPosition.full(board.rows, board.columns)
    if (board.white, board.black) == (full.white, full.black):
        full = PawnPosition.full(rows, columns)
        return replace(board, rows=rows, columns=columns, white=full.white, black=full.black)
    new = replace(board, rows=rows, columns=columns, white=0, black=0)
    for side, pawn in enumerate("Pp"):
        for row, column in board.pawns(side):
            if row < rows and column < columns:
                new = put(new, row, column, pawn)
    return new


def check(board: PawnPosition) -> tuple[bool, str]:
    flaw = board.flaw()
    if flaw is not None:
        return False, flaw
    side = SIDES[board.turn]
    if board.reached() is not None:
        return False, f"{SIDES[1 - board.turn]} has reached the last row: the game would be over."
    if not board.moves():
        return False, f"{side} to move has no move: the game would be over."
    return True, f"{side} to move: {quantity(len(board.moves()), 'legal move')}."


def signed(verdict: Verdict) -> int | None:
    """Return k for a win and -k for a loss in k plies, or None if the verdict is not exact.

    If the game is over, k is 0.
    """
    if verdict.proof is not Proof.EXACT or verdict.remoteness is None:
        return None
    return verdict.remoteness if verdict.value is Value.WIN else -verdict.remoteness
