"""Builds the seccomp programs. Runs when a stage is built, never where a bot plays."""

from __future__ import annotations

import errno
import tempfile
from functools import cache
from typing import Any

from sandbox.errors import SandboxUnavailable
from sandbox.model import LANGUAGES, NODES, PYTHONS, Language
from sandbox.walls import syscalls

NAMES: dict[Language, str] = {
    language: "python.bpf" if language in PYTHONS else "javascript.bpf" if language in NODES else "native.bpf"
    for language in LANGUAGES
}
"""Each language's filter. Python has one thread and no exec, because the stub itself becomes the bot; node
and native programs have threads and exec."""


@cache
def build_filters() -> dict[str, bytes]:
    """Return the file name and the classic BPF program (8 bytes per instruction) of each filter."""
    return {name: build_filter(language) for language, name in NAMES.items()}


def build_filter(language: Language) -> bytes:
    """Return the program for one language."""
    try:
        import pyseccomp as seccomp  # noqa: PLC0415  (wanted only here, and not installed where bots play)
    except (ImportError, RuntimeError) as error:
        raise SandboxUnavailable(
            f"the seccomp filter cannot be built: {error}", "install libseccomp2 and the requirements"
        ) from error
    program: Any = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    for name in syscalls.ALLOWED:
        program.add_rule(seccomp.ALLOW, name)
    for name in syscalls.TOO_NEW:
        program.add_rule(seccomp.ERRNO(errno.ENOSYS), name)
    for name in syscalls.ATTACKS:
        program.add_rule(seccomp.KILL_PROCESS, name)
    _add_argument_rules(program, seccomp)
    _add_pair_rules(program, seccomp)
    _add_rules_for_waking(program, seccomp, language)
    if language not in PYTHONS:
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
    # RLIMIT_DATA counts neither memory shared without a file nor what the kernel takes for a stack, and a
    # process's size does not count the host's pool of huge pages, which all bots would share.
    for flag in (syscalls.MAP_SHARED, syscalls.MAP_ANONYMOUS):
        refused = flag | syscalls.MAP_GROWSDOWN | syscalls.MAP_HUGETLB
        program.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, refused, 0))
    program.add_rule(seccomp.ALLOW, "mremap", seccomp.Arg(0, seccomp.LT, syscalls.LOWEST_STACK))
    for advice in syscalls.MADVISE_ADVICE:
        program.add_rule(seccomp.ALLOW, "madvise", seccomp.Arg(2, seccomp.EQ, advice))
    for command in syscalls.FCNTL_COMMANDS:
        program.add_rule(seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    for command in syscalls.IOCTL_COMMANDS:
        program.add_rule(seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.EQ, command))
    for option in syscalls.PRCTL_OPTIONS:
        program.add_rule(seccomp.ALLOW, "prctl", seccomp.Arg(0, seccomp.EQ, option))
    for option in syscalls.ARCH_PRCTL_OPTIONS:
        program.add_rule(seccomp.ALLOW, "arch_prctl", seccomp.Arg(0, seccomp.EQ, option))
    for name in syscalls.CLOCK_CALLS:
        program.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.LT, syscalls.FIRST_FOREIGN_CLOCK))
    # Without this a bot at `confined` could set the limits of the referee, whose uid it has.
    for name in syscalls.OF_ONESELF:
        program.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.EQ, 0))
    program.add_rule(
        seccomp.ALLOW, "getpriority", seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(1, seccomp.EQ, 0)
    )


def _add_pair_rules(program: Any, seccomp: Any) -> None:
    """Allow a socket pair within the process, as asyncio needs to wake itself, and nothing beyond it."""
    program.add_rule(seccomp.ALLOW, "socketpair", seccomp.Arg(0, seccomp.EQ, syscalls.AF_UNIX))
    level = seccomp.Arg(1, seccomp.EQ, syscalls.SOL_SOCKET)
    for option in syscalls.SOCKET_OPTIONS:
        program.add_rule(seccomp.ALLOW, "getsockopt", level, seccomp.Arg(2, seccomp.EQ, option))
    no_more = 0xFFFFFFFF
    sending = seccomp.Arg(3, seccomp.MASKED_EQ, no_more & ~syscalls.SEND_FLAGS, 0)
    program.add_rule(seccomp.ALLOW, "sendto", sending, seccomp.Arg(4, seccomp.EQ, 0))
    receiving = seccomp.Arg(3, seccomp.MASKED_EQ, no_more & ~syscalls.RECEIVE_FLAGS, 0)
    program.add_rule(seccomp.ALLOW, "recvfrom", receiving)


def _add_rules_for_waking(program: Any, seccomp: Any, language: Language) -> None:
    private = syscalls.FUTEX_PRIVATE
    program.add_rule(seccomp.ALLOW, "futex", seccomp.Arg(1, seccomp.MASKED_EQ, private, private))
    if language not in PYTHONS:
        shared_wait = seccomp.ERRNO(errno.EAGAIN) if language in NODES else seccomp.ALLOW
        mask = private | syscalls.FUTEX_COMMAND
        for command in (syscalls.FUTEX_WAIT, syscalls.FUTEX_WAIT_BITSET):
            program.add_rule(shared_wait, "futex", seccomp.Arg(1, seccomp.MASKED_EQ, mask, command))
