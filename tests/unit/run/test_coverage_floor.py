"""Floors under the coverage of packages."""

from __future__ import annotations

import tomllib

from tools.run.coverage_floor import FLOORS
from tools.run.steps import ROOT


def test_coverage_is_measured_of_the_packages_with_a_floor() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["coverage"]["run"]
    assert {name.rpartition("/")[2] for name in settings["source"]} == set(FLOORS)
    services = {
        path.relative_to(ROOT).as_posix()
        for glob in ("*/services", "*/*/services")
        for path in ROOT.glob(glob)
    }
    assert {name for name in settings["source"] if "/" in name} == services
