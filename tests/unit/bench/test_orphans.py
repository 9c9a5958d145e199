"""What a process used is counted, also if its parent was killed."""

from __future__ import annotations

import subprocess
import sys
import time

from tools.bench.orphans import Orphans

BURN = "import time\nwhile time.process_time() < 0.3: pass\n"
PARENT = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, '-c', {BURN!r}])
print(flush=True)
time.sleep(600)
"""


def test_the_time_of_a_child_is_counted_though_its_parent_was_killed() -> None:
    with (
        subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent,
        Orphans(lambda: [parent.pid]) as orphans,
    ):
        assert parent.stdout is not None
        parent.stdout.readline()
        parent.kill()
        deadline = time.monotonic() + 60
        while orphans.seconds < 0.3 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert parent.wait(60) == -9
    assert orphans.seconds >= 0.3
