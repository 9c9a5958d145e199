"""Each bot in a memory cgroup of its own where there is one to divide; where not, the arena says so."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sandbox import Level, SandboxUnavailable, probe, runner_identity
from sandbox.probing.probe import NO_CGROUP_EACH
from sandbox.walls import cgroup
from tests.security.arena import as_runner, store
from tests.security.corpus import ATTACKS, compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sandbox import Stage

ROOTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory"))
MEBIBYTE = 1 << 20
MOVE_IN = 'echo $$ > "$0/inside/cgroup.procs" && exec "$@"'
"""Only root may move a process between cgroups that are not both delegated (version 2)."""

SOURCE = """
import json, os, sys, time
from pathlib import Path
from sandbox import BotFault, Level, BotLimits, Program, SandboxUnavailable, Stage
from sandbox.launch import start
from sandbox.plan import SandboxPlan

job = json.loads(sys.stdin.readline())
given = os.environ.get("CRAPETTE_CGROUP")


def groups():
    return len(list(Path(given).glob("bot-*"))) if given else 0


program = Program(Path(job["directory"]), "native", "bot")
without = frozenset(job["without"])
try:
    bot = start(SandboxPlan(program, BotLimits(), Level(job["level"]), Stage.ensure(), without), verify=False)
except SandboxUnavailable as error:
    print(json.dumps({"unavailable": str(error)}))
    raise SystemExit
while_it_runs = groups()
bot.send(b"go\\n", time.monotonic() + 60)
try:
    said = bot.read_line(time.monotonic() + 60).decode()
except BotFault as fault:
    said = type(fault).__name__
ended = bot.close()
print(json.dumps({
    "said": said, "cause": ended.cause, "proved": ended.proved, "groups": while_it_runs, "left": groups()
}))
"""


@contextlib.contextmanager
def delegated() -> Iterator[Path | None]:
    """A cgroup that the runner may divide, as an operator would give it; None where we can make none."""
    parent = next((root for root in ROOTS if _counts_memory(root)), None)
    if parent is None or not os.access(parent, os.W_OK):
        yield None
        return
    path = parent / f"crapette-test-{os.getpid()}"
    (path / "inside").mkdir(parents=True)
    uid, gid = runner_identity() or (os.geteuid(), os.getegid())
    for place in (path, path / "inside", *path.glob("cgroup.*"), *(path / "inside").glob("cgroup.procs")):
        os.chown(place, uid, gid)
    try:
        yield path
    finally:
        (path / "inside").rmdir()
        path.rmdir()


def _counts_memory(root: Path) -> bool:
    controllers = root / "cgroup.subtree_control"
    if controllers.exists():
        return "memory" in controllers.read_text().split()
    return (root / "memory.limit_in_bytes").exists()


def fill_memory(level: Level, stage: Stage, without: set[str], given: Path | None, inside: bool) -> Any:
    """What came of a bot that maps memory which no limit of the kernel counts."""
    directory = store(stage, {"bot": compiled(ATTACKS / "mmap_stack.c")}, "bot")
    job = {"directory": str(directory), "level": level.value, "without": sorted(without)}
    environment = {} if given is None else {cgroup.SETTING: str(given)}
    through = ["/bin/sh", "-c", MOVE_IN, str(given)] if inside else []
    said = as_runner(stage, SOURCE, json.dumps(job) + "\n", environment=environment, through=through)
    return json.loads(said)


@pytest.mark.parametrize("level", list(Level), ids=str)
def test_a_bot_fills_its_own_cgroup_or_none_is_used(level: Level, stage: Stage) -> None:
    """The kernel ends it, its counter is the evidence, and the group goes with it.

    Where the host lets us make no cgroup, one that the operator names all the same stops play: it is not
    passed over in silence.
    """
    without = {"seccomp", "memory-samples"}
    with delegated() as given:
        if given is None:
            seen = fill_memory(level, stage, without, Path("/sys/fs/cgroup/absent"), inside=False)
            assert "the cgroup /sys/fs/cgroup/absent cannot be used" in seen["unavailable"]
        else:
            seen = fill_memory(level, stage, without, given, inside=True)
            assert seen == {
                "said": "BotOutOfMemory",
                "cause": "memory",
                "proved": True,
                "groups": 1,
                "left": 0,
            }


def test_without_a_cgroup_the_samples_end_a_bot_and_the_arena_says_so(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(cgroup.SETTING, raising=False)
    assert NO_CGROUP_EACH in probe(Level.CONFINED, stage).warnings
    seen = fill_memory(Level.CONFINED, stage, {"seccomp"}, None, inside=False)
    assert seen == {"said": "BotOutOfMemory", "cause": "memory", "proved": False, "groups": 0, "left": 0}


def test_a_directory_that_is_no_cgroup_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SandboxUnavailable, match="does not count memory"):
        cgroup.make(tmp_path, 512 * MEBIBYTE)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(SandboxUnavailable, match=r"cannot be used: .*No such file"):
        cgroup.make(tmp_path / "absent", 512 * MEBIBYTE)
