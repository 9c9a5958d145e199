"""The stage: built once, whole or not at all, and cleaned without hurting who plays from it."""

import hashlib
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox import SandboxUnavailable, Stage
from sandbox.staging import sources, store
from sandbox.staging.sources import SOURCE
from sandbox.staging.stage import BOTS, PYTHON_FLAGS, clean
from sandbox.staging.tree_locks import MANIFEST


@contextmanager
def made_root() -> Iterator[Path]:
    """A root of our own that the runner could reach; pytest's own folders are closed to it."""
    path = Path(tempfile.mkdtemp(prefix="crapette-stage-", dir="/var/tmp"))
    path.chmod(0o755)
    try:
        yield path
    finally:
        store.remove_tree(path)


@pytest.fixture
def root() -> Iterator[Path]:
    with made_root() as path:
        yield path


@pytest.fixture(scope="module")
def built() -> Iterator[Path]:
    """A root with a stage, for tests that leave it whole: building one takes half a second."""
    with made_root() as path:
        Stage.ensure(path)
        yield path


def test_a_stage_holds_what_plays_and_nothing_of_the_site(built: Path) -> None:
    stage = Stage.ensure(built)
    names = set(stage.manifest)
    assert {"stub.pyc", "filters/python.bpf", "filters/native.bpf"} <= names
    assert {"player/engine/__init__.py", "player/kit/sdk/crapette/__init__.py"} <= names
    assert {"runner/sandbox/launch.py", "runner/referee/__main__.py"} <= names
    assert not [name for name in names if "models" in name or "settings" in name or "tests" in name]
    ours = [name for name in names if name.startswith("player/") and ("sandbox" in name or "referee" in name)]
    assert ours == ["player/sandbox/wasm/run.cjs"]  # what WebAssembly bots are run by
    tag = sys.implementation.cache_tag
    assert f"player/kit/sdk/crapette/__pycache__/__init__.{tag}.pyc" in names
    assert stage.damage() == ""
    for path in (stage.path, *stage.path.rglob("*")):
        assert not path.stat().st_mode & 0o222, "nobody may write to it"
    stamp = (stage.path / MANIFEST).stat().st_mtime_ns
    assert Stage.ensure(built).path == stage.path
    assert (stage.path / MANIFEST).stat().st_mtime_ns == stamp, "found, not built again"


def test_what_plays_imports_the_engine_also_where_nothing_could_compile_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "_wanted", lambda path: path.suffix == ".py")
    stage = Stage.ensure(root)
    code = "import engine; print(engine.turns.core.whole.__file__[-3:], engine.deal('crapo', 'x'))"
    command: list[str | Path] = [stage.python, *PYTHON_FLAGS, "-c", code]
    done = subprocess.run(command, env=stage.environment, capture_output=True, text=True, check=False)
    assert done.stdout.startswith(".py "), done.stderr


def build(root: Path) -> str:
    return Stage.ensure(root).path.name


def test_processes_that_build_at_once_get_one_stage(root: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        names = pool.map(build, [root] * 2)
    assert len(set(names)) == 1
    assert [path.name for path in (root / "stages").iterdir()] == [names[0]]


def test_a_damaged_stage_is_built_again(built: Path) -> None:
    stage = Stage.ensure(built)
    victim = stage.path / "stub.pyc"
    victim.chmod(0o644)
    victim.write_bytes(b"")
    victim.chmod(0o444)
    assert stage.damage().startswith("expected stub.pyc with sha256 '")
    again = Stage.ensure(built)
    assert again.path == stage.path
    assert again.damage() == ""


def test_what_bots_see_is_built_again_when_it_is_damaged(built: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="crapette-test-", dir="/dev/shm") as memory:
        Path(memory).chmod(0o755)
        environ = {"CRAPETTE_TMPFS": memory}
        stage = Stage.ensure(built, environ)
        assert stage.environment["CRAPETTE_TMPFS"] == memory
        victim = stage.view / "stub.pyc"
        good = victim.read_bytes()
        victim.chmod(0o644)
        victim.write_bytes(b"")
        assert Stage.ensure(built, environ).view == stage.view
        assert victim.read_bytes() == good
        assert not victim.stat().st_mode & 0o222
        for path in Path(memory).iterdir():
            store.remove_tree(path)


def test_a_half_written_directory_is_never_seen(built: Path) -> None:
    half = store.closed_folder(built, BOTS) / f"{store.BUILDING}999-abcd"
    half.mkdir(parents=True)
    stage = Stage.ensure(built)
    digest = hashlib.sha256(b"x").hexdigest()
    directory = stage.store_bot(digest, {"bot.py": b"x", "a/b": b"y"}, "bot.py")
    assert directory == store.closed_folder(built, BOTS) / digest
    assert (directory / "a" / "b").read_bytes() == b"y"
    assert directory.stat().st_mode & 0o777 == 0o555
    assert (directory / "bot.py").stat().st_mode & 0o777 == 0o555
    assert (directory / "a" / "b").stat().st_mode & 0o777 == 0o444
    os.utime(half, (1, 1))
    clean(built, keep=stage.path)
    assert not half.exists()
    assert directory.exists()


def test_cleaning_spares_what_somebody_holds(built: Path) -> None:
    current = Stage.ensure(built)
    old = built / "stages" / "0123"
    store.write_tree(old, {MANIFEST: b""})
    unused = store.closed_folder(built, BOTS) / ("0" * 64)
    store.write_tree(unused, {"bot.py": b"x"})
    long_ago = time.time() - 30 * 86400
    for path in (old, unused):
        os.utime(path, (long_ago, long_ago))
    # Without a fork, for the lock is to be gone as soon as the one process is.
    holder = subprocess.Popen(["flock", "--shared", "--no-fork", str(old / MANIFEST), "sleep", "60"])
    try:
        deadline = time.monotonic() + 10
        while subprocess.run(["flock", "-n", "-x", str(old / MANIFEST), "true"], check=False).returncode == 0:
            assert time.monotonic() < deadline
        clean(built, keep=current.path)
        assert old.exists()
        assert not unused.exists()
    finally:
        holder.kill()
        holder.wait()
    clean(built, keep=current.path)
    assert not old.exists()
    assert current.damage() == ""


def test_a_root_others_may_write_is_refused(root: Path) -> None:
    root.chmod(0o777)
    words = rf"^expected {root} to be owned by uid {os.geteuid()} and writable"
    with pytest.raises(SandboxUnavailable, match=words):
        Stage.ensure(root)


@pytest.mark.skipif(
    os.geteuid() != 0, reason="a plain user plays as itself and needs no other to reach the stage"
)
def test_a_stage_the_runner_cannot_reach_is_refused(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(SandboxUnavailable, match="cannot be read by an unprivileged uid"):
        Stage.ensure(closed / "root")


def test_the_playing_process_gets_no_secret(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRAPETTE_SECRET_KEY", "hush")
    environment = Stage.ensure(built).environment
    python = {"PYTHONPATH", "PYTHONHASHSEED", "LD_LIBRARY_PATH"}
    assert set(environment) <= {"PATH", "HOME", "LANG", "CRAPETTE_TMPFS", "CRAPETTE_WHEELS", *python}
    assert str(SOURCE) not in str(environment)


def test_a_bot_is_named_by_its_hash_alone(built: Path) -> None:
    stage = Stage.ensure(built)
    for name in ("", "x" * 64, "../" + "0" * 61, "A" * 64):
        with pytest.raises(ValueError, match=r"^expected a sha256 in hexadecimal, got '"):
            stage.bot_directory(name)
