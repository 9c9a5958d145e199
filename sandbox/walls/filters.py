"""The system calls a bot may make, and the seccomp programs that the kernel runs of them.

Any other call, including unknown and future ones, is refused with EPERM. x86-64 only.
"""

from __future__ import annotations

import errno
import tempfile
from functools import cache
from typing import Any

from sandbox.errors import SandboxUnavailable
from sandbox.model import LANGUAGES, NODES, PYTHONS, Language


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


READING = _names("""
    read readv pread64 preadv lseek open openat close close_range access faccessat faccessat2
    fstat newfstatat stat lstat readlink readlinkat getdents getdents64 getcwd chdir fchdir
""")
WRITING = _names("write writev pwrite64 pwritev umask shutdown getsockname")
DESCRIPTORS = _names("""
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6 eventfd eventfd2
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 timerfd_settime timerfd_gettime
""")
MEMORY = _names("munmap mprotect brk msync")
SIGNALS = _names("""
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait sigaltstack
    tgkill tkill kill pause alarm setitimer getitimer
""")
IDENTITY = _names("""
    getpid gettid getppid getuid geteuid getgid getegid getgroups getresuid getresgid getpgrp
    uname
""")
TIME = _names("gettimeofday time times nanosleep getrusage getrlimit setrlimit getrandom")
SCHEDULING = _names("""
    sched_yield getcpu set_robust_list set_tid_address rseq
""")
ENDING = _names("exit exit_group restart_syscall wait4 waitid")

ALLOWED: tuple[str, ...] = (
    *READING,
    *WRITING,
    *DESCRIPTORS,
    *MEMORY,
    *SIGNALS,
    *IDENTITY,
    *TIME,
    *SCHEDULING,
    *ENDING,
)

# Libraries try these and quietly fall back if the kernel is too old: let them. statx tells the number of a
# file's mount, whatever it is asked for, and the kernel numbers the mounts of the whole machine.
TOO_NEW = (
    *(
        "clone3",
        "io_uring_setup",
        "io_uring_enter",
        "io_uring_register",
        "pkey_alloc",
        "futex_waitv",
        "statx",
    ),
)

# No honest program uses these. Any program that tries is ended at once with SIGSYS.
ATTACKS = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "bpf", "perf_event_open", "userfaultfd"),
    *("keyctl", "add_key", "request_key"),
    *("mount", "umount2", "pivot_root", "chroot", "setns", "unshare", "open_by_handle_at"),
    *("init_module", "finit_module", "kexec_load", "reboot", "swapon"),
)

# These are harmless about the process itself. About others, they would reveal which ones exist.
OF_ONESELF = (*("prlimit64", "getpgid", "getsid", "sched_getparam", "sched_getscheduler", "get_robust_list"),)

# A futex in a page of a shared file, such as libc, is a channel between two bots: one waits there, the other
# wakes
# it. A filter can refuse the waking by `futex`, but not the waking by the kernel when a thread ends (its
# clear_child_tid, its robust list). So nobody may wait on a page that others have too:
# Python has no threads to wait for and may use private futexes only;
# node answers a shared wait with EAGAIN, which glibc's pthread_join takes for "look again";
# native programs may wait, because they can map no file but their own, which is theirs alone.
FUTEX_PRIVATE, FUTEX_COMMAND = 0x80, 0x7F
FUTEX_WAIT, FUTEX_WAIT_BITSET = 0, 9

# NOSIGNAL and DONTWAIT for sending; these and PEEK and WAITALL for receiving. Not out-of-band data.
SEND_FLAGS, RECEIVE_FLAGS = 0x4040, 0x4142

# Clock ids from 16 up are made from a process id: they read another process's time (and that it exists).
CLOCK_CALLS = ("clock_gettime", "clock_getres", "clock_nanosleep", "timerfd_create")
FIRST_FOREIGN_CLOCK = 16

MAP_SHARED, MAP_ANONYMOUS, MAP_GROWSDOWN, MAP_HUGETLB = 0x01, 0x20, 0x100, 0x40000
# NORMAL RANDOM SEQUENTIAL WILLNEED DONTNEED FREE DONTFORK DOFORK HUGEPAGE NOHUGEPAGE DONTDUMP DODUMP: not
# MERGEABLE, PAGEOUT, COLD and COLLAPSE, which change pages that other bots have too, and they can tell.
MADVISE_ADVICE = (0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17)
# The kernel puts the stack above this address, and every mapping that no program places itself below it
# (mmap_base of arch/x86: 16 GB for where the stack may begin, and 8 MB for the stack itself).
LOWEST_STACK = 0x7FFC_0000_0000 - (16 << 20)
CLONE_THREAD = 0x00010000
# NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
CLONE_NEW = (
    0x00000080 | 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
)

