"""Runs in place of a bot before it starts: locks itself in, proves it, and becomes the bot.

python3 stub.py FD

FD is one end of a SEQPACKET socket pair to the launcher. The stub receives the job on it (marshalled, see
`Plan.job`), sends the attestation and waits for "go". Then it closes the socket and starts the bot. Any
failure ends the process before a byte of the bot is read. The stub imports none of our modules and as few
others as possible, because each costs every game milliseconds.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself costs 2 ms, for its enums
import builtins
import marshal
import os
import sys
from _ctypes import CFuncPtr, _SimpleCData, dlopen, dlsym, get_errno  # ctypes itself costs 2.5 ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

OUT_OF_MEMORY_EXIT = 86
"""Exit status of a Python bot that ended by an uncaught MemoryError."""
BROKEN_EXIT = 87
"""Exit status of a stub that could not lock itself in."""

PRCTL, PRLIMIT, EXECVE, CLONE, KILL, MMAP, CAPSET = 157, 302, 59, 56, 62, 9, 126
CAPABILITIES_3 = (0x20080522).to_bytes(8, "little")
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
EPERM, ENOENT, EACCES, EROFS = 1, 2, 13, 30
O_PATH_CLOEXEC = 0o10000000 | os.O_CLOEXEC


class Long(_SimpleCData):  # type: ignore[type-arg]
    """A C long, as ctypes has it."""

    _type_ = "l"


class Pointer(_SimpleCData):  # type: ignore[type-arg]
    """A C pointer to anything."""

    _type_ = "P"


class Chars(_SimpleCData):  # type: ignore[type-arg]
    """A C pointer to the content of a bytes object."""

    _type_ = "z"


class Syscall(CFuncPtr):
    """`long syscall(long, ...)` that keeps errno."""

    _flags_ = 1 | 8  # cdecl, use errno
    _restype_ = Long


_syscall = Syscall(dlsym(dlopen(None, os.RTLD_NOW), "syscall"))  # type: ignore[arg-type]


def call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call by number, with integers and addresses of bytes; -1 becomes OSError."""
    passed = (Long(argument) if isinstance(argument, int) else argument for argument in arguments)
    result: int = _syscall(Long(number), *passed)
    if result < 0:
        error = get_errno()
        raise OSError(error, os.strerror(error), f"system call {number}")
    return result


def restrict_files(rules: list[tuple[str, bool]]) -> int:
    """Landlock: read (and, where the rule says so, write) beneath these paths and nothing else; its ABI.

    From ABI 4 on TCP is refused, from 6 on signals and abstract sockets that leave the sandbox.
    """
    abi = call(LANDLOCK_CREATE_RULESET, None, 0, 1)
    rights = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(abi, 16)) - 1
    ruleset = b"".join(value.to_bytes(8, "little") for value in (rights, 3, 3))
    ruleset = ruleset[: 8 if abi < 4 else 16 if abi < 6 else 24]
    fd = call(LANDLOCK_CREATE_RULESET, ruleset, len(ruleset), 0)
    for path, writable in rules:
        try:
            parent = os.open(path, O_PATH_CLOEXEC)
        except FileNotFoundError:
            continue
        access = READ_FILE | EXECUTE
        if writable:
            access = READ_FILE | WRITE_FILE
        elif os.path.isdir(path):  # noqa: PTH112  (pathlib costs a game 4 ms)
            access |= READ_DIR
        beneath = access.to_bytes(8, "little") + parent.to_bytes(4, "little")
        call(LANDLOCK_ADD_RULE, fd, 1, beneath, 0)
        os.close(parent)
    call(LANDLOCK_RESTRICT_SELF, fd, 0)
    os.close(fd)
    return abi


