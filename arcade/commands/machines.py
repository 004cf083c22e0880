"""Load saved machines."""

from contextlib import closing

from arcade.commands.common import open_store
from arcade.play.machines import Machines


def load_machines() -> closing[Machines]:
    return closing(Machines(open_store))
