"""What bots see lies in memory: built once, built again when its sources change, and never on a disk."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import SandboxUnavailable
from sandbox.staging import copies, image, store
from sandbox.staging.interpreter import Interpreter
from sandbox.staging.tree_locks import MANIFEST

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
def sources(tmp_path: Path) -> Interpreter:
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
    sources: Interpreter, target: Path
) -> None:
    """Nobody may write them, and nothing unneeded is there; on a mount with relatime, as all are that nobody
    changed."""
    image.ensure(target, [sources], [])
    found = {path for path in target.rglob("*") if path.is_file()}
    library, program = (Path(f"{target}{path}") for path in (sources.trees[0] / "os.py", sources.executable))
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
