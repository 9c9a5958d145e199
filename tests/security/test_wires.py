"""Bots cannot pass each other anything: not while both live, and not from one game to a later one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bots.sandbox import Level
from tests.security.arena import as_runner, store
from tests.security.corpus import compiled
from tests.security.traces import BITS, CHANCE, bits_that_arrive

if TYPE_CHECKING:
    from bots.sandbox import Stage

MOST = BITS * 9 // 10
MEMORY_IMAGE = frozenset({"memory-image"})
WIRE = Path(__file__).with_name("wire.c")

TRACES = [
    *(
        ("names", "library"),
        ("names", "own"),
        ("access", "library"),
        ("sizes", "library"),
        ("pages", "library"),
    )
]
"""What both levels close. At `confined` a bot can also look for names elsewhere on the host."""

PAIR = """
import json, sys, time
from pathlib import Path
from bots.sandbox import Level, Limits, Program, Stage
from bots.sandbox.launch import start
from bots.sandbox.plan import Plan

job = json.loads(sys.stdin.readline())
stage = Stage.ensure()


def spawned():
    program = Program(Path(job["directory"]), "native", "bot")
    without = frozenset(job["without"])
    return start(Plan(program, Limits(), Level(job["level"]), stage, without), verify=not without)


def soon():
    return time.monotonic() + 10


waiter, waker = spawned(), spawned()
waiter.send(b"wait\\n", soon())
waiter.read_line(soon())
time.sleep(0.1)
waker.send(job["how"].encode() + b"\\n", soon())
waker.read_line(soon())
print(waiter.read_line(soon()).decode())
waiter.close()
waker.close()
"""


def heard_by_the_waiter(how: str, level: Level, stage: Stage, without: frozenset[str] = frozenset()) -> str:
    """ "woken" or "alone"."""
    directory = store(stage, {"bot": compiled(WIRE)}, "bot")
    job = {"directory": str(directory), "how": how, "level": level.value, "without": sorted(without)}
    return as_runner(stage, PAIR, json.dumps(job) + "\n").strip()


@pytest.mark.parametrize("how", ["clear", "robust"])
def test_the_end_of_a_thread_wakes_nobody_in_another_sandbox(how: str, level: Level, stage: Stage) -> None:
    """By its clear_child_tid, or by its robust list: the file is the same, the pages are not."""
    assert heard_by_the_waiter(how, level, stage) == "alone"


@pytest.mark.parametrize("how", ["clear", "robust"])
@pytest.mark.parametrize("level", list(Level), ids=str)
def test_where_two_bots_have_the_same_pages_one_wakes_the_other(how: str, level: Level, stage: Stage) -> None:
    """So that the test above means something."""
    assert heard_by_the_waiter(how, level, stage, MEMORY_IMAGE) == "woken"


@pytest.mark.parametrize(("way", "place"), TRACES)
def test_a_bot_leaves_no_trace_for_a_later_one(way: str, place: str, level: Level, stage: Stage) -> None:
    """Of 1,000 bits as many arrive as by guessing."""
    assert bits_that_arrive(way, place, level, stage) in CHANCE


@pytest.mark.parametrize("place", ["above", "root"])
def test_at_full_no_directory_keeps_the_names_that_were_looked_for(place: str, stage: Stage) -> None:
    """Those above the library included: there is nothing of the host's disks to look in."""
    assert bits_that_arrive("names", place, Level.FULL, stage) in CHANCE


@pytest.mark.parametrize("level", list(Level), ids=str)
@pytest.mark.parametrize("place", ["library", "own"])
def test_on_the_hosts_disk_names_stay(place: str, level: Level, stage: Stage) -> None:
    """So that the tests above mean something: on a disk nearly all bits arrive."""
    assert bits_that_arrive("names", place, level, stage, MEMORY_IMAGE) > MOST
