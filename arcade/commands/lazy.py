"""Groups of commands that are imported when they are used."""

from collections.abc import MutableMapping
from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup


class LazyGroup(TyperGroup):
    """A group whose commands are in the module of this package with the group's name.

    The module is imported when one of its commands is needed, not for `arcade --help` or the other commands.
    """

    @cached_property
    def _loaded(self) -> MutableMapping[str, Any]:
        return typer.main.get_group(import_module(f"{__package__}.{self.name}").app).commands

    @property
    def commands(self) -> MutableMapping[str, Any]:
        return self._loaded

    @commands.setter
    def commands(self, commands: MutableMapping[str, Any]) -> None:
        """Typer sets the commands when it makes the group, before any is registered."""
