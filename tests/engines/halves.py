"""A task for worker processes, apart from the tests, because every process imports it."""

import os
import time
from collections.abc import Callable

from arcade.engines.files import InputError


def halves(shared: int) -> Callable[[int], list[int]]:
    """A task: half a number and what is shared, and in which process; some numbers go wrong."""

    def answer(number: int) -> list[int]:
        time.sleep(0.01)
        if number == 500:
            raise InputError("No half of 500.")
        return [number // 2 + shared // (number - 700), os.getpid()]

    return answer
