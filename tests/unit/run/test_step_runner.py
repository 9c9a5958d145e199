"""How ./crapette test runs its steps."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.processes import Process, descendants
from tools.run.step_runner import INTERRUPTED, run
from tools.run.steps import Lane, Queue, Step

PATIENCE = 60.0


def step(name: str, program: str, lane: Lane = Lane.SERVING) -> Step:
    return Step(name, "group", (sys.executable, "-c", program), lane=lane)


def until(path: Path) -> str:
    """A program that makes a file of its own and waits for another's."""
    return (
        "import pathlib, sys, time\n"
        f"one = pathlib.Path({str(path)!r})\n"
        f"end = time.monotonic() + {PATIENCE}\n"
        "while not one.exists():\n"
        "    time.sleep(0.01)\n"
        "    assert time.monotonic() < end, 'nobody came'\n"
    )


def alone(*steps: Step) -> Queue:
    return Queue(steps)


@pytest.mark.parametrize("shared", [False, True], ids=["two queues", "one queue of two"])
def test_steps_run_side_by_side_and_show_their_lines_together(
    shared: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    one = step("one", f"open({str(here)!r}, 'w')\n" + until(there) + "print('first')")
    other = step("other", f"open({str(there)!r}, 'w')\n" + until(here) + "sys.exit('second')")
    outcomes = run([Queue((one, other), 2)] if shared else [alone(one), alone(other)], ())
    assert {outcome.name: outcome.problem for outcome in outcomes} == {"one": "", "other": "exit code 1"}
    shown = capsys.readouterr().out.splitlines()
    assert [line.strip("= ").split(" after")[0] for line in shown if line.startswith("=")] in (
        ["one: passed", "other: FAILED"],
        ["other: FAILED", "one: passed"],
    )
    assert {"first", "second"} < set(shown)


def test_when_we_are_told_to_end_all_steps_end_and_leave_no_process(tmp_path: Path) -> None:
    began = [tmp_path / "first", tmp_path / "second"]
    sleeper = "import time; time.sleep(600)"
    child = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {sleeper!r}])\n"
    made = [
        alone(
            step(path.name, f"{child}open({str(path)!r}, 'w')\ntime.sleep(600)", lane),
            step(f"after {path.name}", "", lane),
        )
        for path, lane in zip(began, Lane, strict=True)
    ]
    ours = set(descendants(os.getpid()))
    seen: list[Process] = []

    def tell() -> None:
        end = time.monotonic() + PATIENCE
        while not all(path.exists() for path in began) and time.monotonic() < end:
            time.sleep(0.01)
        seen.extend(set(descendants(os.getpid())) - ours)
        os.kill(os.getpid(), signal.SIGINT)

    # As ./crapette test does: whoever runs the tests in the background has them ignore the signal.
    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=tell).start()
        outcomes = run(made, ())
    finally:
        signal.signal(signal.SIGINT, ignored)
    assert sorted((outcome.name, outcome.problem) for outcome in outcomes) == [
        ("first", INTERRUPTED),
        ("second", INTERRUPTED),
    ]
    assert len(seen) == 4
    end = time.monotonic() + PATIENCE
    while any(each.alive for each in seen):
        assert time.monotonic() < end, "expected every process to end, some still run"
        time.sleep(0.01)
