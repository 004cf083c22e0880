"""Command groups that are imported on first use."""

from collections.abc import MutableMapping
from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup


class LazyGroup(TyperGroup):
    """A group whose commands are in the module of this package with the group's name.

    `arcade --help` and commands of other groups do not import the module.
    """

    @cached_property
    def _loaded(self) -> MutableMapping[str, Any]:
        return typer.main.get_group(import_module(f"{__package__}.{self.name}").app).commands

    @property
    def commands(self) -> MutableMapping[str, Any]:
        return self._loaded

    @commands.setter
    def commands(self, commands: MutableMapping[str, Any]) -> None:
        pass