def install_filter(program: bytes) -> None:
    """Give this process a seccomp filter, for good."""
    address = Pointer.from_buffer(Chars(program)).value or 0
    header = (len(program) // 8).to_bytes(8, "little") + address.to_bytes(8, "little")
    call(PRCTL, PR_SET_SECCOMP, 2, header, 0, 0)


def only_own_signals() -> bytes:
    """Return the filter that refuses kill, tkill and tgkill to other processes (works on every kernel)."""

    def instruction(code: int, yes: int, no: int, value: int) -> bytes:
        return code.to_bytes(2, "little") + bytes((yes, no)) + value.to_bytes(4, "little")

    allow = instruction(0x06, 0, 0, 0x7FFF0000)
    return b"".join(
        (
            instruction(0x20, 0, 0, 0),  # the call's number
            instruction(0x15, 3, 0, 62),  # kill
            instruction(0x15, 2, 0, 234),  # tgkill
            instruction(0x15, 1, 0, 200),  # tkill
            allow,
            instruction(0x20, 0, 0, 16),  # its first argument
            instruction(0x15, 0, 1, os.getpid()),
            allow,
            instruction(0x06, 0, 0, 0x00050000 | EPERM),
        )
    )


def is_refused(number: int, *arguments: int | None) -> bool:
    """Whether the filter answers EPERM.

    With these arguments, the kernel itself would answer something else.
    """
    try:
        call(number, *arguments)
    except OSError as error:
        return error.errno == EPERM
    return False


def cannot_open(path: str, flags: int, answers: tuple[int, ...]) -> bool:
    """Whether opening fails with one of these errors."""
    try:
        os.close(os.open(path, flags))
    except OSError as error:
        return error.errno in answers
    return False


def attempts(exec_allowed: bool) -> list[tuple[str, str, bool]]:
    """Try everything and return (layer, attempt, refused) for each.

    No attempt has an effect if it succeeds.
    """
    absent = (ENOENT, EACCES)
    tried = [
        ("seccomp", "socket", is_refused(41, -1, -1, -1)),
        ("seccomp", "new-namespace", is_refused(CLONE, 0x10010000, 0, 0, 0, 0)),
        ("seccomp", "shared-memory", is_refused(MMAP, 0, 0, 3, 0x21, -1, 0)),
        ("seccomp", "memfd", is_refused(319, None, -1)),
        ("seccomp", "sysv-shm", is_refused(29, 0, 0, 0)),
        ("seccomp", "message-queue", is_refused(240, None, 0, 0, None)),
        ("seccomp", "inotify", is_refused(294, -1)),
        ("seccomp", "flock", is_refused(73, -1, -1)),
        ("seccomp", "file-lock", is_refused(72, -1, 6, None)),
        ("seccomp", "sendmsg", is_refused(46, -1, None, 0)),
        ("seccomp", "foreign-limits", is_refused(302, 0x3FFFFFFF, 7, None, None)),
        ("seccomp", "foreign-clock", is_refused(228, -6, None)),
        ("seccomp", "pidfd", is_refused(434, 0, -1)),
        ("seccomp", "timer", is_refused(222, -1, None, None)),
        ("seccomp", "setuid", is_refused(105, -1)),
        ("signals", "foreign-signal", is_refused(KILL, 0x3FFFFFFF, 0)),
        ("landlock", "list-root", cannot_open("/", os.O_RDONLY | os.O_DIRECTORY, (EACCES,))),
        ("files", "passwd", cannot_open("/etc/passwd", os.O_RDONLY, absent)),
        ("files", "proc", cannot_open("/proc/self/status", os.O_RDONLY, absent)),
        ("files", "write-here", cannot_open("x", os.O_CREAT | os.O_WRONLY, (*absent, EROFS, EPERM))),
        ("files", "write-tmp", cannot_open("/tmp/x", os.O_CREAT | os.O_WRONLY, (*absent, EROFS, EPERM))),  # noqa: S108
    ]
    if not exec_allowed:
        tried.append(("seccomp", "exec", is_refused(EXECVE, None, None, None)))
        tried.append(("seccomp", "thread", is_refused(CLONE, 0x00010000, 0, 0, 0, 0)))
    return tried


def lock_in(job: dict[str, Any]) -> str:
    """Apply every layer of the job and return the attestation."""
    call(PRCTL, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    call(CAPSET, CAPABILITIES_3, bytes(24))  # what it took to change the root
    if job["parent"]:
        call(PRCTL, PR_SET_PDEATHSIG, 9, 0, 0, 0)
        if os.getppid() != job["parent"]:  # it died before we asked to die with it
            os._exit(BROKEN_EXIT)
    for number, soft, hard in job["rlimits"]:
        call(PRLIMIT, 0, number, soft.to_bytes(8, "little") + hard.to_bytes(8, "little"), None)
    if job["no_new_privs"]:
        call(PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    abi = restrict_files(job["files"]) if job["files"] is not None else 0
    if job["own_signals_only"]:
        install_filter(only_own_signals())
    if job["filter"] is not None:
        install_filter(job["filter"])
    tried = attempts(job["exec"])
    denied = ",".join(name for _, name, was in tried if was)
    granted = ",".join(f"{layer}:{name}" for layer, name, was in tried if not was)
    return f"{abi};{denied};{granted}"


def forget_signals(python: bool) -> None:
    """Handle every signal as a program of its kind does that a terminal starts, and block none.

    What our parents ignore would stay ignored. Python itself ignores two, and raises KeyboardInterrupt.
    """
    own = {_signal.SIGPIPE: _signal.SIG_IGN, _signal.SIGXFSZ: _signal.SIG_IGN} if python else {}
    for number in range(1, _signal.NSIG):
        try:
            _signal.signal(number, own.get(number, _signal.SIG_DFL))
        except OSError:  # the two that nobody can handle, and those of the C library
            continue
    if python:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    _signal.pthread_sigmask(_signal.SIG_SETMASK, ())


def keep_output(source: bytes) -> None:
    """Let the SDK keep standard output for its answers before the bot's first line runs."""
    try:
        from crapette import prepare  # type: ignore[import-not-found]  # noqa: PLC0415  (what the bot imports)

        prepare(source)
    except Exception:  # noqa: S110  (a module of the bot's own, which will say so itself)
        pass


def become_python(code: CodeType, path: str) -> None:
    """Run a Python bot as `__main__`. If it fails, it prints its own traceback."""
    main = type(sys)("__main__")
    main.__file__ = path
    main.__builtins__ = builtins  # type: ignore[attr-defined]
    sys.modules["__main__"] = main
    builtins.exit = builtins.quit = sys.exit  # type: ignore[assignment]
    try:
        exec(code, main.__dict__)  # noqa: S102  (that is what we are for)
    except Exception as error:
        trace = error.__traceback__
        error.__traceback__ = trace and trace.tb_next  # authors do not want to see our frames
        sys.excepthook(type(error), error, error.__traceback__)
        sys.exit(OUT_OF_MEMORY_EXIT if isinstance(error, MemoryError) else 1)


def main() -> None:
    """Read the job, lock in, attest, wait for "go", and become the bot."""
    control = int(sys.argv[1])
    os.closerange(3, control)
    os.closerange(control + 1, 1 << 16)
    job = marshal.loads(os.read(control, 1 << 18))  # noqa: S302  (from our launcher)
    os.chdir(job["directory"])
    forget_signals(not job["exec"])
    try:
        report = lock_in(job)
    except OSError as error:
        report = f"!{error}"
    os.write(control, report.encode())
    if os.read(control, 16) != b"go":
        os._exit(BROKEN_EXIT)
    os.close(control)
    argv: list[str] = job["argv"]
    if job["exec"]:
        os.execve(argv[0], argv, job["environment"])  # noqa: S606  (a shell is the last thing we want)
    sys.argv[:] = argv
    sys.path[:0] = job["path"]
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    fd = os.open(argv[0], os.O_RDONLY)
    with open(fd, "rb") as file:  # noqa: PTH123
        source = file.read()
    code = compile(source, argv[0], "exec", dont_inherit=True)
    if b"from crapette import" in source:
        keep_output(source)
    become_python(code, argv[0])


if __name__ == "__main__":
    main()
