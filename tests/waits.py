"""What a thread does that may take long for another reason than the database or the processor."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

EVENTS: Final = frozenset(
    {"subprocess.Popen", "os.system", "socket.connect", "socket.getaddrinfo", "fcntl.flock", "fcntl.lockf"}
)
"""As Python's audit hooks name them (PEP 578). Databases connect without one."""
_lists: list[list[str]] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _lists and event in EVENTS:
        _lists[-1].append(f"{event}{arguments!r}"[:200])


sys.addaudithook(_hook)


@contextmanager
def waits() -> Iterator[list[str]]:
    """Every such thing that happens in the block, in a list."""
    found: list[str] = []
    sleep = time.sleep

    def slept(seconds: float) -> None:
        found.append(f"time.sleep({seconds})")
        sleep(seconds)

    _lists.append(found)
    try:
        with mock.patch.object(time, "sleep", slept):
            yield found
    finally:
        _lists.pop()
