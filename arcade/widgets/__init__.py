"""Widgets of the screens."""

from functools import partial

from arcade.engines.files import package_table

read_table = partial(package_table, __name__)
