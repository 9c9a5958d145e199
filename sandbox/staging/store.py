"""Writes directories once, completely or not at all, and keeps those in use from being cleaned away.

Everything gets onto the stage this way. A shared lock on a directory's manifest says that it is in use.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.errors import SandboxUnavailable
from sandbox.identity import runner_identity

if TYPE_CHECKING:
    from collections.abc import Mapping

BUILDING = ".building-"
ABANDONED_SECONDS = 3600.0
FROZEN_NS = 4_102_444_800 * 10**9
"""The year 2100."""
MANIFEST = "MANIFEST"

_held: dict[Path, int] = {}
_holding = threading.Lock()


def prepare_root(root: Path, advice: str = "set CRAPETTE_STAGE") -> None:
    """Create the folder of all stages, or check that only we may write to it."""
    try:
        root.mkdir(mode=0o755, parents=True, exist_ok=True)
        about = root.stat()
    except OSError as error:
        raise SandboxUnavailable(f"the stage cannot be made: {error}", advice) from error
    if about.st_uid != os.geteuid() or about.st_mode & 0o022:
        raise SandboxUnavailable(
            f"expected {root} to be owned by uid {os.geteuid()} and writable by nobody else, got uid "
            f"{about.st_uid}, mode {stat.S_IMODE(about.st_mode):o}",
            f"give it to us or {advice}",
        )


def closed_folder(root: Path, name: str) -> Path:
    """Where in `root` a folder lies that only we and the playing uid can enter (see `make_closed`).

    If we are root, each playing uid has its own. So two arenas of one host with different ones do not take
    each other's.
    """
    runner = runner_identity()
    return root / (name if runner is None else f"{name}-{runner[0]}")


def make_closed(folder: Path) -> None:
    """Create `folder` or restrict its mode, so that only we and the playing uid can enter it."""
    runner = runner_identity()
    mode = 0o700 if runner is None else 0o710
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
        about = folder.stat()
        if runner is not None and about.st_gid != runner[1]:
            os.chown(folder, -1, runner[1])
        if stat.S_IMODE(about.st_mode) != mode:
            folder.chmod(mode)
    except OSError as error:
        raise SandboxUnavailable(f"{folder} cannot be made: {error}", "set CRAPETTE_STAGE") from error


def write_tree(
    target: Path,
    files: Mapping[str, bytes],
    executable: frozenset[str] = frozenset(),
    building: Path | None = None,
) -> None:
    """Write `files` (relative path to content) as the read-only directory `target`, atomically.

    A second writer finds the first one's directory and keeps it, since the same name means the same content.
    Half-written content is in `building`, next to it.
    """
    if target.exists():
        return
    building = building or target.parent / f"{BUILDING}{os.getpid()}-{os.urandom(4).hex()}"
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    building.mkdir(mode=0o755)
    for name, content in files.items():
        path = building / name
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        with path.open("xb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        path.chmod(0o555 if name in executable else 0o444)
    for directory, _, _ in os.walk(building, topdown=False):
        Path(directory).chmod(0o555)
    put_in_place(building, target)


def put_in_place(building: Path, target: Path) -> None:
    """Rename a directory that is complete; remove it if another process was first."""
    try:
        building.rename(target)
    except OSError:
        remove_tree(building)
        if not target.exists():
            raise


def freeze_access_time(path: Path) -> None:
    """Keep the kernel from updating the access time, which would tell one bot what another has read.

    The time is set in the future: mounts with `relatime`, the default, only replace a time in the past.
    """
    os.utime(path, ns=(FROZEN_NS, path.stat().st_mtime_ns))


def remove_tree(tree: Path) -> None:
    """Remove a read-only directory. It is no error if it is already gone."""
    for directory, _, _ in os.walk(tree):
        Path(directory).chmod(0o755)
    shutil.rmtree(tree, ignore_errors=True)


def set_aside(tree: Path) -> None:
    """Move a damaged directory away. Cleaning removes it once nobody can be using it."""
    aside = tree.parent / f"{BUILDING}damaged-{os.urandom(4).hex()}"
    with contextlib.suppress(OSError):
        tree.rename(aside)
        os.utime(aside)


def remove_abandoned(parent: Path) -> None:
    """Remove what builders left half done when they died, an hour or more ago."""
    for path in parent.glob(f"{BUILDING}*"):
        if older_than(path, ABANDONED_SECONDS):
            remove_tree(path)


def older_than(path: Path, seconds: float) -> bool:
    """Whether it was last touched longer ago; False when it is gone."""
    try:
        return path.stat().st_mtime < time.time() - seconds
    except FileNotFoundError:
        return False


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
        remove_tree(path)
    except BlockingIOError:
        pass  # somebody plays from it
    finally:
        os.close(lock)
