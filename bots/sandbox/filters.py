"""Build the seccomp programs. Runs when a stage is built, never where a bot plays."""

from __future__ import annotations

import errno
import tempfile
from functools import cache
from typing import TYPE_CHECKING, Any

from bots.sandbox import syscalls
from bots.sandbox.errors import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterable

PYTHON_FILTER = "python.bpf"
"""One thread, no other program: for Python, where the stub itself becomes the bot."""
THREADS_FILTER = "threads.bpf"
"""Threads and exec: for node and native programs, which the stub execs."""


@cache
def build_filters() -> dict[str, bytes]:
    """Each filter's file name and its classic BPF program (8 bytes an instruction)."""
    return {PYTHON_FILTER: build_filter(threads=False), THREADS_FILTER: build_filter(threads=True)}


def build_filter(*, threads: bool, but: Iterable[str] = ()) -> bytes:
    """One program; `but` names system calls to refuse although `syscalls` allows them (for measurements)."""
    try:
        import pyseccomp as seccomp  # noqa: PLC0415  (wanted only here, and not installed where bots play)
    except (ImportError, RuntimeError) as error:
        raise SandboxUnavailable(
            f"the seccomp filter cannot be built: {error}", "install libseccomp2 and the requirements"
        ) from error
    program: Any = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    refused = set(but)
    for name in syscalls.ALLOWED:
        if name not in refused:
            program.add_rule(seccomp.ALLOW, name)
    for name in syscalls.TOO_NEW:
        program.add_rule(seccomp.ERRNO(errno.ENOSYS), name)
    for name in syscalls.ATTACKS:
        program.add_rule(seccomp.KILL_PROCESS, name)
    _add_argument_rules(program, seccomp)
    _add_pair_rules(program, seccomp)
    _add_rules_for_waking(program, seccomp, threads=threads)
    if threads:
        wanted = syscalls.CLONE_THREAD
        program.add_rule(
            seccomp.ALLOW,
            "clone",
            seccomp.Arg(0, seccomp.MASKED_EQ, wanted | syscalls.CLONE_NEW, wanted),
        )
        program.add_rule(seccomp.ALLOW, "execve")
        program.add_rule(seccomp.ALLOW, "sched_getaffinity")  # of a thread, by its id
    else:
        program.add_rule(seccomp.ALLOW, "sched_getaffinity", seccomp.Arg(0, seccomp.EQ, 0))
    with tempfile.TemporaryFile() as out:
        program.export_bpf(out)
        out.seek(0)
        return out.read()


def _add_argument_rules(program: Any, seccomp: Any) -> None:
    # Memory shared and without a file is counted by neither RLIMIT_DATA nor the process's own size.
    for flag in (syscalls.MAP_SHARED, syscalls.MAP_ANONYMOUS):
        program.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, flag, 0))
    for command in syscalls.FCNTL_COMMANDS:
        program.add_rule(seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    for command in syscalls.IOCTL_COMMANDS:
        program.add_rule(seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.EQ, command))
    for option in syscalls.PRCTL_OPTIONS:
        program.add_rule(seccomp.ALLOW, "prctl", seccomp.Arg(0, seccomp.EQ, option))
    for name in syscalls.CLOCK_CALLS:
        program.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.LT, syscalls.FIRST_FOREIGN_CLOCK))
    # Without this a bot at `confined` could set the limits of the referee, whose uid it has.
    for name in syscalls.OF_ONESELF:
        program.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.EQ, 0))
    program.add_rule(
        seccomp.ALLOW, "getpriority", seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(1, seccomp.EQ, 0)
    )


def _add_pair_rules(program: Any, seccomp: Any) -> None:
    """A pair of one's own, as asyncio makes one to wake itself, and nothing reached through it."""
    program.add_rule(seccomp.ALLOW, "socketpair", seccomp.Arg(0, seccomp.EQ, syscalls.AF_UNIX))
    no_more = 0xFFFFFFFF
    sending = seccomp.Arg(3, seccomp.MASKED_EQ, no_more & ~syscalls.SEND_FLAGS, 0)
    program.add_rule(seccomp.ALLOW, "sendto", sending, seccomp.Arg(4, seccomp.EQ, 0))
    receiving = seccomp.Arg(3, seccomp.MASKED_EQ, no_more & ~syscalls.RECEIVE_FLAGS, 0)
    program.add_rule(seccomp.ALLOW, "recvfrom", receiving)


def _add_rules_for_waking(program: Any, seccomp: Any, *, threads: bool) -> None:
    private = syscalls.FUTEX_PRIVATE
    program.add_rule(seccomp.ALLOW, "futex", seccomp.Arg(1, seccomp.MASKED_EQ, private, private))
    if threads:
        mask = private | syscalls.FUTEX_COMMAND
        for command in (syscalls.FUTEX_WAIT, syscalls.FUTEX_WAIT_BITSET):
            program.add_rule(seccomp.ALLOW, "futex", seccomp.Arg(1, seccomp.MASKED_EQ, mask, command))
