"""Words for sentences."""

import pytest

from arcade.engines.wording import address


@pytest.mark.parametrize(
    ("told", "to_black"),
    [
        ("Black plays a2.", "You play a2."),
        ("If Black passes, White wins.", "If you pass, White wins."),
        ("Black has one pawn.", "You have one pawn."),
        ("All of Black's replies lose.", "All of your replies lose."),
        ("After each move of Black, White wins.", "After each move of yours, White wins."),
        ("White blocks Black. Black must pass.", "White blocks you. You must pass."),
    ],
)
def test_address_replaces_the_name_of_a_side_with_you(told: str, to_black: str) -> None:
    assert address("Black", told) == to_black


def test_first_and_second_are_addressed_as_opponents() -> None:
    told = "Second must bite next and will lose: after every bite, First wins. Second's bites fail Second."
    assert address("First", told) == (
        "Your opponent must bite next and will lose: after every bite, you win. "
        "Your opponent's bites fail your opponent."
    )
