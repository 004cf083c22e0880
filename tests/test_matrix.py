"""The oldest versions that `make matrix` installs."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tools.matrix import ROOT, oldest

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LISTED = [
    Requirement(each) for each in PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["dev"]
]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_dependency_has_one_oldest_version(version: str) -> None:
    pinned = dict(each.split("==") for each in oldest(version))
    assert len(oldest(version)) == len(pinned)
    assert pinned.keys() == {each.name for each in LISTED}
    assert all(re.fullmatch(r"\d+(\.\d+)+(\.dev\d+)?", each) for each in pinned.values())
