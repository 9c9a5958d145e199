"""What is written to the files of a memory cgroup, and read from them.

The kernel's part is played here: directories stand in for cgroups, and get the files that the kernel would
make. `tests/security/test_cgroup.py` has the kernel itself, in the version that the host runs.
"""

import errno
import shutil
from pathlib import Path

import pytest

from sandbox import SandboxUnavailable
from sandbox.exit_causes import MemoryEvents
from sandbox.walls import cgroup

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
