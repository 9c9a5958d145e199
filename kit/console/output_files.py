"""The files that commands write: checked before the work begins, and written completely or not at all."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING

from kit.console.command import BadUsage

if TYPE_CHECKING:
    from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file completely or not at all; a symbolic link keeps pointing to it."""
    path = path.resolve()
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(data)
    fresh.replace(path)


def writable_file(option: str, path: Path) -> None:
    """Raise BadUsage if no file can be written there."""
    target = path.resolve()
    folder = target.parent
    usable = folder.is_dir() and os.access(folder, os.W_OK) and not folder.is_relative_to("/proc")
    if not usable or (target.exists() and not target.is_file()):
        raise BadUsage(f"expected {option} to name a file in a writable folder, got {str(path)!r}")


def new_file(option: str, path: Path, *, resume: bool = False) -> None:
    """Raise BadUsage if the file already has content or cannot be written.

    `resume` says that the command can continue from what is there, if it is asked to.
    """
    writable_file(option, path)
    if path.exists() and not (path.is_file() and not path.stat().st_size):
        go_on = "add --resume to continue it, or " if resume else ""
        raise BadUsage(f"{str(path)!r} already exists: {go_on}give {option} a new file")


def no_records(option: str, path: Path) -> None:
    """Raise BadUsage if the folder has records of games that would be overwritten."""
    if any(re.fullmatch(r"\d{4,}-\d\.json", each.name) for each in path.iterdir()):
        raise BadUsage(
            f"{str(path)!r} contains records of other games:"
            f" add --resume to continue, or give {option} another folder"
        )


def made_folder(option: str, path: Path) -> None:
    """Create the folder if necessary; raise BadUsage if it is not writable."""
    with contextlib.suppress(OSError):
        path.mkdir(parents=True, exist_ok=True)
    if not path.is_dir() or not os.access(path, os.W_OK):
        raise BadUsage(f"expected {option} to name a writable folder, got {str(path)!r}")
