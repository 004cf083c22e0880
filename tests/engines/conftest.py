"""What the tests of the engines share."""

from collections.abc import Iterator

import pytest

from arcade.engines.control import Control


@pytest.fixture
def control() -> Iterator[Control]:
    """A control without a deadline that stops nothing."""
    with Control() as control:
        yield control
