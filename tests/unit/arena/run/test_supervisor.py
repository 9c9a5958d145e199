"""Processes that are kept running, and their end."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.run.supervisor import Supervisor
from tests.site import ROOT


def until(look: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 30
    while not look():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)


def test_a_process_that_ends_is_restarted_and_all_end_on_request(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    starts = tmp_path / "starts"
    failing = f"echo start >>{starts}; [ $(wc -l <{starts}) -ge 3 ] && exec sleep 60; exit 7"
    supervisor = Supervisor(
        {"failing": ("sh", "-c", failing), "steady": ("sh", "-c", "trap 'exit 0' TERM; read line; exit 3")},
        look_seconds=0.02,
        first_pause=0.05,
    )
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(supervisor.run()))
    thread.start()
    until(lambda: starts.exists() and len(starts.read_text().split()) == 3, "the third start")
    supervisor.stop()
    thread.join(30)
    # `sleep` does not know the signal, so it is ended by it.
    assert codes == [15]
    assert "the failing process ended with 7 and is started again in 0 s" in caplog.text
    assert "the steady process" not in caplog.text


def test_a_supervisor_that_is_killed_takes_its_processes_with_it(tmp_path: Path) -> None:
    said = tmp_path / "said"
    child = f"echo $$ >{said}; read line; echo ended >>{said}"
    code = (
        "import sys; from arena.run.supervisor import Supervisor; "
        "Supervisor({'child': ('sh', '-c', sys.argv[1])}).run()"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, child], cwd=ROOT, env={**os.environ})
    until(lambda: said.exists() and said.read_text().strip(), "the child to start")
    parent.kill()
    parent.wait(10)
    until(lambda: "ended" in said.read_text(), "the child to end")
