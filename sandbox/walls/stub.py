"""Runs in place of a bot before it starts: locks itself in, proves it, and becomes the bot.

python3 stub.py FD
python3 stub.py FD KERNEL

FD is one end of a SEQPACKET socket pair to the launcher. The stub receives the job on it (marshalled, see
`SandboxPlan.job`), sends the attestation and waits for "go". Then it closes the socket and starts the bot.
Any failure ends the process before a byte of the bot is read. The stub imports none of our modules and as
few others as possible, because each costs every game milliseconds.

With KERNEL, a descriptor of /proc/sys, it is a zygote (see `sandbox.zygote`): an interpreter that has started
before its bots come. FD brings a socket of that kind for each bot, from which the zygote reads nothing. It
forks a keeper in namespaces of its own. The keeper builds the bot's folder, forks the bot, and says how it
ended.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself costs 2 ms, for its enums
import atexit
import builtins
import gc
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
FLUSH_FAILED_EXIT = 120
"""What Python exits with if standard output took not all it was given."""
BROKEN_EXIT = 87
"""Exit status of a stub that could not lock itself in."""

PRCTL, PRLIMIT, EXECVE, CLONE, KILL, MMAP, CAPSET = 157, 302, 59, 56, 62, 9, 126
MOUNT, UNSHARE, SETHOSTNAME = 165, 272, 170
SIGCHLD, SIGKILL = 17, 9
CLONE_NEWUTS, CLONE_NEWUSER = 0x04000000, 0x10000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND = 1, 2, 4, 32, 4096
CAPABILITIES_3 = (0x20080522).to_bytes(8, "little")
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, PR_CAPBSET_DROP = 47, 4, 24
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
    status = 0
    try:
        exec(code, main.__dict__)  # noqa: S102  (that is what we are for)
    except SystemExit as error:
        status = _status_of(error)
    except Exception as error:
        trace = error.__traceback__
        error.__traceback__ = trace and trace.tb_next  # authors do not want to see our frames
        sys.excepthook(type(error), error, error.__traceback__)
        status = OUT_OF_MEMORY_EXIT if isinstance(error, MemoryError) else 1
    leave(status)


def _status_of(error: SystemExit) -> int:
    """The exit status that Python gives for it; what is no number is printed, and is 1."""
    if error.code is None or isinstance(error.code, int):
        return error.code or 0
    print(error.code, file=sys.stderr)  # noqa: T201 (as Python does)
    return 1


def leave(status: int) -> None:
    """End as Python does, but do not take all its modules apart: that takes as long as many a game.

    It would write to every page that a zygote's bots share, too.
    """
    if (threading := sys.modules.get("threading")) is not None:
        threading._shutdown()
    atexit._run_exitfuncs()
    for stream, failed in ((sys.stdout, FLUSH_FAILED_EXIT), (sys.stderr, 0)):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except OSError:  # nobody reads it
            status = status or failed
    os._exit(status & 0xFF)


SPARE_IMPORTS = (
    *("crapette", "random", "re", "json", "time", "math", "collections", "dataclasses", "traceback"),
    *("engine", "engine.turns.knowledge.sampling", "engine.turns.search"),
)
"""What a zygote imports for its bots: the SDK, the engine, and the parts of the library that most use."""
FRESH_FORKS = 2
"""How many bots a zygote forks before it imports anything: for a single game that would cost more than it
saves."""


def import_spare(path: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Import what bots will; return the names of all modules that came by it, and of their packages."""
    before = frozenset(sys.modules)
    sys.path[:0] = path
    for name in SPARE_IMPORTS:
        try:
            __import__(name)
        except Exception:  # noqa: S112 (whatever it is: the bot will meet it itself)
            continue
    del sys.path[: len(path)]
    gc.collect()
    gc.freeze()  # so that no bot's search for garbage copies these pages
    spare = frozenset(sys.modules) - before
    return spare, frozenset(name.partition(".")[0] for name in spare)


def forget_imports(spare: frozenset[str], packages: frozenset[str], files: list[str]) -> None:
    """Forget what was imported before the bot came if one of its own files is to be imported instead."""
    if any(name.partition("/")[0].partition(".")[0] in packages for name in files):
        for name in spare:
            sys.modules.pop(name, None)


