"""Sessions yield as their processes do, where the kernel groups processes by session."""

import subprocess
import sys
import time
from pathlib import Path

from sandbox.autogroup import TOO_SOON_SECONDS, set_group_nice

GROUPED = Path("/proc/self/autogroup").exists()


def test_a_session_gets_the_niceness_it_is_given_where_there_are_groups() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            tries = 0
            # Plain users are told to try again while somebody else on this machine does the same.
            while not set_group_nice(process.pid, 5):
                assert (tries := tries + 1) < 100
                time.sleep(TOO_SOON_SECONDS)
            if GROUPED:
                assert Path(f"/proc/{process.pid}/autogroup").read_text().endswith("nice 5\n")
        finally:
            process.kill()
