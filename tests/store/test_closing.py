"""The store is closed while another thread reads it, as when one quits while the records are read."""

import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillRunning

import pytest

from arcade.store.store import Store


def test_closing_waits_for_a_query_of_another_thread(store: Store) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(text: bytes) -> str:
        """As texts become Python's between two rows, where nothing of SQLite's own keeps others out."""
        begun.set()
        assert go_on.wait(60)
        return text.decode()

    store._connection.text_factory = slow
    with ThreadPoolExecutor(2) as pool:
        rows = pool.submit(store._rows, "SELECT 'a' UNION ALL SELECT 'b'")
        assert begun.wait(60)
        closing = pool.submit(store.close)
        try:
            # Without the wait closing would be over long before.
            with pytest.raises(StillRunning):
                closing.result(0.1)
        finally:
            go_on.set()
        assert rows.result(60) == [("a",), ("b",)]
        closing.result(60)
