"""Builds a root directory in memory for bots at level `confined`, if we may change a process's root.

Without a mount namespace, a bot can look up any name of the host, and a disk's file system remembers failed
lookups. In a jail there is only tmpfs, which remembers none. It is made of hard links, so it takes almost no
memory:

<memory>/jails/<digest>/usr/…        the image's interpreters and libraries (see `image`)
                           /arena/player the stage's view
                           /arena/stub.pyc
                           /arena/wheels NumPy and ONNX Runtime, if they are installed (see `wheels`)
                           /dev/null, /dev/urandom
                           /games/<name> one copy of a bot's files for each sandbox (see `copies`)
                           /MANIFEST     which image and view it was made of

Changing the root takes CAP_SYS_CHROOT. The playing process keeps that one capability (`identity.as_runner`)
and hands it to nobody but the stub, which gives it up before the bot starts.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.errors import SandboxUnavailable
from sandbox.identity import CAP_SYS_CHROOT, holds_chroot, runner_identity
from sandbox.staging import copies, store, wheels
from sandbox.staging.image import ADVICE
from sandbox.staging.store import MANIFEST
from sandbox.walls import bubblewrap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CHROOT = (Path("/usr/sbin/chroot"), Path("/usr/bin/chroot"))
PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, PR_CAP_AMBIENT_CLEAR_ALL = 47, 2, 4
PLAYER, STUB, WHEELS = Path("arena/player"), Path("arena/stub.pyc"), Path("arena/wheels")
GAMES = "games"
DEVICES = {"null": (1, 3), "urandom": (1, 9)}


def possible() -> bool:
    """Whether our capabilities let processes we start change their root."""
    if not holds_chroot("CapPrm") or not any(path.exists() for path in CHROOT):
        return False
    return os.geteuid() == 0 or holds_chroot("CapInh")


@contextlib.contextmanager
def passed_on(wanted: bool) -> Iterator[None]:
    """If `wanted`, let programs that this thread starts in the block change their root, but no others."""
    keep_to_ourselves()
    if wanted:
        _ambient(PR_CAP_AMBIENT_RAISE, CAP_SYS_CHROOT)
    try:
        yield
    finally:
        if wanted:
            keep_to_ourselves()


def keep_to_ourselves() -> None:
    """Make sure that programs started by this thread inherit no capability."""
    _ambient(PR_CAP_AMBIENT_CLEAR_ALL, 0)


def _ambient(what: int, capability: int) -> None:
    zero = ctypes.c_ulong(0)
    if _libc.prctl(PR_CAP_AMBIENT, ctypes.c_ulong(what), ctypes.c_ulong(capability), zero, zero):
        number = ctypes.get_errno()
        raise OSError(number, f"the ambient capabilities cannot be changed: {os.strerror(number)}")


_libc = ctypes.CDLL(None, use_errno=True)


def command(jail: Path) -> list[str]:
    """Return the argv up to the program that runs in `jail`."""
    return [str(next(path for path in CHROOT if path.exists())), str(jail)]


def ensure(jail: Path, image: Path, view: Path, packages: Path | None = None) -> None:
    """Build the jail of this image, view and copy of `wheels`, replacing one that was made of others.

    Raises `SandboxUnavailable` on failure, and FileNotFoundError if a tree has been cleaned away.
    """
    trees = [tree for tree in (image, view, packages) if tree is not None]
    if jail.exists() and not _is_current(jail, trees):
        store.set_aside(jail)
    try:
        if not jail.exists():
            _build(jail, image, view, packages, _made_of(trees))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SandboxUnavailable(f"{jail} cannot be made: {error}", ADVICE) from error
    copies.remove_abandoned(jail / GAMES)


def has_devices(jail: Path) -> bool:
    """Whether devices work in it. The tmpfs may not allow any (nodev)."""
    return all(_works(jail / "dev" / name) for name in DEVICES)


def _is_current(jail: Path, trees: Sequence[Path]) -> bool:
    try:
        return (jail / MANIFEST).read_text() == _made_of(trees)
    except FileNotFoundError:
        return False


def _made_of(trees: Sequence[Path]) -> str:
    """Return what distinguishes trees that were built at the same place one after the other."""
    about = [(tree / MANIFEST).stat() for tree in trees]
    return "".join(f"{each.st_ino} {each.st_mtime_ns}\n" for each in about)


def _build(target: Path, image: Path, view: Path, packages: Path | None, made_of: str) -> None:
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    building = target.parent / f"{store.BUILDING}{os.getpid()}-{os.urandom(4).hex()}"
    _link_tree(image, building)
    _link_tree(view / "player", building / PLAYER)
    os.link(view / "stub.pyc", building / STUB)
    links = bubblewrap.system_links()
    if packages is not None:
        _link_tree(packages, building / WHEELS)
        links += wheels.system_links(bubblewrap.WHEELS)
    for where, leads_to in links:
        link = building / where.relative_to("/")
        link.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        link.symlink_to(leads_to)
        os.utime(link, ns=(store.FROZEN_NS, link.lstat().st_mtime_ns), follow_symlinks=False)
    (building / "tmp").mkdir()
    (building / "dev").mkdir()
    for name in DEVICES:
        _make_device(building / "dev" / name)
    (building / MANIFEST).write_text(made_of)
    for directory, _, _ in os.walk(building, topdown=False):
        Path(directory).chmod(0o555)
        store.freeze_access_time(Path(directory))
    building.chmod(0o755)
    _make_room_for_games(building / GAMES)
    building.chmod(0o555)
    store.freeze_access_time(building)
    store.put_in_place(building, target)


def _link_tree(source: Path, target: Path) -> None:
    """Copy a tree with hard links to its files. Directories cannot be linked, so they are new."""
    for directory, _, names in os.walk(source):
        there = target / Path(directory).relative_to(source)
        there.mkdir(mode=0o755, parents=True)
        for name in names:
            if name != MANIFEST:
                os.link(Path(directory, name), there / name)


def _make_room_for_games(games: Path) -> None:
    """Make a directory that only the runner may write.

    A bot has the same uid, but Landlock keeps it from listing.
    """
    games.mkdir(mode=0o711)
    identity = runner_identity()
    if identity is not None:
        os.chown(games, *identity)


def _make_device(path: Path) -> None:
    """Make a device. If that fails, make an empty file for /dev/null and none for /dev/urandom."""
    with contextlib.suppress(OSError):
        os.mknod(path, stat.S_IFCHR, os.makedev(*DEVICES[path.name]))
        path.chmod(0o666)
    if not _works(path):
        path.unlink(missing_ok=True)
        if path.name == "null":
            path.touch(mode=0o444)


def _works(device: Path) -> bool:
    try:
        with device.open("rb"):
            return device.is_char_device()
    except OSError:
        return False
