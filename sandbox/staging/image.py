"""Copies the interpreters and libraries that bots see to memory (tmpfs), where games leave no trace.

A disk's file system remembers which missing names were looked up, and which pages were read and when. A later
bot could measure or read that. tmpfs caches no missing names, and its pages are in memory from the start.

<memory>/images/<digest>/        the paths of this host: usr/bin/python3.11, usr/lib/…
                            /MANIFEST source, size and time of every file, and where it lies here
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox import proc
from sandbox.errors import SandboxUnavailable
from sandbox.staging import store
from sandbox.staging.store import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sandbox.staging.interpreter import Interpreter

SETTING = "CRAPETTE_TMPFS"
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108  (a directory of our own in it, checked for its owner and mode)
LAYOUT = "1"
"""Increase this whenever the content of images changes."""
IN_MEMORY = frozenset({"tmpfs", "ramfs"})
# Parts of the library that no bot imports. They are most of its size.
NOT_COPIED = frozenset(
    {
        *("site-packages", "dist-packages", "test", "tests", "idlelib", "tkinter", "ensurepip", "lib2to3"),
        *("turtledemo", "pydoc_data", "pkgconfig"),
    }
)
ADVICE = f"set {SETTING} to a directory on a tmpfs with 500 MB free that allows programs to run"


@dataclass(frozen=True, slots=True)
class Mount:
    """The mounted file system a path lies on."""

    kind: str
    options: frozenset[str]


def memory_root(environ: Mapping[str, str]) -> Path:
    """Create and check the folder in memory for stages and images. Raises `SandboxUnavailable` on failure."""
    setting = environ.get(SETTING)
    root = Path(setting) if setting else SHARED_MEMORY / f"crapette-{os.geteuid()}"
    store.prepare_root(root, f"set {SETTING}")
    mount = mount_of(root.resolve(), proc.read("/proc/self/mountinfo"))
    if mount.kind not in IN_MEMORY:
        raise SandboxUnavailable(f"expected {root} to lie on a tmpfs, it is on {mount.kind}", ADVICE)
    if "noexec" in mount.options:
        raise SandboxUnavailable(f"the tmpfs of {root} allows no program to run (noexec)", ADVICE)
    return root.resolve()


def mount_of(path: Path, mountinfo: bytes) -> Mount:
    """Return the mount that `path` lies on: the last of the deepest ones (proc_pid_mountinfo(5))."""
    best, found = -1, Mount("nothing", frozenset())
    for line in proc.mounts(mountinfo):
        where = Path(os.fsdecode(line.where))
        if path.is_relative_to(where) and len(where.parts) >= best:
            best = len(where.parts)
            found = Mount(os.fsdecode(line.kind), frozenset(map(os.fsdecode, line.options)))
    return found


def name_of(interpreters: Sequence[Interpreter]) -> str:
    """The name of the image that holds these interpreters."""
    names = "\n".join((LAYOUT, *(str(each.executable) for each in interpreters)))
    return hashlib.sha256(names.encode()).hexdigest()[:16]


def ensure(image: Path, interpreters: Sequence[Interpreter], more: Iterable[Path]) -> None:
    """Build the image of these interpreters and of all shared libraries they and `more` need.

    An existing image stays unless its sources have changed, for example by an upgrade of the host. Raises
    `SandboxUnavailable` if there is no room.
    """
    if image.exists() and not is_current(image):
        store.set_aside(image)
    if not image.exists():
        try:
            _build(image, interpreters, more)
        except OSError as error:
            advice = ADVICE if error.errno == errno.ENOSPC else ""
            raise SandboxUnavailable(f"the image of interpreters cannot be made: {error}", advice) from error


def is_current(image: Path) -> bool:
    """Whether no file has changed since the image was built."""
    try:
        lines = (image / MANIFEST).read_text().splitlines()
        return all(line == _stamp(Path(line.split("\t")[0])) for line in lines)
    except OSError:
        return False


def _stamp(source: Path) -> str:
    about = source.stat()
    return f"{source}\t{about.st_size}\t{about.st_mtime_ns}"


def _build(target: Path, interpreters: Sequence[Interpreter], more: Iterable[Path]) -> None:
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    building = target.parent / f"{store.BUILDING}{os.getpid()}-{os.urandom(4).hex()}"
    building.mkdir(mode=0o755)
    stamps = []
    sources = {file for each in interpreters for file in _files(each)}
    for source in sorted(sources | set(libraries_of([*sources, *more]))):
        copy = building / _merged(source).relative_to("/")
        copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        shutil.copy2(source, copy)  # with its times: compiled modules are compared with them
        copy.chmod(0o555 if os.access(source, os.X_OK) else 0o444)
        store.freeze_access_time(copy)
        stamps.append(_stamp(source))
    (building / MANIFEST).write_text("\n".join(stamps) + "\n")
    for directory, _, _ in os.walk(building, topdown=False):
        Path(directory).chmod(0o555)
        store.freeze_access_time(Path(directory))
    store.put_in_place(building, target)


def _merged(path: Path) -> Path:
    """Where a file lies once links in its directories are followed (/lib64 is often a link to /usr/lib64)."""
    return path.parent.resolve() / path.name


def _files(interpreter: Interpreter) -> Iterator[Path]:
    yield interpreter.executable
    for tree in interpreter.trees:
        for directory, folders, names in os.walk(tree):
            folders[:] = [name for name in folders if name not in NOT_COPIED and name[:7] != "config-"]
            yield from (Path(directory, name) for name in names if not name.endswith(".a"))


def libraries_of(programs: Sequence[Path]) -> Iterator[Path]:
    """The shared libraries, loader included, of those programs that have any."""
    binaries = [str(path) for path in programs if path.suffix != ".py" and _is_elf(path)]
    try:
        said = subprocess.run(["ldd", *binaries], capture_output=True, text=True, check=False).stdout
    except OSError as error:
        raise SandboxUnavailable(f"the libraries of the interpreters cannot be listed: {error}") from error
    for line in said.splitlines():
        name, _, where = line.strip().partition(" => ")
        library = (where or name).partition(" (")[0]
        if line.startswith("\t") and library.startswith("/"):
            yield _merged(Path(library))


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"
