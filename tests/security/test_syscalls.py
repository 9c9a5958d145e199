"""The filters, call by call, compared with a stored list; and the kernel with our reading of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox.walls.filters import NAMES, build_filters
from tests.security.arena import drive, store
from tests.security.bpf import answer

if TYPE_CHECKING:
    from sandbox import Level, Stage

STORED = Path(__file__).with_name("syscalls.txt")
CALLS = 600
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
    """A call added or lost by accident, or by another libseccomp, shows here."""
    filters = build_filters()
    stored = listed()
    for number in range(CALLS):
        got = tuple(verdict(filters[name], number) for name in FILTERS)
        assert (number, got) == (number, stored.get(number, ("EPERM",) * len(FILTERS)))


@pytest.mark.parametrize("name", FILTERS)
def test_other_tables_of_calls_end_the_process(name: str) -> None:
    """The 32-bit table and x32: their numbers mean other calls."""
    program = build_filters()[name]
    for number in range(CALLS):
        assert answer(program, number, arch=ARCH_I386) == "kill"
        assert answer(program, X32 | number) == "kill"


@pytest.mark.parametrize(
    ("number", "arguments", "expected"),
    [
        (9, (0, 4096, 3, 0x22, -1, 0), "allow"),  # mmap private, anonymous
        (9, (0, 4096, 3, 0x21, -1, 0), "EPERM"),  # mmap shared, anonymous
        (9, (0, 4096, 1, 0x01, 5, 0), "allow"),  # mmap shared, of a file
        (9, (0, 4096, 3, 0x122, -1, 0), "EPERM"),  # mmap of a stack that grows
        (9, (0, 4096, 3, 0x102, 5, 0), "EPERM"),  # the same, of a file
        (9, (0, 4096, 3, 0x40022, -1, 0), "EPERM"),  # mmap of huge pages from the host's pool
        (28, (0x1000, 4096, 4), "allow"),  # madvise DONTNEED
        (28, (0x1000, 4096, 12), "EPERM"),  # madvise MERGEABLE
        (28, (0x1000, 4096, 21), "EPERM"),  # madvise PAGEOUT
        (25, (0x7F12_3456_7000, 4096, 8192, 1), "allow"),  # mremap of what malloc mapped
        (25, (0x7FFC_0000_0000, 4096, 8192, 1), "EPERM"),  # mremap of the stack
        (158, (0x1002, 0), "allow"),  # arch_prctl SET_FS
        (158, (0x5001, 1), "EPERM"),  # arch_prctl SHSTK_ENABLE
        (55, (3, 1, 4), "allow"),  # getsockopt SO_ERROR
        (55, (3, 1, 57), "EPERM"),  # getsockopt SO_COOKIE
        (72, (0, 3, 0), "allow"),  # fcntl F_GETFL
        (72, (0, 6, 0), "EPERM"),  # fcntl F_SETLK
        (72, (0, 1031, 0), "EPERM"),  # fcntl F_SETPIPE_SZ
        (16, (0, 0x5401, 0), "allow"),  # ioctl TCGETS
        (16, (0, 0x5412, 0), "EPERM"),  # ioctl TIOCSTI
        (302, (0, 7, 0, 0), "allow"),  # prlimit64 of itself
        (302, (1, 7, 0, 0), "EPERM"),  # prlimit64 of another
        (228, (1, 0), "allow"),  # clock_gettime CLOCK_MONOTONIC
        (228, (-6, 0), "EPERM"),  # clock_gettime of another process
        (228, (0xFFFFFFFA, 0), "EPERM"),  # the same in 32 bits
        (53, (1, 1, 0, 0), "allow"),  # socketpair AF_UNIX
        (53, (2, 1, 0, 0), "EPERM"),  # socketpair AF_INET
        (44, (0, 0, 0, 0, 0, 0), "allow"),  # send
        (44, (0, 0, 0, 0, 1, 0), "EPERM"),  # sendto an address
        (44, (0, 0, 0, 1, 0, 0), "EPERM"),  # send out of band
        (44, (0, 0, 0, 0x4040, 0, 0), "allow"),  # send as asyncio does
        (45, (0, 0, 0, 1, 0, 0), "EPERM"),  # recv out of band
        (45, (0, 0, 0, 0x40, 0, 0), "allow"),  # recv
        (202, (0, 0x81, 1), "allow"),  # futex: wake, private
        (202, (0, 1, 1), "EPERM"),  # futex: wake, shared
        (202, (0, 0, 1), "EPERM"),  # futex: wait, shared
        (202, (0, 0x189, 1), "allow"),  # futex: wait for bits by the wall clock, private
        (121, (0,), "allow"),  # getpgid of itself
        (121, (7,), "EPERM"),  # getpgid of another
        (204, (7, 8, 0), "EPERM"),  # sched_getaffinity of another
        (274, (0, 1, 1), "allow"),  # get_robust_list of itself
        (274, (7, 1, 1), "EPERM"),  # get_robust_list of another
        (56, (0x003D0F00,), "EPERM"),  # clone of a thread: not for Python
        (59, (1, 1, 1), "EPERM"),  # execve: not for Python
    ],
)
def test_calls_with_arguments_are_judged_by_them(
    number: int, arguments: tuple[int, ...], expected: str
) -> None:
    """The Python filter."""
    filled = (*arguments, *ZEROS)[:6]
    assert answer(build_filters()[NAMES["python"]], number, filled) == expected


@pytest.mark.parametrize(
    ("flags", "expected"),
    [(0x003D0F00, "allow"), (0x11, "EPERM"), (0x10010000, "EPERM"), (0x00010000 | 0x20000, "EPERM")],
)
def test_node_and_native_programs_may_have_threads_and_nothing_more(flags: int, expected: str) -> None:
    """clone: a thread, a process, a thread with a user namespace, a thread with a mount namespace."""
    for name in (NAMES["javascript"], NAMES["native"]):
        assert answer(build_filters()[name], 56, (flags, 0, 0, 0, 0, 0)) == expected


@pytest.mark.parametrize(
    ("operation", "javascript", "native"),
    [
        (0x80, "allow", "allow"),
        (0x81, "allow", "allow"),
        (0, "EAGAIN", "allow"),
        (0x109, "EAGAIN", "allow"),
        (1, "EPERM", "EPERM"),
        (3, "EPERM", "EPERM"),
        (5, "EPERM", "EPERM"),
        (6, "EPERM", "EPERM"),
        (11, "EPERM", "EPERM"),
    ],
)
def test_threads_can_be_joined_but_nobody_outside_can_be_woken(
    operation: int, javascript: str, native: str
) -> None:
    """futex: private wait, wake; shared wait, twice; shared wake, requeue, wake-op, two of locks."""
    filters = build_filters()
    arguments = (0, operation, 1, 0, 0, 0)
    assert answer(filters[NAMES["javascript"]], 202, arguments) == javascript
    assert answer(filters[NAMES["native"]], 202, arguments) == native


def test_the_kernel_answers_as_we_read_the_filter(level: Level, stage: Stage) -> None:
    """Every call the filter refuses quietly, made for real with arguments no call accepts."""
    program = build_filters()[NAMES["python"]]
    expected = {number: answer(program, number, ONES) for number in range(CALLS) if number not in NOT_ASKED}
    errors = {"EPERM": 1, "ENOSYS": 38}
    refused = {number: errors[word] for number, word in expected.items() if word in errors}
    directory = store(stage, {"bot.py": SWEEP.format(numbers=sorted(refused)).encode()}, "bot.py")
    seen = drive(stage, level=level.value, directory=str(directory), language="python", entry="bot.py")
    got = dict(zip(sorted(refused), json.loads(seen["heard"][0]), strict=True))
    assert got == refused