# DUPFD GETFD SETFD GETFL SETFL DUPFD_CLOEXEC GETPIPE_SZ: no locks, leases, owners, dnotify, bigger pipes.
FCNTL_COMMANDS = (0, 1, 2, 3, 4, 1030, 1032)
# TCGETS TIOCGWINSZ FIONREAD FIONCLEX FIOCLEX FIONBIO
IOCTL_COMMANDS = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451, 0x5421)
# SET_NAME GET_NAME SET_NO_NEW_PRIVS GET_NO_NEW_PRIVS SET_VMA (names for anonymous memory)
PRCTL_OPTIONS = (15, 16, 38, 39, 0x53564D41)
# SET_FS GET_FS, for a thread's own data: not the shadow stack, which no limit counts.
ARCH_PRCTL_OPTIONS = (0x1002, 0x1003)
AF_UNIX = 1
SOL_SOCKET = 1
# TYPE ERROR SNDBUF RCVBUF DOMAIN: not COOKIE, whose counter all programs of the machine share.
SOCKET_OPTIONS = (3, 4, 7, 8, 39)


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
    for name in ALLOWED:
        program.add_rule(seccomp.ALLOW, name)
    for name in TOO_NEW:
        program.add_rule(seccomp.ERRNO(errno.ENOSYS), name)
    for name in ATTACKS:
        program.add_rule(seccomp.KILL_PROCESS, name)
    _add_argument_rules(program, seccomp)
    _add_pair_rules(program, seccomp)
    _add_rules_for_waking(program, seccomp, language)
    if language not in PYTHONS:
        wanted = CLONE_THREAD
        program.add_rule(
            seccomp.ALLOW,
            "clone",
            seccomp.Arg(0, seccomp.MASKED_EQ, wanted | CLONE_NEW, wanted),
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
    for flag in (MAP_SHARED, MAP_ANONYMOUS):
        refused = flag | MAP_GROWSDOWN | MAP_HUGETLB
        program.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, refused, 0))
    program.add_rule(seccomp.ALLOW, "mremap", seccomp.Arg(0, seccomp.LT, LOWEST_STACK))
    for advice in MADVISE_ADVICE:
        program.add_rule(seccomp.ALLOW, "madvise", seccomp.Arg(2, seccomp.EQ, advice))
    for command in FCNTL_COMMANDS:
        program.add_rule(seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    for command in IOCTL_COMMANDS:
        program.add_rule(seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.EQ, command))
    for option in PRCTL_OPTIONS:
        program.add_rule(seccomp.ALLOW, "prctl", seccomp.Arg(0, seccomp.EQ, option))
    for option in ARCH_PRCTL_OPTIONS:
        program.add_rule(seccomp.ALLOW, "arch_prctl", seccomp.Arg(0, seccomp.EQ, option))
    for name in CLOCK_CALLS:
        program.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.LT, FIRST_FOREIGN_CLOCK))
    # Without this a bot at `confined` could set the limits of the referee, whose uid it has.
    for name in OF_ONESELF:
        program.add_rule(seccomp.ALLOW, name, seccomp.Arg(0, seccomp.EQ, 0))
    program.add_rule(
        seccomp.ALLOW, "getpriority", seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(1, seccomp.EQ, 0)
    )


def _add_pair_rules(program: Any, seccomp: Any) -> None:
    """Allow a socket pair within the process, as asyncio needs to wake itself, and nothing beyond it."""
    program.add_rule(seccomp.ALLOW, "socketpair", seccomp.Arg(0, seccomp.EQ, AF_UNIX))
    level = seccomp.Arg(1, seccomp.EQ, SOL_SOCKET)
    for option in SOCKET_OPTIONS:
        program.add_rule(seccomp.ALLOW, "getsockopt", level, seccomp.Arg(2, seccomp.EQ, option))
    no_more = 0xFFFFFFFF
    sending = seccomp.Arg(3, seccomp.MASKED_EQ, no_more & ~SEND_FLAGS, 0)
    program.add_rule(seccomp.ALLOW, "sendto", sending, seccomp.Arg(4, seccomp.EQ, 0))
    receiving = seccomp.Arg(3, seccomp.MASKED_EQ, no_more & ~RECEIVE_FLAGS, 0)
    program.add_rule(seccomp.ALLOW, "recvfrom", receiving)


def _add_rules_for_waking(program: Any, seccomp: Any, language: Language) -> None:
    private = FUTEX_PRIVATE
    program.add_rule(seccomp.ALLOW, "futex", seccomp.Arg(1, seccomp.MASKED_EQ, private, private))
    if language not in PYTHONS:
        shared_wait = seccomp.ERRNO(errno.EAGAIN) if language in NODES else seccomp.ALLOW
        mask = private | FUTEX_COMMAND
        for command in (FUTEX_WAIT, FUTEX_WAIT_BITSET):
            program.add_rule(shared_wait, "futex", seccomp.Arg(1, seccomp.MASKED_EQ, mask, command))
