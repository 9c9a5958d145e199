"""What ./crapette test says at its end."""

from collections import Counter
from pathlib import Path

from tools.run.report import Outcome, counted, summary
from tools.run.steps import STEPS, forgotten

REPORT = """<?xml version="1.0"?><testsuites><testsuite name="pytest" errors="1" failures="2" skipped="3"
tests="10"></testsuite></testsuites>"""


def test_a_report_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    path.write_text(REPORT)
    assert counted(path) == Counter(passed=4, failed=2, errors=1, skipped=3)


def test_the_summary_names_what_failed_and_counts_everything() -> None:
    text = summary(
        [
            Outcome("ruff check", 0.1),
            Outcome("unit", 12.0, counts=Counter(passed=5), processor_seconds=20.5),
            Outcome("browser", 3.0, "exit code 1, 1 failed", Counter(failed=1, passed=2)),
        ],
        15.26,
        0.934,
        28.4,
    )
    assert text.splitlines() == [
        f"{'=' * 46} steps {'=' * 47}",
        "ruff check               passed      0.1 s      0.0 s CPU  ",
        "unit                     passed     12.0 s     20.5 s CPU  5 passed",
        "browser                  FAILED      3.0 s      0.0 s CPU  exit code 1, 1 failed",
        "FAILED browser",
        "The steps took 20 s of CPU, of 28 s in which the machine's processors worked:"
        " they were busy 93% of the time.",
        f"{'=' * 35} 1 failed, 8 passed in 15.3s {'=' * 36}",
    ]


def test_a_folder_of_tests_that_no_step_runs_is_found(tmp_path: Path) -> None:
    for folder in ("tests/unit/engine", "tests/elsewhere", "tools/bench"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "test_it.py").touch()
    assert forgotten(tmp_path) == ["tests/elsewhere"]


def test_every_step_has_a_name_of_its_own() -> None:
    assert len({step.name for step in STEPS}) == len(STEPS)
