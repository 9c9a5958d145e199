"""The jail of bots, and the files of a memory cgroup, whose kernel is played here."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import SandboxUnavailable, as_runner, identity
from sandbox.exit_causes import MemoryEvents
from sandbox.staging import store
from sandbox.staging.store import MANIFEST
from sandbox.walls import cgroup, jail

LIMIT = 544 << 20
VERSION_1 = {"memory.limit_in_bytes": "9223372036854771712", "memory.failcnt": "0"}
VERSION_1 |= {"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n", "cgroup.procs": ""}
VERSION_2 = {"memory.max": "max", "memory.swap.max": "max", "cgroup.procs": ""}
VERSION_2 |= {"memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n"}


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    (tmp_path / "cgroup.subtree_control").write_text("pids")
    return tmp_path


def play_kernel(monkeypatch: pytest.MonkeyPatch, files: dict[str, str], busy: int = 0) -> None:
    """Every new directory gets these files, and goes with them once it was `busy` so many times."""
    make = Path.mkdir
    left = [busy]

    def made(path: Path) -> None:
        make(path)
        for name, text in files.items():
            (path / name).write_text(text)

    def removed(path: Path) -> None:
        if left[0]:
            left[0] -= 1
            raise OSError(errno.EBUSY, "Device or resource busy")
        shutil.rmtree(path)

    monkeypatch.setattr(Path, "mkdir", made)
    monkeypatch.setattr(Path, "rmdir", removed)


def test_a_group_of_version_2_has_its_limit_no_swap_and_its_counts_in_one_file(
    parent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_kernel(monkeypatch, VERSION_2)
    group = cgroup.make(parent, LIMIT)
    assert (parent / "cgroup.subtree_control").read_text() == "+memory"
    assert (group.path / "memory.max").read_text() == str(LIMIT)
    assert (group.path / "memory.swap.max").read_text() == "0"
    group.add(1234)
    assert (group.path / "cgroup.procs").read_text() == "1234"
    # That it was full, and that a process was ended; the others say nothing about a bot's end.
    assert group.events() == MemoryEvents()
    (group.path / "memory.events").write_text("low 7\nhigh 6\nmax 5\noom 2\noom_kill 1\noom_group_kill 0\n")
    assert group.events() == MemoryEvents(oom=2, oom_kill=1)


def test_the_counts_of_version_1_are_in_two_files(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (parent / "cgroup.subtree_control").unlink()
    play_kernel(monkeypatch, VERSION_1)
    group = cgroup.make(parent, LIMIT)
    assert (group.path / "memory.limit_in_bytes").read_text() == str(LIMIT)
    (group.path / "memory.failcnt").write_text("3\n")
    (group.path / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    assert group.events() == MemoryEvents(oom=3, oom_kill=1)


def test_a_limit_that_cannot_be_set_leaves_no_group(parent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_kernel(monkeypatch, VERSION_2)
    write = Path.write_text

    def refuse(path: Path, text: str) -> int:
        if path.name == "memory.max" and text != "max":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return write(path, text)

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(SandboxUnavailable, match=r"cannot be used: .*Permission denied"):
        cgroup.make(parent, LIMIT)
    assert [path.name for path in parent.iterdir()] == ["cgroup.subtree_control"]


@pytest.fixture
def trees(tmp_path: Path) -> Iterator[tuple[Path, Path, Path]]:
    image, view = tmp_path / "image", tmp_path / "view"
    library = image / "usr" / "lib"
    (view / "player" / "engine").mkdir(parents=True)
    library.mkdir(parents=True)
    (library / "os.py").write_text("library")
    (view / "player" / "engine" / "rules.py").write_text("rules")
    (view / "stub.pyc").write_text("stub")
    for tree in (image, view):
        (tree / MANIFEST).write_text("what it holds")
        for path in tree.rglob("*"):
            store.freeze_access_time(path)
    yield tmp_path / "jails" / "0123", image, view
    store.remove_tree(tmp_path / "jails")


def test_a_jail_has_the_same_files_at_the_paths_of_the_host(trees: tuple[Path, Path, Path]) -> None:
    target, image, view = trees
    jail.ensure(target, image, view)
    assert (target / "usr/lib/os.py").samefile(image / "usr/lib/os.py")
    assert (target / "arena/player/engine/rules.py").samefile(view / "player/engine/rules.py")
    assert (target / "arena/stub.pyc").samefile(view / "stub.pyc")
    for directory, _, _ in os.walk(target):
        mode = Path(directory).stat().st_mode & 0o777
        assert mode == (0o711 if directory == str(target / jail.GAMES) else 0o555), directory


def test_looking_around_in_a_jail_leaves_its_times_of_access(trees: tuple[Path, Path, Path]) -> None:
    target, image, view = trees
    jail.ensure(target, image, view)
    for path in target.rglob("*"):
        if path.is_file():
            path.read_bytes()
        elif path.is_symlink():
            path.exists()
    kept = {path for path in target.rglob("*") if path.lstat().st_atime_ns == store.FROZEN_NS}
    others = {target / MANIFEST, target / jail.GAMES, *(target / "dev").iterdir()}
    assert {*target.rglob("*")} - kept <= others
    assert target.stat().st_atime_ns == store.FROZEN_NS


def test_a_jail_is_built_again_when_its_image_or_view_is(trees: tuple[Path, Path, Path]) -> None:
    target, image, view = trees
    jail.ensure(target, image, view)
    first = target.stat().st_ino
    jail.ensure(target, image, view)
    assert target.stat().st_ino == first
    (view / MANIFEST).rename(view / "old")
    (view / MANIFEST).write_text("what it holds")
    jail.ensure(target, image, view)
    assert target.stat().st_ino != first
    assert (target / "usr/lib/os.py").exists()


def test_where_no_device_can_be_made_null_is_an_empty_file(
    trees: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:

    def refuse(*_: object) -> None:
        raise PermissionError

    target, image, view = trees
    monkeypatch.setattr(os, "mknod", refuse)
    jail.ensure(target, image, view)
    assert (target / "dev/null").read_bytes() == b""
    assert not (target / "dev/urandom").exists()
    assert not jail.has_devices(target)


def test_the_runner_may_change_a_root_where_we_may_and_gains_nothing_else() -> None:
    command, dropped = as_runner(["cat", "/proc/self/status"])
    text = subprocess.run(command, capture_output=True, text=True, check=True, **dropped).stdout
    held = dict(line.split(":\t", 1) for line in text.splitlines())
    permitted = int(held["CapPrm"], 16)
    assert permitted in (0, 1 << identity.CAP_SYS_CHROOT)
    if identity.runner_identity() is not None:
        assert "0" not in held["Uid"].split()
        assert held["Groups"].strip() == ""
        assert permitted == jail.possible() << identity.CAP_SYS_CHROOT
