"""Bots cannot pass each other anything: not while both live, and not from one game to a later one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox import Level
from sandbox.walls import jail
from tests.security.arena import ask_runner, store
from tests.security.corpus import compiled
from tests.security.traces import CHANCE, bits_that_arrive

if TYPE_CHECKING:
    from sandbox import Stage

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
