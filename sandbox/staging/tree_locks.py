"""Keeps directory trees that are in use from being cleaned away, with a shared lock on their manifest."""

from __future__ import annotations

import fcntl
import os
import threading
from typing import TYPE_CHECKING

from sandbox.staging import store

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = "MANIFEST"

_held: dict[Path, int] = {}
_holding = threading.Lock()


def hold(path: Path) -> None:
    """Keep a stage while this process lives. Raises FileNotFoundError if it has already been cleaned away.

    The shared lock on its manifest is taken once for each process, and goes with it.
    """
    manifest = path / MANIFEST
    with _holding:
        there = manifest.stat().st_ino
        if path in _held and os.fstat(_held[path]).st_ino == there:
            return
        lock = os.open(manifest, os.O_RDONLY | os.O_CLOEXEC)
        fcntl.flock(lock, fcntl.LOCK_SH)
        if not manifest.exists() or os.fstat(lock).st_ino != manifest.stat().st_ino:
            os.close(lock)
            raise FileNotFoundError(manifest)
        if path in _held:
            os.close(_held[path])
        _held[path] = lock


def let_go(path: Path) -> None:
    """The opposite of `hold`."""
    with _holding:
        os.close(_held.pop(path))


def remove_unheld(path: Path) -> None:
    """Remove a tree unless somebody holds it."""
    try:
        lock = os.open(path / MANIFEST, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        store.remove_tree(path)
    except BlockingIOError:
        pass  # somebody plays from it
    finally:
        os.close(lock)
