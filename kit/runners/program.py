"""An ordinary program as the referee's player."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from referee.endings import Termination
from referee.player import PlayerEvidence, PlayerFault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

LINE_BYTES: Final = 64 << 10
STDERR_BYTES: Final = 64 << 10
MESSAGES_KEPT: Final = 24
MESSAGE_CHARS: Final = 4000
LEAVE_S: Final = 0.5
UNREAD_LINES: Final = 1000
"""More lines that nobody asked for are a flood."""


class ProgramPlayer:
    """Implements `referee.player.Player` with a child process and two threads that read it."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        """Start it. Raises OSError."""
        keeping = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "LD_LIBRARY_PATH")
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env={
                **{name: os.environ[name] for name in keeping if name in os.environ},
                "PYTHONHASHSEED": "0",
                "LANG": "C.UTF-8",
                "OMP_NUM_THREADS": "1",
                "OPENBLAS_NUM_THREADS": "1",
            },
        )
        self._lines: queue.Queue[bytes | PlayerFault] = queue.Queue(UNREAD_LINES)
        self._messages: deque[tuple[str, str]] = deque(maxlen=MESSAGES_KEPT)
        self._stderr = bytearray()
        self._stderr_bytes = 0
        self._closed: PlayerEvidence | None = None
        self._clock = _clock_of(self._popen.pid)
        self._used = 0
        self._asked: int | None = None
        self._readers = [
            threading.Thread(target=read, daemon=True) for read in (self._read, self._read_errors)
        ]
        for reader in self._readers:
            reader.start()

    @property
    def attestation(self) -> dict[str, object]:
        """Nothing is proved of it."""
        return {}

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line. Raises PlayerFault if the program is gone."""
        self._messages.append(("to", _text(line)))
        self._asked = time.monotonic_ns()
        assert self._popen.stdin is not None  # noqa: S101
        try:
            self._popen.stdin.write(line)
            self._popen.stdin.flush()
        except (OSError, ValueError):
            raise self._gone() from None

    def ask(self, line: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """Write a line and return the answer if it comes at once. Raises PlayerFault."""
        while not self._lines.empty():  # unasked: it would not repeat the question's id
            break
        self.send(line, time.monotonic() + seconds)
        return self.receive(time.monotonic() + milliseconds / 1000)

    def short_way(self) -> None:
        """There is none."""

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line, or None at the deadline. Raises PlayerFault."""
        try:
            found = self._lines.get(timeout=max(0.0, deadline - time.monotonic()) or 0.0001)
        except queue.Empty:
            return None
        if isinstance(found, PlayerFault):
            self._lines.put(found)
            raise found
        self.cpu_ns()
        self._asked = None
        self._messages.append(("from", _text(found)))
        return found

    def fileno(self) -> int:
        """There is none to wait for on every system."""
        return -1

    def cpu_ns(self) -> int:
        """The CPU time of the process, or where the system does not tell, the time that answers took."""
        if self._clock is not None:
            with contextlib.suppress(OSError):
                self._used = self._clock()
        elif self._asked is not None:
            now = time.monotonic_ns()
            self._used += now - self._asked
            self._asked = now
        return self._used

    def delayed_ns(self) -> int:
        """Not known."""
        return 0

    def sleeps(self) -> int:
        """Not known."""
        return 0

    def pause(self) -> None:
        """Stop it, where that is possible."""
        self._signal("SIGSTOP")

    def resume(self) -> None:
        """Let it go on."""
        self._signal("SIGCONT")

    def farewell(self, line: bytes) -> None:
        """Let it run and send a last line."""
        self.resume()
        with contextlib.suppress(PlayerFault):
            self.send(line, 0.0)
        with contextlib.suppress(OSError):
            assert self._popen.stdin is not None  # noqa: S101
            self._popen.stdin.close()

    def close(self) -> PlayerEvidence:
        """Give it a moment to leave, end it, and return its evidence."""
        if self._closed is None:
            self.resume()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(LEAVE_S)
            self.kill()
        assert self._closed is not None  # noqa: S101
        return self._closed

    def kill(self) -> None:
        """End it at once."""
        if self._closed is not None:
            return
        left = self._popen.poll()
        self.cpu_ns()
        self._popen.kill()
        self._popen.wait()
        for reader in self._readers:
            reader.join(LEAVE_S)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            assert pipe is not None  # noqa: S101
            with contextlib.suppress(OSError):
                pipe.close()
        self._closed = PlayerEvidence(
            messages=list(self._messages),
            stderr=_text(bytes(self._stderr), len(self._stderr)),
            stderr_bytes=self._stderr_bytes,
            exit="was ended" if left is None else _words(left),
            cpu_ms=self._used // 1_000_000,
        )

    def _gone(self) -> PlayerFault:
        """Why the process is gone, once it is."""
        try:
            return PlayerFault(Termination.CRASH, _words(self._popen.wait(1.0)))
        except subprocess.TimeoutExpired:
            return PlayerFault(Termination.CRASH, "closed its standard input or output")

    def _read(self) -> None:
        """Put every line into the queue, and finally the reason why no more will come."""
        assert self._popen.stdout is not None  # noqa: S101
        buffer = b""
        with contextlib.suppress(OSError, ValueError):
            while chunk := self._popen.stdout.read(1 << 16):
                *lines, buffer = (buffer + chunk).split(b"\n")
                for line in lines:
                    self._lines.put(line)
                if len(buffer) > LINE_BYTES:
                    fault = PlayerFault(Termination.FLOOD, f"wrote a line of more than {LINE_BYTES} bytes")
                    self._lines.put(fault)
                    return
        self._lines.put(self._gone())

    def _read_errors(self) -> None:
        """Keep the end of its standard error."""
        assert self._popen.stderr is not None  # noqa: S101
        with contextlib.suppress(OSError, ValueError):
            while chunk := self._popen.stderr.read(1 << 16):
                self._stderr_bytes += len(chunk)
                self._stderr += chunk
                del self._stderr[:-STDERR_BYTES]

    def _signal(self, name: str) -> None:
        number: Any = getattr(signal, name, None)
        if number is not None and self._popen.poll() is None:
            with contextlib.suppress(OSError):
                self._popen.send_signal(number)


def _words(status: int) -> str:
    """How a process ended."""
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"


def _clock_of(pid: int) -> Callable[[], int] | None:
    """A function that reads the CPU time of a process in nanoseconds, or None if there is no cheap one."""
    number = (~pid) << 3 | 2  # clock_getcpuclockid(3) of Linux
    try:
        time.clock_gettime_ns(number)
    except (OSError, AttributeError):
        return None
    return lambda: time.clock_gettime_ns(number)


def _text(line: bytes, most: int = MESSAGE_CHARS) -> str:
    return line[:most].decode("utf-8", "replace").rstrip("\n")
