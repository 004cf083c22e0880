"""MENACE's structure side by side: the report's graph of boxes, and the arcade's."""

from __future__ import annotations

from typing import Any

from arcade.engines.control import Control
from arcade.engines.menace import classic
from arcade.engines.methods import SolvingMethod, Work
from arcade.engines.position import Position

BOARDS = ("",)


def _report(position: Position[Any], control: Control) -> Work:
    boxes = sum(1 for _ in classic.walk(classic.build()))
    return Work(f"{boxes} boxes", boxes)


def _arcade(position: Position[Any], control: Control) -> Work:
    from arcade.learning.machine import PRESETS
    from arcade.learning.matchbox import Boxes

    options = next(each.options for each in PRESETS if each.name == "michie")
    boxes: Boxes[Any, Any] = Boxes("menace", "", 0, options.box_set, True)
    return Work(f"{len(boxes.boxes)} boxes", len(boxes.graph.nodes))


METHODS = (
    SolvingMethod("report", "The report's graph of boxes.", _report),
    SolvingMethod("arcade", "The arcade's boxes, made for any small game.", _arcade),
)
