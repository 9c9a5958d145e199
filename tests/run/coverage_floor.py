"""Coverage by branch of the steps that are measured, with a floor for each package.

``./crapette test --coverage`` measures. Tracing doubles the processor time of these steps, so the plain run
leaves it out. The engine is measured uncompiled. What runs in a process of its own with an environment of its
own (a game, a bot) counts for nothing here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

from tests.run.steps import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FLOORS: Final = {"engine": 85, "referee": 89, "analysis": 92, "tournaments/services": 92}
"""Per cent of lines and branches: what was reached when it was last raised."""
DATA: Final = "COVERAGE_FILE"
"""The variable that tells coverage where to put what it measures."""


class NoCoverage(Exception):
    """The measurements cannot be put together; the text says why."""


def measured(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command of ``python -m …`` that is measured, with the processes it starts."""
    python, *words = command
    return (python, "-m", "coverage", "run", *words)


def shares(report: dict[str, Any]) -> dict[str, float]:
    """Return the per cent of lines and branches that were met, of each package with a floor."""
    found = {}
    for package in FLOORS:
        sums = [one["summary"] for name, one in report["files"].items() if name.startswith(f"{package}/")]
        met = sum(one["covered_lines"] + one["covered_branches"] for one in sums)
        all_of_them = sum(one["num_statements"] + one["num_branches"] for one in sums)
        found[package] = 100 * met / all_of_them if all_of_them else 0.0
    return found


def reached(folder: Path) -> dict[str, float]:
    """Return what the measurements in a folder reached together. Raises NoCoverage."""
    environment = {**os.environ, DATA: str(folder / "data")}
    report = folder / "report.json"
    for words in (("combine", "-q"), ("json", "-q", "-o", str(report))):
        done = subprocess.run(
            [sys.executable, "-m", "coverage", *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise NoCoverage((done.stdout + done.stderr).strip())
    return shares(json.loads(report.read_text()))


def too_low(found: dict[str, float]) -> list[str]:
    """Return a sentence for each package below its floor."""
    return [
        f"{package}: {share:.1f} % of lines and branches, at least {FLOORS[package]} %"
        for package, share in found.items()
        if share < FLOORS[package]
    ]


def words(found: dict[str, float]) -> str:
    """Return what was reached, in one line."""
    return ", ".join(f"{package} {share:.1f} %" for package, share in found.items())
