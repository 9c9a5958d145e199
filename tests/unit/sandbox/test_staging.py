"""The stage and what bots see: built once, whole or not at all, and cleaned without hurting who plays."""

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
from sandbox.staging import copies, image, sources, store, wheels
from sandbox.staging.interpreter import Interpreter
from sandbox.staging.sources import SOURCE
from sandbox.staging.stage import BOTS, PYTHON_FLAGS, clean
from sandbox.staging.store import MANIFEST


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


MOUNTS = b"""\
22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda rw
23 22 0:20 / /dev/shm rw,nosuid,nodev - tmpfs tmpfs rw
24 22 0:21 / /run rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=1g
25 24 0:22 / /run/a\\040b rw shared:7 master:2 - ramfs none rw
26 22 0:23 / /srv rw - tmpfs tmpfs rw
27 22 254:2 / /srv rw - ext4 /dev/vdb rw
"""


def test_the_mount_of_a_path_is_the_last_of_the_deepest_as_the_kernel_resolves_it() -> None:
    for path, kind, options in (
        ("/var/lib/crapette", "ext4", "rw relatime"),
        ("/dev/shm/crapette-0", "tmpfs", "rw nosuid nodev"),
        ("/dev/shmoo", "ext4", "rw relatime"),
        ("/run/crapette", "tmpfs", "rw nosuid nodev noexec"),
        ("/run/a b/c", "ramfs", "rw"),
        ("/srv/x", "ext4", "rw"),
    ):
        assert image.mount_of(Path(path), MOUNTS) == image.Mount(kind, frozenset(options.split()))


def test_a_directory_on_a_disk_is_refused() -> None:
    place = Path("/var/tmp") / f"crapette-image-{os.getpid()}"
    try:
        with pytest.raises(SandboxUnavailable, match="to lie on a tmpfs, it is on ") as refusal:
            image.memory_root({image.SETTING: str(place)})
        assert refusal.value.hint == image.ADVICE
    finally:
        place.rmdir()


@pytest.fixture
def image_sources(tmp_path: Path) -> Interpreter:
    library = tmp_path / "lib"
    (library / "test").mkdir(parents=True)
    (library / "os.py").write_text("one")
    (library / "test" / "huge.py").write_text("left out")
    program = tmp_path / "python"
    program.write_text("#!")
    program.chmod(0o755)
    return Interpreter(program, tmp_path, (), (library,))


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "images" / "0123"
    store.remove_tree(tmp_path / "images")


def test_an_image_holds_the_files_at_their_own_paths_and_reading_leaves_their_time_of_access(
    image_sources: Interpreter, target: Path
) -> None:
    """Nobody may write them, and nothing unneeded is there; on a mount with relatime, as all are that nobody
    changed."""
    image.ensure(target, [image_sources], [])
    found = {path for path in target.rglob("*") if path.is_file()}
    library, program = (
        Path(f"{target}{path}") for path in (image_sources.trees[0] / "os.py", image_sources.executable)
    )
    assert found == {target / MANIFEST, library, program}
    assert [path.stat().st_mode & 0o777 for path in (program, library)] == [0o555, 0o444]
    before = library.stat().st_atime_ns
    library.read_bytes()
    list(library.parent.iterdir())
    assert library.stat().st_atime_ns == before == store.FROZEN_NS
    assert library.parent.stat().st_atime_ns == store.FROZEN_NS


