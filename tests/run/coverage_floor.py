"""``python -m tests.run.coverage_floor``: the tests under coverage by branch, with a floor for each package.

Tracing takes half as long again as the tests themselves, so this is a command of its own:
``./crapette test --only coverage``. The engine is measured uncompiled. What runs in a process of its own
(a game, a command, a bot) counts for nothing here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.run.steps import ROOT

FLOORS = {"engine": 90, "referee": 70, "analysis": 90, "tournaments/services": 90}
"""Per cent of lines and branches: what was reached when it was last raised."""
RUNS = (
    (
        "-p",
        "tests.uncompiled",
        "--engine=uncompiled",
        "tests/unit/engine",
        "tests/conformance",
        "tests/property",
    ),
    ("--database=without", "tests/unit", "tests/integration/referee"),
    ("--database=only", "tests/unit", "tests/integration"),
)


def shares(report: dict[str, Any]) -> dict[str, float]:
    """The per cent of lines and branches that were met, of each package with a floor."""
    found = {}
    for package in FLOORS:
        sums = [one["summary"] for name, one in report["files"].items() if name.startswith(f"{package}/")]
        met = sum(one["covered_lines"] + one["covered_branches"] for one in sums)
        all_of_them = sum(one["num_statements"] + one["num_branches"] for one in sums)
        found[package] = 100 * met / all_of_them
    return found


def main() -> int:
    """Measure, print what each package reached, and end with 1 if one is below its floor or a test failed."""
    with tempfile.TemporaryDirectory(prefix="crapette-coverage-") as folder:
        environment = {**os.environ, "COVERAGE_FILE": str(Path(folder) / "data")}

        def coverage(*words: str) -> int:
            return subprocess.run(
                [sys.executable, "-m", "coverage", *words], cwd=ROOT, env=environment, check=False
            ).returncode

        failed = [run for run in RUNS if coverage("run", "-m", "pytest", "-q", *run)]
        coverage("combine", "-q")
        coverage("report")
        coverage("json", "-q", "-o", f"{folder}/report.json")
        found = shares(json.loads((Path(folder) / "report.json").read_text()))
    for package, share in found.items():
        sys.stdout.write(
            f"{package:<22} {share:5.1f} % of lines and branches, at least {FLOORS[package]} %\n"
        )
    return 1 if failed or any(share < FLOORS[package] for package, share in found.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
