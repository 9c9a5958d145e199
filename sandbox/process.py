"""A running bot: lines in and out with deadlines, pausing, CPU time, and how it ended."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from typing import IO, TYPE_CHECKING, Protocol

from sandbox import exit_causes, timer
from sandbox.autogroup import group_yields
from sandbox.errors import (
    BotExited,
    BotFault,
    BotFlooded,
    BotOutOfCpu,
    BotOutOfMemory,
    BotSilent,
    SandboxUnavailable,
)
from sandbox.exchange import Exchange
from sandbox.stderr import KeptStderr

if TYPE_CHECKING:
    from collections.abc import Callable

    from sandbox.exit_causes import Exit, MemoryEvents
    from sandbox.model import Attestation, BotLimits

READ_BYTES = 1 << 16
SAMPLE_SECONDS = 0.05
TEARDOWN_SECONDS = 0.25
GONE_SECONDS = 5.0
UNREAD_BYTES = 1 << 20
"""Output that may wait unread, in lines within their cap, before it counts as a flood."""


class Started(Protocol):
    """What was started to have a bot: a child of ours (`subprocess.Popen`) or what a zygote forked."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """The bot's standard input, to write to."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """The bot's standard output, to read."""

    @property
    def stderr(self) -> IO[bytes] | None:
        """The bot's standard error, to read."""

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status, negative for a signal. Raises TimeoutExpired."""

    def kill(self) -> None:
        """End it by force, if it has not been waited for."""


class Process:
    """One bot in its sandbox, made by `spawn`. Deadlines are times of `time.monotonic()`. Not thread-safe."""

    def __init__(
        self,
        popen: Started,
        attestation: Attestation,
        limits: BotLimits,
        memory_events: Callable[[], MemoryEvents] | None = None,
        *,
        watch_memory: bool = True,
        yields: bool = False,
    ) -> None:
        """`memory_events` reads the counts of the bot's own memory cgroup, if it has one. `yields` says that
        its session does so already (`sandbox.autogroup`).

        `watch_memory=False` lets tests see how much a bot takes when it is not sampled.
        """
        assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None  # noqa: S101, PT018
        self.attestation = attestation
        self.host_pid = attestation.host_pid
        self.limits = limits
        self._popen = popen
        self._pidfd = os.pidfd_open(self.host_pid)
        self._stdin = popen.stdin.fileno()
        self._stdout = popen.stdout.fileno()
        self._stderr = KeptStderr(popen.stderr.fileno(), limits.stderr_bytes)
        for fd in (self._stdin, self._stdout, popen.stderr.fileno()):
            os.set_blocking(fd, False)
        self._poll = select.poll()
        self._poll.register(self._stdout, select.POLLIN)
        self._poll.register(self._pidfd, select.POLLIN)
        self._leaving = select.poll()
        self._leaving.register(self._pidfd, select.POLLIN)
        self._stderr_open = True
        self.exchange = Exchange(self._stdin, self._stdout, timer.ticking(), limits.line_bytes)
        self._buffer = self.exchange.kept
        self._clock = (~self.host_pid << 3) | 2
        self._cpu_ns = 0
        self._peaks = exit_causes.Peaks()
        self._watch_memory = watch_memory
        self._look_at = 0.0
        self._yields = yields or group_yields(self.host_pid)
        self.when_gone: Callable[[], object] = lambda: None
        """Called once when it has ended."""
        self._killed = False
        self._exit: Exit | None = None
        self._oom_kills = exit_causes.host_oom_kills()
        self._memory_events = memory_events
        self.cpu_ns()

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of `data` to its standard input.

        Raises `BotSilent` if it has not read everything by the deadline, and `BotExited` or similar if it is
        gone.
        """
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._stdin, view) :]
            except BlockingIOError:
                self._await_room(deadline)
            except BrokenPipeError:
                raise exit_causes.fault(self._finish(TEARDOWN_SECONDS)) from None

    def ask(self, data: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """Combine `send` and `read_line` cheaply, for answers that come at once.

        The bot must read `data` within `seconds`. Returns None if the answer is not complete after about
        `milliseconds`. It may still come: `read_line` continues where this stopped. Raises the same errors as
        both.
        """
        if time.monotonic() >= self._look_at:
            self._sample()
            self._end_if_too_large()
        reply: bytes | None = self.exchange.ask(data, milliseconds)
        if reply is None:
            self.send_rest(data, seconds)
        return reply

    def send_rest(self, data: bytes, seconds: float) -> None:
        """Write what an unanswered `exchange` could not write. Raises as `send`."""
        if (sent := self.exchange.sent) < len(data):
            self.send(data[sent:], time.monotonic() + seconds)

    def _await_room(self, deadline: float) -> None:
        """Wait until it accepts input. Read its output meanwhile, since it may be blocked on writing."""
        room = select.poll()
        room.register(self._stdin, select.POLLOUT)
        room.register(self._stdout, select.POLLIN)
        room.register(self._pidfd, select.POLLIN)
        while (wait := deadline - time.monotonic()) > 0:
            happened = self._happened(room, wait)
            self._end_if_too_large()
            if self._pidfd in happened:
                raise exit_causes.fault(self._finish(TEARDOWN_SECONDS))
            if self._stdin in happened:
                return
            if self._stdout in happened and not self._take_output():
                room.unregister(self._stdout)
            if len(self._buffer) > UNREAD_BYTES:
                raise BotFlooded(f"wrote more than {UNREAD_BYTES} bytes that nobody asked for")
        raise BotSilent("did not read what it was sent")

    def _happened(self, poll: select.poll, seconds: float) -> list[int]:
        """Poll for at most this many seconds and return the descriptors that are ready.

        Every wait for the bot comes through here often, whatever the bot does meanwhile. So this is where its
        memory is sampled and standard error is read: it may be blocked on writing there.
        """
        self._sample()
        seconds = min(seconds, SAMPLE_SECONDS)
        fd, resting = self._stderr.fd, self._stderr.resting()
        hears = self._stderr_open and not resting
        if hears:
            poll.register(fd, select.POLLIN)
        elif resting:
            seconds = min(seconds, resting)
        happened = [number for number, _ in poll.poll(max(0.0, seconds) * 1000)]
        if hears:
            poll.unregister(fd)
            if fd in happened:
                self._stderr_open = self._stderr.take()
        return happened

    def read_line(self, deadline: float) -> bytes:
        """Return the next line it writes, without the newline.

        Raises `BotSilent` at the deadline, `BotFlooded` for a line that is too long, and the error of
        `diagnosis.fault` (`BotExited`, `BotOutOfMemory`, `BotOutOfCpu`) when it is gone.
        """
        buffer = self._buffer
        searched = 0
        while (end := buffer.find(b"\n", searched)) < 0:
            searched = len(buffer)
            if searched >= self.limits.line_bytes:
                raise BotFlooded(f"wrote a line of more than {self.limits.line_bytes} bytes")
            self._await_output(deadline)
        if end >= self.limits.line_bytes:
            raise BotFlooded(f"wrote a line of more than {self.limits.line_bytes} bytes")
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        return line

    def _await_output(self, deadline: float) -> None:
        """Wait for some standard output and read it."""
        while True:
            wait = deadline - time.monotonic()
            happened = self._happened(self._poll, wait)
            self._end_if_too_large()
            if self._stdout in happened and self._take_output():
                return
            if self._stdout in happened or self._pidfd in happened:
                if self._take_output():  # what it said before it went
                    return
                raise exit_causes.fault(self._finish(TEARDOWN_SECONDS))
            if wait <= 0:
                raise BotSilent("gave no answer in time")

    def _sample(self) -> None:
        """Sample its memory, which is possible only while it lives, if the last sample is old enough."""
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + SAMPLE_SECONDS
            self.exchange.due = int(self._look_at * 1e9)
            self._peaks.sample(self.host_pid)
            self.cpu_ns()
            self._yields = self._yields or group_yields(self.host_pid)

    def _end_if_too_large(self) -> None:
        """End it and raise `BotOutOfMemory` if it was seen to hold too much memory.

        The kernel's limits come first. This catches what they do not count.
        """
        if self._too_large():
            raise exit_causes.fault(self._finish(0.0))

    def _too_large(self) -> bool:
        return self._watch_memory and self._peaks.exceed(self.limits)

    def _take_output(self) -> bool:
        """Move available output to the buffer; return whether there was any."""
        try:
            chunk = os.read(self._stdout, READ_BYTES)
        except BlockingIOError:
            return False
        self._buffer += chunk
        return bool(chunk)

    def drain(self) -> bytes:
        """Return and forget everything it wrote unasked. Call this before asking a question.

        Raises `BotFlooded` if that is too much.
        """
        while self._exit is None and len(self._buffer) <= UNREAD_BYTES and self._take_output():
            pass
        unasked = bytes(self._buffer)
        self._buffer.clear()
        if len(unasked) > UNREAD_BYTES:
            raise BotFlooded(f"wrote more than {UNREAD_BYTES} bytes that nobody asked for")
        return unasked

    def pause(self) -> None:
        """Stop all its threads until `resume`. Does nothing if it is gone."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it run again. Does nothing when it is gone."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._exit is not None:  # its descriptor is closed, and may be another's by now
            return
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self._pidfd, number)

    def cpu_ns(self) -> int:
        """CPU time of all its threads so far in nanoseconds, including start-up. Reading it costs 0.3 µs."""
        try:  # noqa: SIM105 (a fifth of the time of contextlib, at every answer)
            self._cpu_ns = time.clock_gettime_ns(self._clock)
        except OSError:  # gone: what we last saw
            pass
        return self._cpu_ns

    @property
    def alive(self) -> bool:
        """Whether the bot's process still exists."""
        return self._exit is None and not _ready(self._pidfd, 0.0)

    def farewell(self, data: bytes, seconds: float) -> bool:
        """Send a last message and close its input; return whether it exits by itself within `seconds`."""
        if self._exit is not None:
            return True
        deadline = time.monotonic() + seconds
        self._peaks.sample(self.host_pid)
        self.resume()
        with contextlib.suppress(BotFault, SandboxUnavailable):  # it need not hear this
            self.send(data, deadline)
        self.close_input()
        return self._exit is not None or self._leaves(deadline - time.monotonic())

    def _leaves(self, seconds: float) -> bool:
        """Return whether it exits within this many seconds. Meanwhile it may write to standard error.

        False as soon as it holds too much memory.
        """
        deadline = time.monotonic() + seconds
        while True:
            wait = deadline - time.monotonic()
            if self._pidfd in self._happened(self._leaving, wait):
                return True
            if wait <= 0 or self._too_large():
                return False

    def close_input(self) -> None:
        """Let it see the end of its standard input."""
        if self._popen.stdin is not None and not self._popen.stdin.closed:
            self._popen.stdin.close()

    def read_to_end(self, deadline: float, most: int) -> bytes:
        """Return everything it writes until it ends.

        Raises `BotFlooded` after `most` bytes, `BotSilent` at the deadline.
        """
        while len(self._buffer) <= most:
            try:
                self._await_output(deadline)
            except (BotExited, BotOutOfMemory, BotOutOfCpu):
                return bytes(self._buffer)
        raise BotFlooded(f"wrote more than {most} bytes")

    def kill(self) -> Exit:
        """End it now by force and return how it ended. `close` does the same."""
        return self.close()

    def close(self) -> Exit:
        """End it if it still runs, free everything, and return how it ended. May be called again.

        Raises nothing. What the kernel is slow to take away is left to `reap`.
        """
        return self._finish(0.0)

    def _finish(self, patience: float) -> Exit:
        """Give it `patience` seconds to end by itself, then force it."""
        if self._exit is not None:
            return self._exit
        if not self._leaves(patience):
            self.cpu_ns()
            self._peaks.sample(self.host_pid)
            self._killed = True
            self._signal(signal.SIGKILL)
        gone = _ready(self._pidfd, GONE_SECONDS)
        self.cpu_ns()
        status = self._collected(GONE_SECONDS) if gone else None
        if status is None and isinstance(self._popen, subprocess.Popen):
            # bwrap, whose end is the end of all inside, as soon as the kernel gets to it. What a zygote
            # forked ends by the signal alone: its other bots may be in the middle of a game.
            self._popen.kill()
        self._stderr.take_rest()
        self._exit = exit_causes.ProcessEnd(
            -signal.SIGKILL if status is None else status,
            self._cpu_ns,
            self._peaks,
            bytes(self._stderr),
            self.limits,
            self._killed or status is None,
            host_oom=exit_causes.host_oom_kills() > self._oom_kills,
            memory_events=self._memory_events() if self._memory_events is not None else None,
            stderr_bytes=self._stderr.total,
            too_large=self._too_large(),
        ).explain()
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()
        self._stdin = self._stdout = -1  # the numbers may soon be another bot's
        self.exchange.close()
        if status is None:
            _lingering.append(self)
        else:
            self._free()
        return self._exit

    def _collected(self, seconds: float) -> int | None:
        """The exit status of what we started, which ends soon after the bot; None if not in time."""
        try:
            return self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def _free(self) -> None:
        """Let go of what is left of a process that is gone."""
        os.close(self._pidfd)
        self._pidfd = -1
        with contextlib.suppress(OSError):  # its folder or its cgroup, which the next start does not need
            self.when_gone()

    def is_collected(self) -> bool:
        """Whether a process that was slow to die is gone by now; then it is freed."""
        if not _ready(self._pidfd, 0.0) or self._collected(0.0) is None:
            return False
        self._free()
        return True

    def fileno(self) -> int:
        """Return the descriptor of its standard output, so that callers can poll it."""
        return self._stdout


def _ready(fd: int, seconds: float) -> bool:
    waiter = select.poll()
    waiter.register(fd, select.POLLIN)
    return bool(waiter.poll(seconds * 1000))


_lingering: list[Process] = []
"""Processes of which the kernel did not take everything away within `GONE_SECONDS` of their SIGKILL."""


def reap() -> int:
    """Free the processes that were slow to die and are gone now; return how many still are not."""
    for process in tuple(_lingering):
        if process.is_collected():
            _lingering.remove(process)
    return len(_lingering)
