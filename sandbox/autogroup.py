"""Make niceness count between sessions.

Where Linux groups processes by session (`sched_autogroup_enabled`, the default outside of cgroups), niceness
counts inside a session only: between two sessions the kernel shares the processor evenly, however nice their
processes are. Every process that plays has a session of its own, and so have the bots of each, so without
this six games would get twelve times the time of the process that serves pages. A session's group has a
niceness too, which everybody may raise for their own.
"""

from __future__ import annotations

import os
from typing import Final

TOO_SOON_SECONDS: Final = 0.1
"""On the whole machine, the kernel lets plain users change one group every so many seconds."""


def group_yields(pid: int) -> bool:
    """Let the session of a process yield as `group_nice` says; False if it is too soon, so try again.

    True if it is done, or if there is nothing to be done here.
    """
    nice = group_nice(os.getpriority(os.PRIO_PROCESS, 0))
    return nice <= 0 or set_group_nice(pid, nice)


def group_nice(nice: int) -> int:
    """The niceness of a session whose processes have this one: half of it.

    A session yields to those of all other programs on the machine, too, and where they leave no processor
    idle, games must still come to an end. At 5 it has a third of their share, at 10 a tenth.
    """
    return nice // 2


def set_group_nice(pid: int, nice: int) -> bool:
    """Give the session of a process this niceness; False if it is too soon, so try again."""
    try:
        with open(f"/proc/{pid}/autogroup", "w") as file:  # noqa: PTH123  (half the time of pathlib)
            file.write(str(nice))
    except BlockingIOError:
        return False
    except OSError:
        # No such groups here, or the process is gone.
        return True
    return True
