"""A bot's process as `crapette connect` runs it: an ordinary program of the author's, without a sandbox."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LINE_BYTES: Final = 64 << 10
UNREAD_BYTES: Final = 4 << 20
"""More than this that the program has not read is a site that floods it, or a program that hangs."""
STDERR_BYTES: Final = 8 << 10
LEAVE_S: Final = 2.0
PRIVATE: Final = frozenset({"CRAPETTE_TOKEN"})
"""Ours, not the program's."""


class ProgramFailed(Exception):
    """The program cannot go on with its game; the message says why, without a full stop."""


class GameProgram:
    """A running bot: lines in, lines out, and the end of its standard error.

    It runs in a session of its own, so that Ctrl-C reaches only us, and it ends with all that it started.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._stderr = bytearray()
        self._ended = ""
        self._stderr_reader = asyncio.create_task(self._read_stderr())

    @classmethod
    async def start(cls, command: Sequence[str], folder: Path) -> GameProgram:
        """Start it. Raises ProgramFailed."""
        apart: dict[str, Any] = {"start_new_session": True}
        if os.name == "nt":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined]
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={name: value for name, value in os.environ.items() if name not in PRIVATE},
                limit=LINE_BYTES,
                **apart,
            )
        except OSError as error:
            raise ProgramFailed(f"cannot start {command[0]}: {error.strerror or error}") from None
        return cls(process)

    @property
    def is_running(self) -> bool:
        """Whether the process still lives."""
        return self._process.returncode is None

    @property
    def stderr(self) -> str:
        """The last that it wrote to standard error."""
        return self._stderr.decode("utf-8", "replace")

    def write(self, line: str) -> None:
        """Give it a line. Raises ProgramFailed if it reads none."""
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101
        stdin.write(line.encode("utf-8", "replace") + b"\n")
        if stdin.transport.get_write_buffer_size() > UNREAD_BYTES:
            raise ProgramFailed(f"has left {UNREAD_BYTES >> 20} MB unread")

    async def read_line(self) -> str | None:
        """The next line that it writes; None once there are no more. Raises ProgramFailed."""
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101
        try:
            line = await stdout.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            return None
        except asyncio.LimitOverrunError:
            raise ProgramFailed(f"wrote a line of more than {LINE_BYTES} bytes") from None
        return line[:-1].decode("utf-8", "replace")

    async def end(self, seconds: float = LEAVE_S) -> str:
        """Let it leave, end it with all that it started, and return how it ended."""
        if self._ended:
            return self._ended
        assert self._process.stdin is not None  # noqa: S101
        self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)
        left = self._process.returncode
        self._kill()
        self._ended = "did not end" if left is None else _describe_exit(left)
        await self._process.wait()
        with contextlib.suppress(OSError):  # it may have left without having read all
            await self._process.stdin.wait_closed()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stderr_reader, LEAVE_S)
        return self._ended

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            elif self.is_running:
                self._process.kill()

    async def _read_stderr(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None  # noqa: S101
        while chunk := await stderr.read(1 << 16):
            self._stderr += chunk
            del self._stderr[:-STDERR_BYTES]


def _describe_exit(status: int) -> str:
    """How a process ended.

    >>> _describe_exit(1), _describe_exit(-9)
    ('exited with status 1', 'was killed by SIGKILL')
    """
    if status >= 0:
        return f"exited with status {status}"
    try:
        return f"was killed by {signal.Signals(-status).name}"
    except ValueError:
        return f"was killed by signal {-status}"
