"""Bots cannot pass each other anything, nor see what others do: not now, and not in a later game."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sandbox import Level, Stage
from sandbox.walls import jail
from tests.security.arena import ask_runner, drive, store
from tests.security.corpus import compiled
from tests.security.traces import CHANCE, bits_that_arrive

MOST_BY_CHANCE = CHANCE[-1]
TRIES = 4
"""Of a test that shows that a wire is seen. Other programs may hide one for a while, but never make one."""
MEMORY_IMAGE = frozenset({"memory-image"})
WIRE = Path(__file__).with_name("wire.c")
ON_DISKS = {"names above", "names root"}
"""What a bot without a root of its own can still do: look for names elsewhere on the host."""

PAIR = """
without = job["without"]
waiter, waker = (
    started(job["directory"], "native", "bot", without=without, verify=not without) for _ in range(2)
)
found = {}
for how in ("clear", "robust"):
    heard(waiter, b"wait")
    heard(waker, how.encode())
    found[how] = heard(waiter, b"stop")
waiter.close()
waker.close()
tell(found)
"""


def heard_by_the_waiter(level: Level, stage: Stage, without: frozenset[str] = frozenset()) -> dict[str, str]:
    """For each way to wake another, "woken" or "alone"."""
    directory = store(stage, {"bot": compiled(WIRE)}, "bot")
    job = {"directory": str(directory), "level": level.value, "without": sorted(without)}
    found: dict[str, str] = ask_runner(stage, PAIR, job)
    return found


def test_the_end_of_a_thread_does_not_wake_another_sandbox(level: Level, stage: Stage) -> None:
    assert heard_by_the_waiter(level, stage) == {"clear": "alone", "robust": "alone"}


@pytest.mark.parametrize("level", list(Level), ids=str)
def test_where_two_bots_have_the_same_pages_one_wakes_the_other(level: Level, stage: Stage) -> None:
    heard = heard_by_the_waiter(level, stage, MEMORY_IMAGE)
    assert heard == {"clear": "woken", "robust": "woken"}


def most_that_arrive(ways: set[str], stage: Stage, level: Level, without: frozenset[str]) -> dict[str, int]:
    """The most bits that arrive in any try, by the way they were left. It ends when these ways are seen.

    A way is seen by what the test of it would fail for, more than chance: on a busy machine, where the times
    are noise for the most part, far fewer than all bits arrive.
    """
    most: dict[str, int] = {}
    for _ in range(TRIES):
        for way, bits in bits_that_arrive(level, stage, without).items():
            most[way] = max(bits, most.get(way, 0))
        if all(most[way] > MOST_BY_CHANCE for way in ways):
            break
    return most


def test_a_bot_leaves_no_trace_for_a_later_one(level: Level, stage: Stage) -> None:
    arrived = bits_that_arrive(level, stage)
    stay_open = ON_DISKS if level is Level.CONFINED and not jail.possible() else set()
    assert {way for way, bits in arrived.items() if bits not in CHANCE} == stay_open, arrived


def test_without_a_root_of_its_own_a_bot_leaves_names_on_the_hosts_disks(stage: Stage) -> None:
    arrived = most_that_arrive(ON_DISKS, stage, Level.CONFINED, frozenset({"chroot"}))
    assert {way for way, bits in arrived.items() if bits > MOST_BY_CHANCE} == ON_DISKS, arrived


@pytest.mark.parametrize("level", list(Level), ids=str)
def test_on_the_hosts_disk_names_stay(level: Level, stage: Stage) -> None:
    wires = {"names library", "names own"}
    arrived = most_that_arrive(wires, stage, level, MEMORY_IMAGE)
    assert {way for way in wires if arrived[way] > MOST_BY_CHANCE} == wires, arrived


SPY = rb'''
import ctypes, json, os, resource, sys, time
libc = ctypes.CDLL(None, use_errno=True)
room = ctypes.create_string_buffer(1 << 16)
input()
told = {}


def tell(name, ask):
    try:
        told[name] = ask()
    except (OSError, AttributeError, ValueError) as error:
        told[name] = repr(error)


def call(number, *words):
    """What a call fills, without the times in it."""
    ctypes.memset(room, 0, len(room))
    got = libc.syscall(number, *words)
    return ctypes.get_errno() if got < 0 else room.raw.rstrip(b"\0").hex()


def about(where):
    found = os.stat(where)
    return found.st_dev, found.st_ino, found.st_nlink, found.st_size, found.st_blocks


for path in ("/", ".", "bot.py", "..", "/tmp", "/dev/null", "/dev/urandom", os.__file__, sys.executable):
    tell("device of " + path, lambda: about(path)[0])
    tell("inode of " + path, lambda: about(path)[1])
    tell("size of " + path, lambda: about(path)[2:])
    for mask in (0x7FF, 0xFFF, 0x1000, 0x4000, 0xFFFF):
        tell(f"statx {mask:x} of {path}", lambda: call(332, -100, path.encode(), 0, mask, room))
    tell("statfs of " + path, lambda: call(137, path.encode(), room))
    tell("handle of " + path, lambda: call(303, -100, path.encode(), room, ctypes.byref(ctypes.c_int()), 0))
for fd in (0, 1, 2):
    tell(f"device of descriptor {fd}", lambda: about(fd)[0])
    tell(f"pipe {fd}", lambda: about(fd)[1])
    tell(f"statx of descriptor {fd}", lambda: call(332, fd, b"", 0x1000, 0x4FFF, room))
tell("new pipe", lambda: about(os.pipe()[0])[1])
tell("new event", lambda: about(os.eventfd(0))[1])
tell("new poll", lambda: about(libc.epoll_create1(0))[1])
pair = (ctypes.c_int * 2)()
tell("new socket", lambda: (libc.socketpair(1, 1, 0, pair), about(pair[0])[1])[1])
tell("socket cookie", lambda: call(55, pair[0], 1, 57, room, ctypes.byref(ctypes.c_int(8))))
tell("uname", lambda: list(os.uname()))
tell("pid", os.getpid)
tell("parent", os.getppid)
tell("thread", lambda: libc.syscall(186))
tell("group", os.getpgrp)
tell("session", lambda: os.getsid(0))
tell("user", lambda: (os.getuid(), os.getgid(), os.getgroups()))
tell("directory", os.getcwd)
tell("environment", lambda: dict(os.environ))
tell("arguments", lambda: sys.argv + sys.path)
tell("limits", lambda: [resource.getrlimit(number) for number in range(resource.RLIM_NLIMITS
                        if hasattr(resource, "RLIM_NLIMITS") else 16)])
tell("priority", lambda: os.getpriority(0, 0))
tell("sysinfo", lambda: call(99, room))
tell("adjtimex", lambda: call(159, room))
tell("load", os.getloadavg)
tell("semaphores", lambda: call(66, 0, 0, 19, room))
tell("messages", lambda: call(71, 0, 3, room))
tell("memory segments", lambda: call(31, 0, 14, room))
tell("mounts", lambda: call(458, room, room, 16, 0))
tell("quota", lambda: call(179, 0x80000600, None, 0, room))
tell("log", lambda: call(103, 10, room, 16))
tell("swap", lambda: call(27, 0, 4096, room))
tell("other's robust list", lambda: call(274, 1, room, room))
tell("other's capabilities", lambda: call(125, (ctypes.c_uint32 * 2)(0x20080522, 1), room))
for name in ("/proc/self/stat", "/proc/loadavg", "/proc/stat", "/proc/meminfo", "/proc/self/mountinfo",
             "/proc/sys/kernel/random/boot_id", "/proc/sys/fs/file-nr", "/proc/sys/fs/inode-nr",
             "/proc/sys/kernel/ns_last_pid", "/proc/self/fdinfo/0", "/sys/kernel/random/boot_id",
             "/etc/machine-id", "/dev/kmsg", "/sys/fs/cgroup/memory.current"):
    tell("text of " + name, lambda: open(name).read())
for clock in range(12, 17):
    tell(f"clock {clock}", lambda: time.clock_gettime(clock))
print(json.dumps(told))
'''
"""A bot that asks for everything. Clocks 0 to 11 are times, as are those of files."""

KNOWN = {
    Level.FULL: {
        *("pipe 0", "pipe 1", "pipe 2", "new pipe", "new socket"),
        # The lowest number that no file system in memory has: those of sandboxes that stand.
        *("device of /", "device of .", "device of bot.py", "device of ..", "device of /tmp"),
    },
    Level.CONFINED: {
        *("pipe 0", "pipe 1", "pipe 2", "new pipe", "new socket"),
        *("pid", "parent", "thread", "group", "session"),
        # Of its own copy, on the file system in memory that all games share.
        *("inode of .", "inode of bot.py", "size of ..", "directory", "environment", "arguments"),
    },
}
"""What may differ, as the README tells."""

BUSY = """
import os, subprocess, sys, tempfile
for _ in range(300):
    os.close(os.dup(0)); a, b = os.pipe(); os.close(a); os.close(b)
