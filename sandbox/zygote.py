"""Prepared parents of bots at level `full`: an interpreter that has started, from which bots are forked.

Starting Python and bubblewrap for a bot costs several times as much as a fork with namespaces of its own. So
each thread that plays keeps one zygote for every set of files that bots see: bubblewrap shows it these files,
once. A zygote reads nothing that belongs to a bot. It gets a descriptor for each, and forks (`walls.stub`).
All that contains a bot is made for each bot alone, and attested, as where bubblewrap makes it. Where a
zygote may make no namespaces (AppArmor's profile for bubblewrap), every bot is started by bubblewrap.

Bots of one zygote have the same addresses in memory. These are a secret to nobody they could attack: the
referee is another program, with its own. What a bot writes is its own copy, which ends with it.
"""

from __future__ import annotations

import array
import contextlib
import marshal
import os
import select
import signal
import socket
import subprocess
import threading
import weakref
from typing import IO, TYPE_CHECKING, Final

from sandbox.autogroup import group_yields

if TYPE_CHECKING:
    from sandbox.plan import SandboxPlan

END: Final = b"="
"""What the keeper's last message begins with; the bot's exit status follows."""
KERNEL: Final = "/proc/sys"
END_SECONDS: Final = 2.0
"""How long a zygote may take to end by itself once its door is closed."""

_of_thread = threading.local()
"""``found``: the zygote of each command line, None for one that cannot make namespaces here."""


class ForkedBot:
    """A bot whose parent is a zygote's keeper. It has what `Process` wants of a `subprocess.Popen`."""

    def __init__(self, zygote: Zygote, control: socket.socket, pipes: tuple[int, int, int]) -> None:
        self._zygote = zygote
        self._control = control
        self.stdin: IO[bytes] = open(pipes[0], "wb", buffering=0)  # noqa: PTH123, SIM115 (closed by the owner)
        self.stdout: IO[bytes] = open(pipes[1], "rb", buffering=0)  # noqa: PTH123, SIM115
        self.stderr: IO[bytes] = open(pipes[2], "rb", buffering=0)  # noqa: PTH123, SIM115
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, once its keeper has said it; negative for a signal.

        Raises TimeoutExpired.
        """
        if self.returncode is None:
            waiter = select.poll()
            waiter.register(self._control, select.POLLIN)
            if not waiter.poll(None if timeout is None else max(0.0, timeout) * 1000):
                raise subprocess.TimeoutExpired("bot", timeout or 0.0)
            said = b""
            with contextlib.suppress(OSError):
                said = self._control.recv(1 << 12)
            # Without that message its keeper was killed, and it with it.
            self.returncode = int(said[1:]) if said.startswith(END) else -signal.SIGKILL
            self._control.close()
        return self.returncode

    def kill(self) -> None:
        """End its zygote, and with it the bots of this thread: for one that did not start or does not end."""
        if self.returncode is None:
            with contextlib.suppress(OSError):
                self._control.shutdown(socket.SHUT_RDWR)
            self._zygote.end()


class Zygote:
    """One running zygote. Raises OSError if it cannot be started or cannot make namespaces here."""

    def __init__(self, plan: SandboxPlan) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with contextlib.ExitStack() as undone:
            undone.enter_context(ours)
            kernel = os.open(KERNEL, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                with theirs:
                    popen = subprocess.Popen(
                        [*plan.zygote_command, str(theirs.fileno()), str(kernel)],
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        cwd="/",
                        env=plan.zygote_environment,
                        pass_fds=(theirs.fileno(), kernel),
                    )
            finally:
                os.close(kernel)
            undone.callback(_end, ours, popen)
            ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            ours.settimeout(plan.limits.start_seconds)
            ours.send(marshal.dumps([plan.clone_flags, *plan.spare_path]))
            said, ancillary, _, _ = ours.recvmsg(1 << 12, 64)
            if said != b"ready":
                raise OSError(said.decode("utf-8", "replace") or "the zygote did not start")
            self.host_pid = sender(ancillary)
            undone.pop_all()
        self._door = ours
        self._yields = False
        self.process = popen
        self.end = weakref.finalize(self, _end, ours, popen)

    def is_alive(self) -> bool:
        """Whether it can fork bots."""
        return self.end.alive and self.process.poll() is None

    def yields(self) -> bool:
        """Whether the session of its bots yields to others; tries to have it do so."""
        self._yields = self._yields or group_yields(self.host_pid)
        return self._yields

    def fork(self, plan: SandboxPlan, job: bytes, control: socket.socket, theirs: socket.socket) -> ForkedBot:
        """Start a bot, whose stub reports on `control`. Raises OSError if the zygote is gone."""
        with contextlib.ExitStack() as passed, contextlib.ExitStack() as kept:
            ends = []
            for number in range(3):
                reading, writing = os.pipe()
                here, there = (writing, reading) if number == 0 else (reading, writing)
                kept.callback(os.close, here)
                passed.callback(os.close, there)
                ends.append((here, there))
            folder = os.open(plan.program.directory, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
            passed.callback(os.close, folder)
            _send(control, job, [*(there for _, there in ends), folder])
            _send(self._door, b"fork", [theirs.fileno()])
            kept.pop_all()
        return ForkedBot(self, control, (ends[0][0], ends[1][0], ends[2][0]))


def _send(to: socket.socket, message: bytes, descriptors: list[int]) -> None:
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))
    to.sendmsg([message], [rights])


def sender(ancillary: list[tuple[int, int, bytes]]) -> int:
    """The sender's pid as the kernel shows it to us, from what came with a message; 0 if it came without."""
    for level, kind, data in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            return int.from_bytes(data[:4], "little")
    return 0


def _end(door: socket.socket, popen: subprocess.Popen[bytes]) -> None:
    """End a zygote, and all its bots with it."""
    door.close()
    try:
        popen.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait()
    for pipe in (popen.stdin, popen.stdout, popen.stderr):
        if pipe is not None:
            pipe.close()


def of(plan: SandboxPlan) -> Zygote | None:
    """This thread's zygote for such a plan; None where bots must be started without one."""
    found: dict[tuple[object, ...], Zygote | None] = _of_thread.__dict__.setdefault("found", {})
    key = (os.getpid(), plan.stage.path, plan.stage.memory, plan.wheels, plan.clone_flags)
    if key not in found or ((zygote := found[key]) is not None and not zygote.is_alive()):
        try:
            found[key] = Zygote(plan)
        except OSError:
            found[key] = None
    return found[key]
