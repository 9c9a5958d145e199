"""The jail of bots at `confined`: links to what lies in memory already, and no trace of who looked at it."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import as_runner, identity
from sandbox.staging import store
from sandbox.staging.tree_locks import MANIFEST
from sandbox.walls import jail


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