with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
    for number in range(50):
        open(f"{name}/{number}", "w").close()
for _ in range(20):
    subprocess.run(["true"])
"""


def ask(level: Level, stage: Stage, *without: str) -> dict[str, Any]:
    directory = store(stage, {"bot.py": SPY}, "bot.py")
    where = {"directory": str(directory), "language": "python", "entry": "bot.py"}
    seen = drive(stage, level=level.value, without=list(without), **where)
    assert seen["heard"], seen
    told: dict[str, Any] = json.loads(seen["heard"][0])
    return told


def test_a_bot_sees_no_number_of_the_whole_machine_but_those_that_the_readme_names(
    level: Level, stage: Stage
) -> None:
    first = ask(level, stage)
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    between = [socket.socketpair() for _ in range(100)]
    ask(level, stage)  # more mounts, more processes
    second = ask(level, stage)
    for one, other in between:
        one.close()
        other.close()
    differ = {name for name in first if first[name] != second[name]}
    assert differ - KNOWN[level] == set(), {name: (first[name], second[name]) for name in differ}
    # What the test looks at does count: it has seen these differ.
    assert {"pipe 0", "new pipe", "new socket"} <= differ
    statx = {name: answer for name, answer in first.items() if name.startswith("statx")}
    assert set(statx.values()) == {38}, statx  # ENOSYS
    assert len(statx) == 48
    assert first["other's robust list"] == first["other's capabilities"] == 1  # EPERM, whoever is there
    # The name of its folder is chance, and not the number of the process that made it.
    assert re.fullmatch("bot|[0-9a-f]{16}", Path(first["directory"]).name), first["directory"]


def test_without_the_filter_the_number_of_its_mount_tells_a_bot_of_other_games(stage: Stage) -> None:
    first, second = (ask(Level.FULL, stage, "seccomp") for _ in range(2))
    assert first["statx 4000 of ."] != second["statx 4000 of ."]
