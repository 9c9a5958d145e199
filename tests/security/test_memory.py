"""A bot's memory: in a cgroup of its own where there is one, and sampled whatever the referee waits for."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox import Level, SandboxUnavailable, Stage, probe, runner_identity
from sandbox.probing.probe import NO_CGROUP_EACH
from sandbox.walls import cgroup
from tests.security.arena import ask_runner, store
from tests.security.corpus import ATTACKS, compiled

ROOTS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory"))
MEBIBYTE = 1 << 20
MOVE_IN = 'echo $$ > "$0/inside/cgroup.procs" && exec "$@"'
"""Only root may move a process between cgroups that are not both delegated (version 2)."""

SOURCE = """
given = os.environ.get("CRAPETTE_CGROUP")


def groups():
    return len(list(Path(given).glob("bot-*"))) if given else 0


try:
    bot = started(job["directory"], "native", "bot", without=job["without"], verify=False)
except SandboxUnavailable as error:
    tell({"unavailable": str(error)})
    raise SystemExit
while_it_runs = groups()
try:
    said = heard(bot)
except BotFault as fault:
    said = type(fault).__name__
ended = bot.close()
tell({"said": said, "cause": ended.cause, "proved": ended.proved, "groups": while_it_runs, "left": groups()})
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
    directory = store(stage, {"bot": compiled(ATTACKS / "mmap_stack.c")}, "bot")
    job = {"directory": str(directory), "level": level.value, "without": sorted(without)}
    environment = {} if given is None else {cgroup.SETTING: str(given)}
    through = ["/bin/sh", "-c", MOVE_IN, str(given)] if inside else []
    return ask_runner(stage, SOURCE, job, environment=environment, through=through)


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
            full = {"said": "BotOutOfMemory", "cause": "memory", "proved": True}
            assert seen == {**full, "groups": 1, "left": 0}


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


GROWER = Path(__file__).with_name("grower.c")

SAMPLES_SOURCE = """
bot = started(job["directory"], "native", "bot", without=["seccomp"], verify=False)
deadline = soon(50.0)
heard(bot, job["how"].encode())
fault = ""
try:
    if job["how"] == "dribble":
        bot.read_line(deadline)
    elif job["how"] == "deaf":
        bot.send(bytes(1 << 20), deadline)
    else:
        fault = "left" if bot.farewell(b"", 50.0) else "stayed"
except BotFault as error:
    fault = type(error).__name__
tell([fault, bot.close().cause, time.monotonic() < deadline])
"""


@pytest.mark.parametrize(
    ("how", "fault"), [("dribble", "BotOutOfMemory"), ("deaf", "BotOutOfMemory"), ("linger", "stayed")]
)
def test_a_bot_that_grows_is_ended_whatever_it_does_meanwhile(how: str, fault: str, stage: Stage) -> None:
    directory = store(stage, {"bot": compiled(GROWER)}, "bot")
    job = {"directory": str(directory), "how": how, "level": Level.CONFINED.value}
    assert ask_runner(stage, SAMPLES_SOURCE, job) == [fault, "memory", True]
