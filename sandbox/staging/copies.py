"""Copies a bot's files for one game at level `confined`, and removes them afterwards.

At `full` bubblewrap makes the copy, inside the sandbox. Two bots that have a page of one file could wake each
other through it, and one game could leave traces in the folder for the next.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING

from sandbox.errors import SandboxUnavailable
from sandbox.staging import store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@contextlib.contextmanager
def copied(directory: Path, files: Iterable[Path], games: Path) -> Iterator[Path]:
    """Yield a copy of `directory` in `games`, a directory on a tmpfs, and remove it afterwards."""
    target = games / f"{os.getpid()}-{os.urandom(8).hex()}"
    try:
        try:
            target.mkdir(mode=0o755)
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


def remove_abandoned(games: Path) -> None:
    """Remove the copies of games that were killed."""
    for path in games.glob("*-*"):
        pid = path.name.partition("-")[0]
        if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):  # noqa: PTH110
            shutil.rmtree(path, ignore_errors=True)
