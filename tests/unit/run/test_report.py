"""What ./crapette test says at its end."""

from collections import Counter
from pathlib import Path

from tools.run.report import counted
from tools.run.steps import STEPS, forgotten

REPORT = """<?xml version="1.0"?><testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3"
tests="10"></testsuite></testsuites>"""


def test_a_report_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    path.write_text(REPORT)
    assert counted(path) == Counter(passed=4, failed=2, errors=1, skipped=3)


def test_a_folder_of_tests_that_no_step_runs_is_found(tmp_path: Path) -> None:
    for folder in ("tests/unit/engine", "tests/elsewhere", "tools/bench"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "test_it.py").touch()
    assert forgotten(tmp_path) == ["tests/elsewhere"]


def test_every_step_has_a_name_of_its_own() -> None:
    assert len({step.name for step in STEPS}) == len(STEPS)
