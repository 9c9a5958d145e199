"""Each bot in a memory cgroup of its own, where there is one to divide."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bots.sandbox import Level, SandboxUnavailable, cgroup, runner_identity
from tests.security.arena import as_runner, store
from tests.security.corpus import ATTACKS, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bots.sandbox import Stage

ROOTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory"))
MEBIBYTE = 1 << 20

SOURCE = """
import json, os, sys, time
from pathlib import Path
from bots.sandbox import BotFault, Level, Limits, Program, Stage
from bots.sandbox.launch import start
from bots.sandbox.plan import Plan

job = json.loads({job!r})
Path(os.environ["CRAPETTE_CGROUP"], "inside", "cgroup.procs").write_text(str(os.getpid()))
program = Program(Path(job["directory"]), "native", "bot")
without = frozenset({{"seccomp", "memory-samples"}})
bot = start(Plan(program, Limits(), Level(job["level"]), Stage.ensure(), without), verify=False)
groups = list(Path(os.environ["CRAPETTE_CGROUP"]).glob("bot-*"))
bot.send(b"go\\n", time.monotonic() + 10)
try:
    said = bot.read_line(time.monotonic() + 10).decode()
except BotFault as fault:
    said = type(fault).__name__
ended = bot.close()
left = list(Path(os.environ["CRAPETTE_CGROUP"]).glob("bot-*"))
print(json.dumps([said, ended.cause, len(groups), len(left)]))
"""


@pytest.fixture
def delegated() -> Iterator[Path]:
    """A cgroup that the runner may divide, as an operator would give it."""
    parent = next((root for root in ROOTS if _counts_memory(root)), None)
    if parent is None or not os.access(parent, os.W_OK):
        pytest.skip("no memory cgroup can be made here: this needs root, or a delegated one")
    path = parent / f"crapette-test-{os.getpid()}"
    (path / "inside").mkdir(parents=True)
    uid, gid = runner_identity() or (os.geteuid(), os.getegid())
    for place in (path, path / "inside", *path.glob("cgroup.*"), *(path / "inside").glob("cgroup.procs")):
        os.chown(place, uid, gid)
    yield path
    (path / "inside").rmdir()
    path.rmdir()


def _counts_memory(root: Path) -> bool:
    controllers = root / "cgroup.subtree_control"
    if controllers.exists():
        return "memory" in controllers.read_text().split()
    return (root / "memory.limit_in_bytes").exists()


@pytest.mark.parametrize("level", list(Level), ids=str)
def test_a_bot_that_gets_round_everything_else_fills_its_own_cgroup(
    level: Level, delegated: Path, stage: Stage
) -> None:
    """The kernel ends it, its counter is the evidence, and the group goes with it."""

    directory = store(stage, {"bot": compiled(ATTACKS / "mmap_stack.c")}, "bot")
    job = json.dumps({"directory": str(directory), "level": level.value})
    said = as_runner(stage, SOURCE.format(job=job), environment={cgroup.SETTING: str(delegated)})
    assert json.loads(said) == ["BotOutOfMemory", "memory", 1, 0]


def test_a_directory_that_is_no_cgroup_is_refused(tmp_path: Path) -> None:
    """With what to do about it, and before anything starts."""
    with pytest.raises(SandboxUnavailable, match="does not count memory"):
        cgroup.make(tmp_path, 512 * MEBIBYTE)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SandboxUnavailable, match=r"cannot be used: .*No such file"):
        cgroup.make(tmp_path / "absent", 512 * MEBIBYTE)
