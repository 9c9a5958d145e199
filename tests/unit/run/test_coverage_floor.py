"""Floors under the coverage of packages."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from tools.run.coverage_floor import APPS, FLOORS
from tools.run.steps import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_coverage_is_measured_of_the_packages_with_a_floor() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["coverage"]["run"]
    assert {name for name in settings["source"] if "/" not in name} == FLOORS.keys() - {"nouns"}
    nouns = {
        path.parent.relative_to(ROOT).as_posix()
        for app in APPS
        for glob in (f"{app}/*/__init__.py", f"{app}/*/*/__init__.py")
        for path in ROOT.glob(glob)
        if _holds_a_noun(path.parent)
    }
    assert {name for name in settings["source"] if "/" in name} == nouns


def _holds_a_noun(folder: Path) -> bool:
    """Whether a package of an app is between its pages and its models."""
    return folder.name == "services" or (
        folder.parent.name == "tournaments"
        and not (folder / "apps.py").exists()
        and folder.name not in {"api", "management", "migrations", "models", "pages"}
    )
