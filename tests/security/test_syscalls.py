"""The filters, call by call: as stored, as the kernel reads them, and made by a bot one after the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox import Level, Stage
from sandbox.walls.filters import NAMES, build_filters
from tests.security.arena import drive, store
from tests.security.bpf import answer
from tests.security.calls import CALLS, Call, bot
from tests.security.test_attacks import assert_nobody_is_harmed, at_one_level
from tests.thorough import THOROUGH

STORED = Path(__file__).with_name("syscalls.txt")
NUMBERS = 600
ZEROS = (0,) * 6
ONES = (-1,) * 6
# uretprobe and uprobe: new kernels answer them before any filter, by SIGILL where nothing is probed.
NOT_ASKED = (335, 336)
FILTERS = tuple(dict.fromkeys(NAMES.values()))
ARCH_I386, X32 = 0x40000003, 0x40000000

SWEEP = """
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
input()
said = []
for number in {numbers}:
    got = libc.syscall(number, -1, -1, -1, -1, -1, -1)
    said.append(ctypes.get_errno() if got == -1 else 0)
print(said)
"""


def listed() -> dict[int, tuple[str, ...]]:
    """Number to what the stored list says of it under each filter."""
    lines = (line.split() for line in STORED.read_text().splitlines() if not line.startswith("#"))
    return {int(number): tuple(verdicts) for number, _, *verdicts in lines}


def verdict(program: bytes, number: int) -> str:
    """One word for the answers to harmless and to all-ones arguments."""
    answers = [answer(program, number, ZEROS), answer(program, number, ONES)]
    return answers[0] if answers[0] == answers[1] else "/".join(answers)


def test_the_filters_answer_every_call_as_the_stored_list_says() -> None:
    filters = build_filters()
    stored = listed()
    for number in range(NUMBERS):
        got = tuple(verdict(filters[name], number) for name in FILTERS)
        assert (number, got) == (number, stored.get(number, ("EPERM",) * len(FILTERS)))

    for program in filters.values():
        for number in range(NUMBERS):  # the 32-bit table and x32, whose numbers mean other calls
            assert answer(program, number, arch=ARCH_I386) == "kill"
            assert answer(program, X32 | number) == "kill"


SHARED_FILE, STACK, MALLOC = 0x01, 0x7FFC_0000_0000, 0x7F12_3456_7000
ONE_OF_BOTH: list[tuple[int, list[tuple[int, ...]], list[tuple[int, ...]]]] = [
    # mmap: private and anonymous, shared of a file; not shared and anonymous, stacks that grow, huge pages.
    (
        9,
        [(0, 4096, 3, 0x22, -1, 0), (0, 4096, 1, SHARED_FILE, 5, 0)],
        [(0, 4096, 3, flags, fd, 0) for flags, fd in ((0x21, -1), (0x122, -1), (0x102, 5), (0x40022, -1))],
    ),
    (28, [(0x1000, 4096, 4)], [(0x1000, 4096, 12), (0x1000, 4096, 21)]),  # madvise: not MERGEABLE, PAGEOUT
    (25, [(MALLOC, 4096, 8192, 1)], [(STACK, 4096, 8192, 1)]),  # mremap: not the stack
    (158, [(0x1002, 0)], [(0x5001, 1)]),  # arch_prctl: SET_FS, not SHSTK_ENABLE
    (55, [(3, 1, 4)], [(3, 1, 57)]),  # getsockopt: SO_ERROR, not SO_COOKIE
    (72, [(0, 3, 0)], [(0, 6, 0), (0, 1031, 0)]),  # fcntl: F_GETFL, not F_SETLK, F_SETPIPE_SZ
    (16, [(0, 0x5401, 0)], [(0, 0x5412, 0)]),  # ioctl: TCGETS, not TIOCSTI
    (302, [(0, 7, 0, 0)], [(1, 7, 0, 0)]),  # prlimit64: not of another
    (228, [(1, 0)], [(-6, 0), (0xFFFFFFFA, 0)]),  # clock_gettime: not of another process, nor in 32 bits
    (53, [(1, 1, 0, 0)], [(2, 1, 0, 0)]),  # socketpair: AF_UNIX, not AF_INET
    # send: as asyncio does, too; not to an address, not out of band.
    (44, [(0,) * 6, (0, 0, 0, 0x4040, 0, 0)], [(0, 0, 0, 0, 1, 0), (0, 0, 0, 1, 0, 0)]),
    (45, [(0, 0, 0, 0x40, 0, 0)], [(0, 0, 0, 1, 0, 0)]),  # recv: not out of band
    # futex: private wakes, and waits for bits by the wall clock; not what is shared.
    (202, [(0, 0x81, 1), (0, 0x189, 1)], [(0, 1, 1), (0, 0, 1)]),
    (121, [(0,)], [(7,)]),  # getpgid: not of another
    (204, [], [(7, 8, 0)]),  # sched_getaffinity of another
    (274, [(0, 1, 1)], [(7, 1, 1)]),  # get_robust_list: not of another
    (56, [], [(0x003D0F00,)]),  # clone of a thread: not for Python
    (59, [], [(1, 1, 1)]),  # execve: not for Python
]


def test_calls_with_arguments_are_judged_by_them() -> None:
    program = build_filters()[NAMES["python"]]
    for number, allowed, refused in ONE_OF_BOTH:
        for expected, calls in (("allow", allowed), ("EPERM", refused)):
            for arguments in calls:
                assert answer(program, number, (*arguments, *ZEROS)[:6]) == expected, (number, arguments)


def test_node_and_native_programs_may_have_threads_that_nobody_outside_can_wake() -> None:
    """clone: a thread, a process, a thread with a user namespace, a thread with a mount namespace.

    futex: private wait, wake; shared wait, twice; shared wake, requeue, wake-op, two of locks.
    """
    javascript, native = (build_filters()[NAMES[each]] for each in ("javascript", "native"))
    for flags, expected in (0x003D0F00, "allow"), (0x11, "EPERM"), (0x10010000, "EPERM"), (0x30000, "EPERM"):
        for program in (javascript, native):
            assert answer(program, 56, (flags, 0, 0, 0, 0, 0)) == expected
    both = dict.fromkeys((0x80, 0x81), ("allow", "allow")) | dict.fromkeys((0, 0x109), ("EAGAIN", "allow"))
    for operation, answers in (both | dict.fromkeys((1, 3, 5, 6, 11), ("EPERM", "EPERM"))).items():
        arguments = (0, operation, 1, 0, 0, 0)
        assert (answer(javascript, 202, arguments), answer(native, 202, arguments)) == answers, operation


def test_the_kernel_answers_as_we_read_the_filter(level: Level, stage: Stage) -> None:
    program = build_filters()[NAMES["python"]]
    expected = {number: answer(program, number, ONES) for number in range(NUMBERS) if number not in NOT_ASKED}
    errors = {"EPERM": 1, "ENOSYS": 38}
    refused = {number: errors[word] for number, word in expected.items() if word in errors}
    directory = store(stage, {"bot.py": SWEEP.format(numbers=sorted(refused)).encode()}, "bot.py")
    seen = drive(stage, level=level.value, directory=str(directory), language="python", entry="bot.py")
    got = dict(zip(sorted(refused), json.loads(seen["heard"][0]), strict=True))
    assert got == refused


EPERM, ENOSYS = 1, 38
FEWEST = 70


def make(calls: list[Call], level: Level, stage: Stage, without: str = "") -> dict[str, Any]:
    directory = store(stage, {"bot.py": bot(calls)}, "bot.py")
    job = {"directory": str(directory), "language": "python", "entry": "bot.py"}
    return drive(stage, level=level.value, without=without.split(), **job)


def denied(call: Call, got: int, errno: int) -> bool:
    """Whether it was refused, and not just in vain."""
    return got == -1 and errno in ((EPERM, ENOSYS) if call.answer == "newer" else (EPERM,))


def test_every_call_is_denied(level: Level, stage: Stage) -> None:
    calls = [call for call in CALLS if call.answer != "forbidden"]
    seen = make(calls, level, stage)
    assert seen["fault"] == "", seen
    found = json.loads(seen["heard"][0])
    assert [call.name for call in calls if not denied(call, *found[call.name])] == [], found
    assert_nobody_is_harmed(seen)


@pytest.mark.parametrize(
    ("call", "level"),
    [
        (call, level)
        for call in CALLS
        if call.answer == "forbidden"
        for level in (list(Level) if THOROUGH else [at_one_level(call.name)])
    ],
    ids=lambda value: value.name if isinstance(value, Call) else str(value),
)
def test_a_call_that_attacks_the_kernel_ends_the_bot(call: Call, level: Level, stage: Stage) -> None:
    seen = make([call], level, stage)
    assert (seen["fault"], seen["cause"]) == ("BotExited", "forbidden"), seen
    assert_nobody_is_harmed(seen)


@pytest.mark.parametrize("without", sorted({call.without for call in CALLS} - {""}))
def test_without_its_layer_each_call_is_made(without: str, stage: Stage) -> None:
    calls = [call for call in CALLS if call.without == without]
    seen = make(calls, Level.FULL, stage, without)
    assert seen["heard"], seen
    found = json.loads(seen["heard"][0])
    assert [
        call.name for call in calls if call.answer != "forbidden" and denied(call, *found[call.name])
    ] == []


def test_the_list_is_as_long_as_it_was() -> None:
    assert len({call.name for call in CALLS}) == len(CALLS) >= FEWEST
