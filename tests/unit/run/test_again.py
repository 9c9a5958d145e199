"""A few failed tests of ./crapette test get a second run, and the report tells so."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

from tools.run.failing import FailedTest, FailedTests
from tools.run.report import Outcome, summary
from tools.run.running import run
from tools.run.steps import STEPS, Lane, Queue, Step

if TYPE_CHECKING:
    from pathlib import Path

NOTES = """
import pathlib, random
log = pathlib.Path({log!r})

def note(name):
    with log.open("a") as file:
        file.write(f"{{name}} {{random.random()}}\\n")

def times(name):
    note(name)
    return sum(line.split()[0] == name for line in log.read_text().splitlines())
"""


class Project:
    """A folder with tests that write down when they run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.log.touch()
        (folder / "pytest.ini").write_text("[pytest]\n")
        # With a second conftest.py, pytest asks its plugins in another way.
        self.others = folder / "others"
        self.others.mkdir()
        (self.others / "conftest.py").touch()

    def step(self, name: str, *tests: str, again: bool = True, shared: bool = False) -> Step:
        """A step that runs a file with these tests, by two processes and shuffled if they are shared."""
        file = self.folder / f"test_{name}.py"
        file.write_text("\n".join([NOTES.format(log=str(self.log)), *tests]))
        plugins = ("-p", "xdist", "-p", "randomly", "-n", "2") if shared else ()
        config = f"--config-file={self.folder / 'pytest.ini'}"
        command = (sys.executable, "-m", "pytest", *plugins, config, str(file), str(self.others))
        return Step(name, "group", command, {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}, again=again)

    def noted(self) -> list[str]:
        """What was noted, in order, without its random numbers."""
        return [line.split()[0] for line in self.log.read_text().splitlines()]


def fails(name: str, times: int) -> str:
    """A test that fails so many times, and then passes."""
    return f"def test_{name}():\n    assert times({name!r}) > {times}, 'the machine was busy'\n"


def passes(name: str) -> str:
    """A test that passes."""
    return f"def test_{name}():\n    note({name!r})\n"


def test_a_test_that_failed_is_run_alone_after_all_else_with_the_same_numbers_and_passes(
    tmp_path: Path,
) -> None:
    project = Project(tmp_path)
    step = project.step("serving", passes("good"), fails("late", 1), shared=True)
    waits = (
        "import pathlib, time\n"
        f"log = pathlib.Path({str(project.log)!r})\n"
        "end = time.monotonic() + 60\n"
        "while 'late' not in log.read_text() and time.monotonic() < end: time.sleep(0.01)\n"
        "time.sleep(1)\n"
        "log.open('a').write('slow 0\\n')"
    )
    slow = Step("slow", "group", (sys.executable, "-c", waits))

    outcomes = {outcome.name: outcome for outcome in run([Queue((step,)), Queue((slow,))], ())}

    assert sorted(project.noted()[:-1]) == ["good", "late", "slow"]
    assert project.noted()[-1] == "late"
    late = [line.split()[1] for line in project.log.read_text().splitlines() if line.startswith("late")]
    assert late[0] == late[1]
    found = outcomes["serving"]
    assert (found.ok, found.counts) == (True, Counter(passed=2))
    assert [test.name for test in found.passed_again] == ["test_serving.py::test_late"]
    assert "the machine was busy" in found.passed_again[0].said


def test_a_test_that_fails_again_fails_the_run(tmp_path: Path) -> None:
    project = Project(tmp_path)

    (outcome,) = run([Queue((project.step("serving", fails("wrong", 9), fails("late", 1)),))], ())

    assert Counter(project.noted()) == Counter(wrong=2, late=2)
    assert outcome.problem == "exit code 1, 2 failed; run once more, alone: exit code 1, 1 failed, 1 passed"
    assert outcome.passed_again == ()


def test_four_failures_in_one_run_are_final(tmp_path: Path) -> None:
    project = Project(tmp_path)
    steps = [
        project.step(name, fails(f"{name}one", 1), fails(f"{name}two", 1)) for name in ("first", "second")
    ]

    outcomes = run([Queue((step,)) for step in steps], ())

    assert len(project.noted()) == 4
    assert [outcome.problem for outcome in outcomes] == ["exit code 1, 2 failed"] * 2


def test_a_run_that_failed_in_another_way_has_no_second_run(tmp_path: Path) -> None:
    project = Project(tmp_path)
    serving = project.step("serving", fails("late", 1))
    computing = project.step("computing", fails("sum", 1), again=False)

    outcomes = run([Queue((serving,)), Queue((computing,))], ())

    assert sorted(project.noted()) == ["late", "sum"]
    assert not any(outcome.ok for outcome in outcomes)


def test_the_run_says_which_tests_passed_only_the_second_time_and_how_they_failed_before() -> None:
    said = "    wait()\nE       SiteFailed: waited 60 s\n\ntests/test_serving.py:7: SiteFailed"
    late = FailedTest("tests/test_serving.py::test_late", "/tests/test_serving.py::test_late", said)
    outcome = Outcome("serving", 3.0, counts=Counter(passed=5), failed=FailedTests((late,)))
    outcome.passed_again = (late,)

    lines = summary([outcome], 5.0, 0.5, 5.0).splitlines()

    assert lines[1].endswith("5 passed, 1 of them only in the second run")
    assert lines[2:5] == [
        "PASSED ONLY IN THE SECOND RUN tests/test_serving.py::test_late",
        "E       SiteFailed: waited 60 s",
        "tests/test_serving.py:7: SiteFailed",
    ]
    assert "5 passed (1 only in the second run) in 5.0s" in lines[-1]


def test_steps_that_only_compute_never_get_a_second_run() -> None:
    assert not any(step.again for step in STEPS if step.lane is Lane.COMPUTING)
    assert {step.group for step in STEPS if step.again} == {
        "browser",
        "chaos",
        "db",
        "faults",
        "integration",
        "security",
    }
