"""Copies a bot's files for one game at level `confined`, and removes them afterwards.

At `full` bubblewrap makes the copy, inside the sandbox. Two bots that have a page of one file could wake each
other through it, and one game could leave traces in the folder for the next.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from typing import TYPE_CHECKING

from sandbox.errors import SandboxUnavailable
from sandbox.staging import store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

BEGINNING_SECONDS = 60.0
"""How soon a copy that nobody has locked yet may still be locked."""


@contextlib.contextmanager
def copy_bot(directory: Path, files: Iterable[Path], games: Path) -> Iterator[Path]:
    """Yield a copy of `directory` in `games`, a directory on a tmpfs, and remove it afterwards.

    A lock says that it is in use.
    """
    # By chance alone: the bot sees this name, and the numbers of processes are counted for the whole machine.
    target = games / os.urandom(8).hex()
    held = -1
    try:
        try:
            target.mkdir(mode=0o755)
            held = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
            fcntl.flock(held, fcntl.LOCK_SH)
            for path in files:
                copy = target / path.relative_to(directory)
                copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
                copy.chmod(0o555 if path.stat().st_mode & 0o111 else 0o444)
                store.freeze_access_time(copy)
        except OSError as error:
            raise SandboxUnavailable(f"the bot's files cannot be copied to {games}: {error}") from error
        yield target
    finally:
        shutil.rmtree(target, ignore_errors=True)
        if held >= 0:
            os.close(held)


def remove_abandoned(games: Path) -> None:
    """Remove the copies of games that were killed, unless they began a moment ago."""
    for path in games.glob("[0-9a-f]*"):
        if store.older_than(path, BEGINNING_SECONDS) and not _is_held(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_held(copy: Path) -> bool:
    """Whether somebody plays from a copy, or it is gone already."""
    try:
        lock = os.open(copy, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(lock)
    return False