def test_a_bots_copy_goes_with_its_game(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    (bot / "data").mkdir(parents=True)
    (bot / "bot").write_bytes(b"x")
    (bot / "bot").chmod(0o555)
    (bot / "data" / "weights").write_bytes(b"y")
    games = tmp_path / "games"
    games.mkdir()
    with copies.copy_bot(bot, [bot / "bot", bot / "data" / "weights"], games) as copy:
        assert (copy / "data" / "weights").read_bytes() == b"y"
        assert (copy / "bot").stat().st_mode & 0o777 == 0o555
        assert (copy / "bot").stat().st_ino != (bot / "bot").stat().st_ino
        os.utime(copy, (1, 1))
        copies.remove_abandoned(games)
        assert copy.exists()
    assert list(games.iterdir()) == []
    killed, begins = games / "abcd", games / "ef01"
    killed.mkdir()
    os.utime(killed, (1, 1))
    begins.mkdir()
    copies.remove_abandoned(games)
    assert list(games.iterdir()) == [begins]


PYTHON = Path(sys.executable).resolve()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "python-onnx"
    for name, text in {
        "numpy/__init__.py": "VALUE = 1\n",
        "numpy/tests/test_all.py": "left out",
        "numpy.libs/libblas.so.3": "a library",
        "numpy-9.8.7.dist-info/METADATA": "",
        "onnxruntime/__init__.py": "",
        "onnxruntime/capi/libonnxruntime.so.1": "left out",
        "onnxruntime/capi/provider.so": "a library",
        "onnxruntime/tools/huge.py": "left out",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.setattr(wheels, "FOLDER", folder)
    return folder


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "memory").mkdir()
    yield tmp_path / "memory"
    store.remove_tree(tmp_path / "memory")


def used(memory: Path) -> Path:
    copy = wheels.ensure(memory, {}, PYTHON)
    assert copy is not None
    wheels.use(copy, memory, {})
    return copy


def test_a_copy_holds_what_bots_import_compiled_and_read_only(installed: Path, memory: Path) -> None:
    copy = wheels.ensure(memory, {}, PYTHON)
    assert copy is not None
    found = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
    tag = sys.implementation.cache_tag
    assert {name for name in found if not name.startswith("lib/")} == {
        *("packages/numpy/__init__.py", f"packages/numpy/__pycache__/__init__.{tag}.pyc"),
        *("packages/onnxruntime/__init__.py", f"packages/onnxruntime/__pycache__/__init__.{tag}.pyc"),
        *("packages/numpy.libs/libblas.so.3", "packages/onnxruntime/capi/provider.so"),
        *("cpuinfo", "cpu/online", "cpu/possible", "cpu/present", MANIFEST),
    }
    assert all(path.stat().st_mode & 0o222 == 0 for path in copy.rglob("*"))
    program = "import sys; sys.path.append(sys.argv[1]); import numpy; print(numpy.VALUE)"
    command: list[str | Path] = [PYTHON, "-I", "-S", "-c", program, str(copy / "packages")]
    assert subprocess.check_output(command, text=True) == "1\n"


def test_what_was_installed_since_is_found_by_who_is_playing_already(installed: Path, memory: Path) -> None:
    first = used(memory)
    assert used(memory) == first
    playing = {wheels.LINK: str(wheels.link(memory, {}))}
    assert wheels.current(Path("/nowhere"), playing) == first
    (installed / "numpy" / "__init__.py").write_text("VALUE = 'another'\n")
    second = wheels.ensure(memory, {}, PYTHON)
    assert second not in (None, first)
    assert wheels.current(Path("/nowhere"), playing) == first, "until there is a jail with it"
    assert used(memory) == second
    assert wheels.current(Path("/nowhere"), playing) == second


def test_nothing_is_copied_without_room_or_if_a_package_is_missing(
    installed: Path, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(wheels, "ROOM", 1 << 60)
        assert wheels.ensure(memory, {}, PYTHON) is None
    assert list(memory.iterdir()) == []
    store.remove_tree(installed / "onnxruntime")
    assert wheels.ensure(memory, {}, PYTHON) is None
    assert wheels.current(memory, {}) is None
    assert wheels.places() == []


def test_an_image_is_built_again_when_a_source_changes(image_sources: Interpreter, target: Path) -> None:
    copy, inodes = Path(f"{target}{image_sources.trees[0]}/os.py"), []
    for _ in range(2):
        image.ensure(target, [image_sources], [])
        inodes.append(copy.stat().st_ino)
    assert inodes[0] == inodes[1]
    (image_sources.trees[0] / "os.py").write_text("another")
    assert not image.is_current(target)
    image.ensure(target, [image_sources], [])
    assert copy.read_text() == "another"
