import shutil
import subprocess

import pytest

from tools.manpage import PAGE, page


def told(text: str) -> list[str]:
    """The lines of a page without the names of options, which each version of typer writes in its own way."""
    return [line for line in text.splitlines() if not line.startswith(".B ")]


def test_the_manual_page_tells_the_commands_of_today() -> None:
    assert told(PAGE.read_text("utf-8")) == told(page()), "make man writes it again"
    assert ".SS honshu solve\n" in page()


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_the_manual_page_is_well_formed() -> None:
    shown = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert not shown.stderr
