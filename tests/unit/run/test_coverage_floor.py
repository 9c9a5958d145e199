"""Floors under the coverage of packages."""

from __future__ import annotations

import tomllib
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tools.run.coverage_floor import (
    FLOORS,
    NoCoverage,
    failed_tests,
    reached,
    shares,
    too_low,
    unmeasured,
)
from tools.run.report import Outcome
from tools.run.steps import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_lines_and_branches_of_a_package_count_together_and_other_files_not_at_all() -> None:
    def file(statements: int, met: int, branches: int, taken: int) -> dict[str, dict[str, int]]:
        return {
            "summary": {
                "num_statements": statements,
                "covered_lines": met,
                "num_branches": branches,
                "covered_branches": taken,
            }
        }

    found = shares(
        {
            "files": {
                "engine/cards.py": file(8, 8, 2, 1),
                "engine/cli.py": file(8, 4, 2, 2),
                "enginery.py": file(100, 0, 0, 0),
                "bots/services/one.py": file(10, 10, 0, 0),
                "friendlies/puzzles/services/analyses/other.py": file(10, 0, 0, 0),
                "tests/factories/services.py": file(100, 0, 0, 0),
            }
        }
    )
    assert found["engine"] == 75
    assert found["services"] == 50, "of all apps"
    assert found["referee"] == 0


def test_only_a_package_below_its_floor_is_named() -> None:
    found = {package: float(floor) for package, floor in FLOORS.items()}
    assert too_low(found) == []
    (said,) = too_low({**found, "engine": FLOORS["engine"] - 0.1})
    assert said.startswith("engine ")


def test_a_failed_test_is_for_the_plain_run_to_judge_and_a_step_that_broke_off_is_not() -> None:
    passed = Outcome("unit", 1.0, counts=Counter(passed=9))
    failed = Outcome("db", 1.0, "exit code 1, 2 failed", Counter(failed=2, passed=7), code=1)
    assert unmeasured([passed, failed]) == []
    assert failed_tests([passed, failed]) == 2
    broken = Outcome("db", 1.0, "exit code 4", code=4)
    killed = Outcome("db", 1.0, "exit code -9", Counter(passed=7), code=-9)
    stopped = Outcome("db", 1.0, "interrupted")
    assert len(unmeasured([passed, broken, killed, stopped])) == 3


def test_coverage_is_measured_of_the_packages_with_a_floor() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["coverage"]["run"]
    assert {name.rpartition("/")[2] for name in settings["source"]} == set(FLOORS)
    services = {
        path.relative_to(ROOT).as_posix()
        for glob in ("*/services", "*/*/services")
        for path in ROOT.glob(glob)
    }
    assert {name for name in settings["source"] if "/" in name} == services


def test_without_measurements_there_is_a_sentence_and_no_share(tmp_path: Path) -> None:
    with pytest.raises(NoCoverage, match="No data"):
        reached(tmp_path)
