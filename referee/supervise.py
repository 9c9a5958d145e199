"""Starts the playing process and reads its output, for the worker and the commands.

The process runs from the stage, a read-only copy of the few packages it needs. Its environment holds no
password or key, and it runs as the runner's user if we are root. It ends when its standard input ends, so it
never outlives us.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import subprocess
import tempfile
import time
from typing import IO, TYPE_CHECKING, Any, Final

from referee.errors import Infrastructure
from sandbox import Stage, as_runner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType
    from typing import Self

    from referee.job import Job

    Read = Callable[[float], "list[Message] | None"]

Message = dict[str, Any]

_STDERR_KEPT: Final = 2000
_LEAVE_S: Final = 2.0
_CLOSE_S: Final = 60.0
"""How long the process may take to end the bots once the result is known."""
_PIPE_BYTES: Final = 1 << 20
"""The size of the pipe.

It holds the events of several games, so that the playing process need not wait for us.
"""


class PlayingProcess:
    """One playing process. It plays any number of jobs, one after the other."""

    def __init__(self, stage: Stage | None = None, module: str = "referee", *arguments: str) -> None:
        """Start the process. Raises SandboxUnavailable if there can be no stage."""
        self.stage = stage if stage is not None else Stage.ensure()
        command, dropped = as_runner(self.stage.command(module, *arguments))
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._buffer = b""
        self.popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            bufsize=0,
            cwd="/",
            env=self.stage.environment,
            start_new_session=True,
            **dropped,
        )
        assert self.popen.stdout is not None  # noqa: S101
        with contextlib.suppress(OSError):  # beyond what the user may have: then as it is
            fcntl.fcntl(self.popen.stdout, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    def start(self, job: Job, *, last: bool = False, read: Read | None = None) -> RunningGame:
        """Give the process a game to play; after the ``last`` one it ends.

        ``read`` is called instead of `read` if somebody else reads what the process says. Raises
        Infrastructure if the process is gone.
        """
        assert self.popen.stdin is not None  # noqa: S101
        try:
            self.popen.stdin.write(job.line().encode() + b"\n")
        except BrokenPipeError:
            raise Infrastructure(self.last_words()) from None
        return RunningGame(self, last=last, read=read)

    def news_pipe(self) -> int:
        """Return a descriptor of the caller's own, to write news of remote seats to (`remote.RemoteNews`).
        The process waits for more games as long as it is open."""
        assert self.popen.stdin is not None  # noqa: S101
        return os.dup(self.popen.stdin.fileno())

    def output_pipe(self) -> int:
        """Return a descriptor of the caller's own, to read instead of `read` while a game is played."""
        assert self.popen.stdout is not None  # noqa: S101
        return os.dup(self.popen.stdout.fileno())

    def read(self, timeout: float) -> list[Message] | None:
        """Return the messages since the last call, waiting at most this long; None once there are no more."""
        stdout = self.popen.stdout
        assert stdout is not None  # noqa: S101
        deadline = time.monotonic() + timeout
        while b"\n" not in self._buffer:
            if not select.select([stdout], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return []
            chunk = os.read(stdout.fileno(), 1 << 20)
            if not chunk:
                return None
            self._buffer += chunk
        lines, _, self._buffer = self._buffer.rpartition(b"\n")
        found: list[Message] = json.loads(b"[" + lines.replace(b"\n", b",") + b"]")
        return found

    def last_words(self) -> str:
        """Say how the process ended, with the end of its standard error."""
        status = self.popen.wait()
        self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, self._stderr.tell() - _STDERR_KEPT))
        words = self._stderr.read().decode("utf-8", "replace").strip()
        return f"the playing process ended with status {status}" + (f": {words}" if words else "")

    def interrupt(self) -> None:
        """End the process and its bots soon; whoever reads it hears of it. For calls from another thread."""
        self.popen.kill()

    def kill(self) -> None:
        """End the process and its bots at once."""
        self.popen.kill()
        self.popen.wait()
        self._close()

    def close(self) -> None:
        """Let the process exit by itself, and kill it if it does not."""
        assert self.popen.stdin is not None  # noqa: S101
        self.popen.stdin.close()
        try:
            self.popen.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        self._close()

    def _close(self) -> None:
        for pipe in (self.popen.stdin, self.popen.stdout, self._stderr):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()


class PlayingProcessDied(Infrastructure):
    """The playing process ended without saying why."""


class RunningGame:
    """A game being played by a `PlayingProcess`.

    Read it by `batches`; when they end, ``result`` is the message ``{"type": "result", …}``.
    """

    def __init__(self, process: PlayingProcess, *, last: bool = False, read: Read | None = None) -> None:
        self.process = process
        self._read = read or process.read
        self.result: Message | None = None
        self._last = last
        self._known: Message | None = None
        self._known_at = 0.0

    @property
    def pid(self) -> int:
        """The process that plays."""
        return self.process.popen.pid

    def batches(self, timeout: float = 1.0) -> Iterator[list[Message]]:
        """Yield events in batches as they come; an empty batch if none came for ``timeout`` seconds.

        Raises Infrastructure if the machine failed, so that the game is void. Once the record has its end,
        the result is known and stands, even if the process fails while it ends the bots.
        """
        while self.result is None:
            messages = self._read(timeout)
            if messages is None:
                self._failed(PlayingProcessDied(self.process.last_words()))
            elif messages and messages[-1]["type"] == "result":
                self.result = messages.pop()
            elif messages and messages[-1]["type"] == "infrastructure":
                failed = messages.pop()
                self._failed(Infrastructure(failed["reason"], failed.get("seat")))
            elif messages and messages[-1]["type"] == "end":
                self._known, self._known_at = messages[-1]["result"], time.monotonic()
            elif self._known is not None and time.monotonic() - self._known_at > _CLOSE_S:
                self._failed(Infrastructure("the playing process did not end its bots"))
            if messages or self.result is None:
                yield messages or []
        if self._last:
            self.process.close()

    def _failed(self, error: Infrastructure) -> None:
        """End the process, which is of no more use, and raise the error unless the result is known."""
        self.kill()
        if self._known is None:
            raise error
        left: Message = {"ready": [], "evidence": [], "trouble": str(error)}
        self.result = {"type": "result", "result": self._known, **left}

    def kill(self) -> None:
        """End the game, its bots and the process that plays it, at once."""
        self.process.kill()
