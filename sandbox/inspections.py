"""Limits how many uploads this host inspects at once, and gives each a temporary folder.

<root>/inspections/<slot>.lock     held by whoever inspects
                      /<slot>-<random> what the inspected upload is unpacked to

The kernel drops the lock of a process that dies. So the next process that starts or inspects finds the slot
free, and removes what was left in it.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sandbox.staging import store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FOLDER: Final = "inspections"
AT_ONCE: Final = max(2, (os.cpu_count() or 1) // 2)
LARGE: Final = "large"
"""The slot of large uploads, one at a time: each takes some hundred megabytes of memory while it lasts."""
POLL_SECONDS: Final = 0.05


class InspectionsBusy(Exception):
    """All slots stayed occupied for as long as the caller was willing to wait."""


@contextmanager
def place(root: Path, wait: float, slots: int = AT_ONCE, *, large: bool = False) -> Iterator[Path]:
    """Yield a path to unpack one upload to, and remove it afterwards.

    Raises InspectionsBusy after `wait` seconds.
    """
    names = [LARGE] if large else [str(slot) for slot in range(slots)]
    folder = store.closed_folder(root, FOLDER)
    store.make_closed(folder)
    slot, lock = _take(folder, time.monotonic() + wait, names)
    try:
        _empty(folder, slot)
        yield folder / f"{slot}-{secrets.token_hex(8)}"
    finally:
        _empty(folder, slot)
        os.close(lock)


def remove_abandoned(root: Path) -> None:
    """Remove what inspections left behind when their process died."""
    folder = store.closed_folder(root, FOLDER)
    for slot in {path.name.partition("-")[0] for path in folder.glob("*-*")}:
        lock = _try(folder, slot)
        if lock is not None:
            _empty(folder, slot)
            os.close(lock)


def _take(folder: Path, deadline: float, slots: Sequence[str]) -> tuple[str, int]:
    while True:
        for slot in slots:
            lock = _try(folder, slot)
            if lock is not None:
                return slot, lock
        if time.monotonic() >= deadline:
            raise InspectionsBusy
        time.sleep(POLL_SECONDS)


def _try(folder: Path, slot: str) -> int | None:
    """Return a descriptor that holds the slot, or None if someone else has it, even in this process."""
    lock = os.open(folder / f"{slot}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def _empty(folder: Path, slot: str) -> None:
    """Remove everything in a slot that we hold, including half-written folders."""
    for path in folder.glob(f"{slot}-*"):
        store.remove_tree(path)