def stand_by(door: int, kernel: int) -> tuple[int, dict[str, Any]]:
    """Be the zygote until the door closes. In every bot's own process, return its control socket and job."""
    import _socket  # noqa: PLC0415 (not wanted where every bot has an interpreter of its own)

    entrance = _socket.socket(fileno=door)
    flags, *path = marshal.loads(entrance.recv(1 << 12))  # noqa: S302 (from our launcher)
    spare: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    forks = 0
    forget_signals(True)  # once for all Python bots; and whoever started us may have ignored SIGCHLD
    entrance.send(try_walls(flags, kernel))
    while True:
        message, rights, _, _ = entrance.recvmsg(16, 64)
        collect_keepers()
        if not message:
            os._exit(0)
        if forks == FRESH_FORKS:
            spare, packages = import_spare(path)
        forks += 1
        control = int.from_bytes(rights[0][2][:4], "little")
        try:
            keeper = call(CLONE, flags | SIGCHLD, 0, 0, 0, 0)
        except OSError as error:  # too many processes or namespaces: the other bots play on
            os.write(control, f"!{error}".encode())
            keeper = -1
        if not keeper:
            entrance.detach()
            job = keep(_socket.socket(fileno=control), kernel, flags)
            forget_imports(spare, packages, [name for name, _ in job["copies"]])
            return control, job
        os.close(control)


def collect_keepers() -> None:
    """Let go of the keepers that have ended. Their CPU time is then counted as that of a child."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        pass


def try_walls(flags: int, kernel: int) -> bytes:
    """Make the namespaces once and mount a folder in them; empty if that works, or why it does not."""
    reading, writing = os.pipe()
    try:
        if not call(CLONE, flags | SIGCHLD, 0, 0, 0, 0):
            try:
                build_folder(-1, [], "/bot")
                renounce(kernel)
            except OSError as error:
                os.write(writing, str(error).encode())
            os._exit(0)
        os.close(writing)
        return b"ready" if not (said := os.read(reading, 1 << 10)) else b"!" + said
    except OSError as error:
        return b"!" + str(error).encode()
    finally:
        os.close(reading)


def keep(control: Any, kernel: int, flags: int) -> dict[str, Any]:
    """Build the bot's folder and its namespace of users, fork it, wait for its end and report the status.

    Returns the job in the bot's own process, which has no capability and can get none.
    """
    try:
        call(PRCTL, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
        # Signals to a group reach nobody else. A session would have to be told anew to yield to pages.
        os.setpgid(0, 0)
        message, rights, _, _ = control.recvmsg(1 << 18, 64)
        job: dict[str, Any] = marshal.loads(message)  # noqa: S302 (from our launcher)
        passed = [int.from_bytes(rights[0][2][at : at + 4], "little") for at in range(0, 16, 4)]
        for number, fd in enumerate(passed[:3]):
            os.dup2(fd, number)
        if flags & CLONE_NEWUTS:
            call(SETHOSTNAME, b"bot", 3)
        build_folder(passed[3], job["copies"], job["directory"])
        renounce(kernel)
        bot = os.fork()
        if not bot:
            control.detach()
            return job
        end = control.fileno()
        os.closerange(3, end)  # what the bot closes is open all the same, as under bubblewrap
        os.closerange(end + 1, 1 << 16)
        while (found := os.wait())[0] != bot:  # as the first process of its namespace, it collects all others
            continue
        control.send(b"=%d" % os.waitstatus_to_exitcode(found[1]))
        os._exit(0)
    except BaseException as error:
        try:
            control.send(f"!{error}".encode())
        finally:
            os._exit(BROKEN_EXIT)


def build_folder(source: int, copies: list[tuple[str, int]], folder: str) -> None:
    """Mount an empty, read-only folder in memory, with copies (name, mode) from the directory `source`."""
    call(MOUNT, b"tmpfs", folder.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, b"mode=0755")
    mask = os.umask(0o022)
    for name, mode in copies:
        path = f"{folder}/{name}"
        if "/" in name:
            os.makedirs(path.rpartition("/")[0], exist_ok=True)  # noqa: PTH103 (pathlib would have to be imported)
        here = os.open(name, os.O_RDONLY, dir_fd=source)
        copy = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
        while chunk := os.read(here, 1 << 20):
            os.write(copy, chunk)
        os.close(here)
        os.close(copy)
    os.umask(mask)
    call(MOUNT, None, folder.encode(), None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, None)


def renounce(kernel: int) -> None:
    """Move to a namespace of users in which nothing is allowed and nobody makes another."""
    call(UNSHARE, CLONE_NEWUSER)
    limit = os.open("user/max_user_namespaces", os.O_WRONLY, dir_fd=kernel)
    os.write(limit, b"0")
    for capability in range(64):
        try:
            call(PRCTL, PR_CAPBSET_DROP, capability, 0, 0, 0)
        except OSError:  # the first number that this kernel does not know
            break
    call(CAPSET, CAPABILITIES_3, bytes(24))


def main() -> None:
    """Read the job, lock in, attest, wait for "go", and become the bot."""
    control = int(sys.argv[1])
    from_zygote = len(sys.argv) > 2
    if from_zygote:
        control, job = stand_by(control, int(sys.argv[2]))
    os.closerange(3, control)
    os.closerange(control + 1, 1 << 16)
    if not from_zygote:
        job = marshal.loads(os.read(control, 1 << 18))  # noqa: S302  (from our launcher)
    os.chdir(job["directory"])
    if job["exec"] or not from_zygote:
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
