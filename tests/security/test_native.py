"""Programs without an interpreter meet the same walls; what holds them is the kernel's, not Python's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sandbox import Level, uploads
from tests.security.arena import drive, store
from tests.security.elf import program
from tests.security.test_attacks import assert_nobody_is_harmed, at_one_level
from tests.security.test_uploads import INSPECTOR
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from sandbox import Stage

MAPS_PRIVATE, MAPS_SHARED, NO_RESERVE = 0x22, 0x21, 0x4022
READ, READ_WRITE = 1, 3
GIB = 1 << 30


def run(binary: bytes, level: Level, stage: Stage, **job: Any) -> dict[str, Any]:
    directory = store(stage, {"bot": binary}, "bot")
    return drive(stage, level=level.value, directory=str(directory), language="native", entry="bot", **job)


REFUSED = {
    "fork": program(57),
    "vfork": program(58),
    "clone": program(56, (17,)),  # as fork does
    "clone-namespace": program(56, (0x10010000,)),  # of a thread with a user namespace
    "clone3": program(435, (0, 88)),
    "socket": program(41, (2, 1, 0)),
    "vsock": program(41, (40, 1, 0)),
    "shared-memory": program(9, (0, 4096, READ_WRITE, MAPS_SHARED, -1, 0)),
    "kill": program(62, (-1, 0)),  # everybody
    "tkill": program(200, (1, 0)),
    "prlimit": program(302, (1, 7, 0, 0)),  # of another
    "memfd": program(319, (0x410000, 0)),
    "io_uring": program(425, (8, 0x410100)),
    "flock": program(73, (0, 2)),
    "unknown": program(999),
}


@pytest.mark.parametrize(
    ("name", "level"),
    [(name, level) for name in REFUSED for level in (list(Level) if THOROUGH else [at_one_level(name)])],
)
def test_a_native_bot_is_refused(name: str, level: Level, stage: Stage) -> None:
    seen = run(REFUSED[name], level, stage)
    assert seen["heard"] == ["denied by the kernel"], seen
    assert_nobody_is_harmed(seen)


def test_a_native_bot_that_attacks_the_kernel_is_ended(level: Level, stage: Stage) -> None:
    seen = run(program(101, (16, 1)), level, stage)
    assert (seen["fault"], seen["cause"]) == ("BotExited", "forbidden"), seen
    assert_nobody_is_harmed(seen)


def test_a_native_bot_has_its_memory_and_no_more(level: Level, stage: Stage) -> None:
    """512 MB that it may write: eight times 64 MB are too much, four are not.

    4 GB of address space beyond it, whose page tables take 9 MB at most. And it may raise no limit: prlimit64
    of itself, RLIMIT_NPROC, to whatever lies at an address full of zeros and letters.
    """
    chunk, some = (0, 64 << 20, READ_WRITE, MAPS_PRIVATE, -1, 0), (0, GIB, READ, NO_RESERVE, -1, 0)
    for binary, heard in (
        (program(9, chunk, times=4, enough=4), "escaped from its box"),
        (program(9, chunk, times=64, enough=8), "denied by the kernel"),
        (program(9, some, times=4, enough=4), "escaped from its box"),
        (program(9, some, times=200, enough=5), "denied by the kernel"),
        (program(302, (0, 6, 0x410000, 0)), "denied by the kernel"),
    ):
        assert run(binary, level, stage)["heard"] == [heard]


@pytest.mark.parametrize(
    ("without", "binary"),
    [
        ("seccomp", program(41, (2, 1, 0))),
        ("seccomp", program(9, (0, 4096, READ_WRITE, MAPS_SHARED, -1, 0))),
        ("rlimits", program(9, (0, 64 << 20, READ_WRITE, MAPS_PRIVATE, -1, 0), times=64, enough=8)),
        ("rlimits", program(9, (0, GIB, READ, NO_RESERVE, -1, 0), times=200, enough=64)),
        ("seccomp signals landlock", program(62, (1, 0))),
    ],
    ids=["socket", "shared-memory", "memory", "address-space", "kill"],
)
def test_without_its_layer_a_native_attack_succeeds(without: str, binary: bytes, stage: Stage) -> None:
    assert INSPECTOR["inspect"]("bot", binary, uploads.limits(len(binary)))[:2] == ("native", "bot")
    seen = run(binary, Level.FULL, stage, without=without.split())
    assert seen["heard"] == ["escaped from its box"], seen
