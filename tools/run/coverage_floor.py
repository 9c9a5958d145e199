"""Coverage by branch, with a floor for each of the packages that decide what a game and a bot are worth.

``./crapette test --coverage`` measures, in a run of its own: tracing doubles the processor time of a test.
Whether the tests pass is for the plain run to say, so here only the floors count. The engine is measured
uncompiled, and playing processes where they run (`tools.run.process_coverage`). What bots do in their
sandboxes counts for nothing.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tools.run.steps import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.run.report import Outcome

FLOORS: Final = {"engine": 93, "referee": 95, "analysis": 95, "nouns": 92}
"""Per cent of lines and branches, a point or two below what was reached when it was last raised: 94, 97, 96
and 94. What random games reach on a busy machine differs a little. The nouns are those of all apps.
"""
APPS: Final = ("arena/notices", "bots", "friendlies", "people", "tournaments")
NO_NOUN: Final = re.compile(
    "admin|api|apps|consumers|feeds|forms|house|management|migrations|models|opponent|pages|presenters|routing"
    "|tasks|templatetags|urls|views"
)
"""Modules and folders of an app that decide nothing: what is stored, shown and entered, and bots."""
FAILED_TESTS: Final = 1
"""pytest's exit code for "all tests were run, and some failed"."""
DATA: Final = "COVERAGE_FILE"
"""The variable that tells coverage where to put what it measures."""


class NoCoverage(Exception):
    """The measurements cannot be put together; the text says why."""


def measured(command: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command of ``python -m …`` that is measured, with the processes it starts."""
    python, *words = command
    return (python, "-m", "coverage", "run", *words)


def group_of(file: str) -> str:
    """Return the package with a floor that a file counts for; empty for none."""
    path = Path(file)
    if any(path.is_relative_to(app) for app in APPS):
        return "" if any(map(NO_NOUN.fullmatch, path.with_suffix("").parts)) else "nouns"
    return path.parts[0] if path.parts[0] in FLOORS else ""


def shares(report: dict[str, Any]) -> dict[str, float]:
    """Return the per cent of lines and branches that were met, of each package with a floor."""
    found = {}
    for package in FLOORS:
        sums = [one["summary"] for name, one in report["files"].items() if group_of(name) == package]
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


def unmeasured(outcomes: Iterable[Outcome]) -> list[str]:
    """Return a sentence for each step that ended before all of its tests were run, and so may cover less.

    A test that failed was run, and so was one that skipped.
    """
    return [
        f"Not all of '{outcome.name}' was measured: {outcome.problem.rstrip(', ')}."
        for outcome in outcomes
        if outcome.code not in (0, FAILED_TESTS) or not outcome.counts
    ]


def failed_tests(outcomes: Iterable[Outcome]) -> int:
    """Return how many tests failed while they were measured, which is for the plain run to judge."""
    return sum(outcome.counts["failed"] + outcome.counts["errors"] for outcome in outcomes)


def too_low(found: dict[str, float]) -> list[str]:
    """Return a sentence for each package below its floor."""
    return [
        f"{package} is covered to {share:.1f} % of lines and branches, below its floor of {FLOORS[package]} %"
        for package, share in found.items()
        if share < FLOORS[package]
    ]


def words(found: dict[str, float]) -> str:
    """Return what was reached, in one line."""
    return ", ".join(f"{package} {share:.1f} %" for package, share in found.items())
