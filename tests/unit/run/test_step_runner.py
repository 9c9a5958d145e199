"""How ./crapette test runs its steps."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

from tests.processes import Process, descendants
from tools.run.step_runner import INTERRUPTED, run
from tools.run.steps import Lane, Queue, Step

PATIENCE = 60.0


def step(name: str, program: str, lane: Lane = Lane.SERVING) -> Step:
    return Step(name, "group", (sys.executable, "-c", program), lane=lane)


def alone(*steps: Step) -> Queue:
    return Queue(steps)


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
