"""Bad input gets one sentence that names what was expected."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from arcade.engines.files import InputError


def refused(says: str, call: Callable[..., object], *values: Any, **options: Any) -> str:
    """The one sentence by which a call is refused, in which a pattern is found."""
    with pytest.raises(InputError, match=says) as caught:
        call(*values, **options)
    message = str(caught.value)
    # With its traceback it would keep open what the call has opened.
    del caught
    assert message.endswith(".")
    assert "\n" not in message
    return message


def refuses(call: Callable[[Any], object], *rows: tuple[Any, str | re.Pattern[str]], begin: str = "") -> Any:
    """A test for each value, with words or a pattern of the sentence that refuses it."""

    @pytest.mark.parametrize(("text", "says"), rows)
    def test(text: Any, says: str | re.Pattern[str]) -> None:
        words = re.escape(says) if isinstance(says, str) else says.pattern
        refused(f"^{re.escape(begin)}.*{words}", call, text)

    return test


def failing(error: Exception) -> Callable[..., Any]:
    """What raises an error, whatever it is given."""

    def fail(*_: object, **__: object) -> None:
        raise error

    return fail
