"""What this machine lets the tests do to it: mount a small disk, cut a network, turn a process's clock."""

from __future__ import annotations

import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.faults.places import Network, clock_turned, small_disk

if TYPE_CHECKING:
    from collections.abc import Callable

LEFT_OUT: Final = {
    "disk": "a full disk, because this machine lets us mount none",
    "network": "a network that is cut, because this machine lets us make no network namespace",
    "clock": "a clock that jumps, because no C compiler here makes a library that turns it",
}
"""What is not tested where something is impossible, by what that is."""


def _disk() -> None:
    with tempfile.TemporaryDirectory() as folder, small_disk(Path(folder) / "disk"):
        pass


def _network() -> None:
    with Network():
        pass


def _clock() -> None:
    with tempfile.TemporaryDirectory() as folder:
        clock_turned(Path(folder), 3600)


PROBES: Final[dict[str, Callable[[], None]]] = {"disk": _disk, "network": _network, "clock": _clock}


@cache
def lacking() -> dict[str, str]:
    """What is impossible on this machine, with the error that its trial met."""
    found = {}
    for name, probe in PROBES.items():
        try:
            probe()
        except subprocess.CalledProcessError as error:
            said = (error.stderr or b"").decode(errors="replace").strip().splitlines()
            found[name] = said[0] if said else str(error)
        except (OSError, AssertionError) as error:
            found[name] = str(error)
    return found


def sentences() -> list[str]:
    """A sentence about each case that is left out here."""
    return [f"Not tested here: {LEFT_OUT[name]} ({error})." for name, error in lacking().items()]
