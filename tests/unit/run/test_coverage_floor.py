"""Floors under the coverage of packages."""

import tomllib

from tools.run.coverage_floor import APPS, FLOORS
from tools.run.steps import ROOT


def test_coverage_is_measured_of_the_packages_with_a_floor() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["coverage"]["run"]
    assert {*settings["source"]} == {*APPS, *FLOORS} - {"nouns"}
