"""A running bot: lines in and out with deadlines, pause and resume, its processor time, its end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from sandbox import diagnosis, tick
from sandbox.errors import (
    BotExited,
    BotFault,
    BotFlooded,
    BotOutOfCpu,
    BotOutOfMemory,
    BotSilent,
    SandboxUnavailable,
)
from sandbox.stderr import KeptStderr

if TYPE_CHECKING:
    from collections.abc import Callable

    from sandbox.diagnosis import MemoryEvents
    from sandbox.model import Attestation, Exit, Limits

READ_BYTES = 1 << 16
SAMPLE_SECONDS = 0.05
TEARDOWN_SECONDS = 0.25
GONE_SECONDS = 5.0
UNREAD_BYTES = 1 << 20
"""Output that may wait unread, in lines within their cap, before it counts as a flood."""


class Process:
    """One bot in its sandbox, made by `spawn`. Deadlines are of `time.monotonic()`. Not for two threads."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        attestation: Attestation,
        limits: Limits,
        memory_events: Callable[[], MemoryEvents] | None = None,
        *,
        watch_memory: bool = True,
    ) -> None:
        """`memory_events` reads what the memory cgroup of this bot alone has counted, if it has one.

        `watch_memory=False` lets tests see what a bot takes when nobody looks.
        """
        assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None  # noqa: S101, PT018
        self.attestation = attestation
        self.host_pid = attestation.host_pid
        self.limits = limits
        self._line_bytes = limits.line_bytes
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
        self._quick = select.poll()
        self._quick.register(self._stdout, select.POLLIN)
        self._tick = tick.ticking()
        if self._tick >= 0:
            self._quick.register(self._tick, select.POLLIN)
        self._clock = (~self.host_pid << 3) | 2
        self._buffer = bytearray()
        self._cpu_ns = 0
        self._peaks = diagnosis.Peaks()
        self._watch_memory = watch_memory
        self._look_at = 0.0
        self.when_gone: Callable[[], object] = lambda: None
        """Called once when it has ended."""
        self._killed = False
        self._exit: Exit | None = None
        self._oom_kills = diagnosis.host_oom_kills()
        self._memory_events = memory_events
        self.cpu_ns()

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of `data` to its standard input.

        Raises `BotSilent` when it has not taken it by the deadline, `BotExited` and its kin when it is gone.
        """
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._stdin, view) :]
            except BlockingIOError:
                self._await_room(deadline)
            except BrokenPipeError:
                raise diagnosis.fault(self._finish(TEARDOWN_SECONDS)) from None

    def ask(self, data: bytes, seconds: float, milliseconds: int) -> bytes | None:
        """`send` and `read_line` in one, and cheap, for answers that come at once.

        `data` must be taken within `seconds`. None if the answer is not complete after about so many
        `milliseconds`: it may still come, `read_line` goes on where this stopped. Raises as they do.
        """
        if time.monotonic() >= self._look_at:
            self._sample()
            self._end_if_too_large()
        try:
            written = os.write(self._stdin, data)
        except (BlockingIOError, BrokenPipeError):
            written = 0
        if written < len(data):
            self.send(data[written:], time.monotonic() + seconds)
        if self._buffer:
            return None
        events = self._quick.poll(milliseconds if self._tick < 0 else None)
        if (not events or events[0][0] != self._stdout) and not self._answered_by_tick(milliseconds):
            return None
        try:
            chunk = os.read(self._stdout, READ_BYTES)
        except BlockingIOError:
            return None
        if chunk.find(b"\n") == len(chunk) - 1 and 0 < len(chunk) <= self._line_bytes:
            return chunk[:-1]
        self._buffer += chunk
        return None

    def _answered_by_tick(self, milliseconds: int) -> bool:
        """Wait for so many ticks after one that came before the answer; whether there is an answer then.

        The first tick may have come right after the question, or long before it.
        """
        if self._tick < 0:
            return False
        for _ in range(milliseconds + 1):
            tick.take(self._tick)
            if self._quick.poll()[0][0] == self._stdout:
                return True
        return False

    def _await_room(self, deadline: float) -> None:
        """Wait until it takes input. What it says meanwhile is taken in: it may be waiting to say it."""
        room = select.poll()
        room.register(self._stdin, select.POLLOUT)
        room.register(self._stdout, select.POLLIN)
        room.register(self._pidfd, select.POLLIN)
        while (wait := deadline - time.monotonic()) > 0:
            happened = self._happened(room, wait)
            self._end_if_too_large()
            if self._pidfd in happened:
                raise diagnosis.fault(self._finish(TEARDOWN_SECONDS))
            if self._stdin in happened:
                return
            if self._stdout in happened and not self._take_output():
                room.unregister(self._stdout)
            if len(self._buffer) > UNREAD_BYTES:
                raise BotFlooded(f"wrote more than {UNREAD_BYTES} bytes that nobody asked for")
        raise BotSilent("did not read what it was sent")

    def _happened(self, poll: select.poll, seconds: float) -> list[int]:
        """The descriptors of `poll` that something happened to, within so many seconds or sooner.

        Every wait for the bot comes through here often, whatever the bot does meanwhile. So this is where its
        memory is sampled, and where standard error is read: it may be waiting to write there.
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
        """The next line it writes, without the newline.

        Raises `BotSilent` at the deadline, `BotFlooded` for a line above the cap, and what `diagnosis.fault`
        makes of its end (`BotExited`, `BotOutOfMemory`, `BotOutOfCpu`) when it is gone.
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
        """Wait for a part of standard output and take it in."""
        while True:
            wait = deadline - time.monotonic()
            happened = self._happened(self._poll, wait)
            self._end_if_too_large()
            if self._stdout in happened and self._take_output():
                return
            if self._stdout in happened or self._pidfd in happened:
                if self._take_output():  # what it said before it went
                    return
                raise diagnosis.fault(self._finish(TEARDOWN_SECONDS))
            if wait <= 0:
                raise BotSilent("gave no answer in time")

    def _sample(self) -> None:
        """Remember what it uses while it lives, for the dead do not tell; only if some time has passed."""
        now = time.monotonic()
        if now >= self._look_at:
            self._look_at = now + SAMPLE_SECONDS
            self._peaks.sample(self.host_pid)
            self.cpu_ns()

    def _end_if_too_large(self) -> None:
        """End it and raise `BotOutOfMemory` if it was seen to hold more memory than it may.

        The kernel's limits come first: this is behind what they do not count.
        """
        if self._too_large():
            raise diagnosis.fault(self._finish(0.0))

    def _too_large(self) -> bool:
        return self._watch_memory and self._peaks.exceed(self.limits)

    def _take_output(self) -> bool:
        """Move what is there to the buffer; False when nothing is (left)."""
        try:
            chunk = os.read(self._stdout, READ_BYTES)
        except BlockingIOError:
            return False
        self._buffer += chunk
        return bool(chunk)

    def drain(self) -> bytes:
        """Everything it wrote that nobody asked for, now forgotten: call it before a question is put.

        Raises `BotFlooded` when that is more than may wait.
        """
        while self._exit is None and len(self._buffer) <= UNREAD_BYTES and self._take_output():
            pass
        unasked = bytes(self._buffer)
        self._buffer.clear()
        if len(unasked) > UNREAD_BYTES:
            raise BotFlooded(f"wrote more than {UNREAD_BYTES} bytes that nobody asked for")
        return unasked

    def pause(self) -> None:
        """Stop all its threads until `resume`. Does nothing when it is gone."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it run again. Does nothing when it is gone."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._exit is not None:  # its descriptor is closed, and may be another's by now
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)

    def cpu_ns(self) -> int:
        """Processor time of all its threads so far, start-up included, in nanoseconds. Costs 0.3 µs."""
        with contextlib.suppress(OSError):  # gone: what we last saw
            self._cpu_ns = time.clock_gettime_ns(self._clock)
        return self._cpu_ns

    @property
    def alive(self) -> bool:
        """Whether the bot's process still exists."""
        return self._exit is None and not _ready(self._pidfd, 0.0)

    def farewell(self, data: bytes, seconds: float) -> bool:
        """Send a last message, close its input, let it leave by itself; whether it did within `seconds`."""
        if self._exit is not None:
            return True
        deadline = time.monotonic() + seconds
        self._peaks.sample(self.host_pid)
        self.resume()
        with contextlib.suppress(BotFault):
            self.send(data, deadline)
        self.close_input()
        return self._exit is not None or self._leaves(deadline - time.monotonic())

    def _leaves(self, seconds: float) -> bool:
        """Whether it ends within so many seconds; until then it may write to standard error what it likes.

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
        """All it writes until it ends; `BotFlooded` beyond `most` bytes, `BotSilent` at the deadline."""
        while len(self._buffer) <= most:
            try:
                self._await_output(deadline)
            except (BotExited, BotOutOfMemory, BotOutOfCpu):
                return bytes(self._buffer)
        raise BotFlooded(f"wrote more than {most} bytes")

    def kill(self) -> Exit:
        """End it now, whatever it does, and tell how it ended. `close` does the same."""
        return self.close()

    def close(self) -> Exit:
        """End it if it still runs, free everything, and tell how it ended. May be called again."""
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
        if not _ready(self._pidfd, GONE_SECONDS):
            raise SandboxUnavailable(f"process {self.host_pid} survived SIGKILL for {GONE_SECONDS:g} s")
        self.cpu_ns()
        try:
            status = self._popen.wait(GONE_SECONDS)  # soon, but a busy host may take its time
        except subprocess.TimeoutExpired:
            self._popen.kill()
            status = self._popen.wait()
        self._stderr.take_rest()
        self._exit = diagnosis.Ending(
            status,
            self._cpu_ns,
            self._peaks,
            bytes(self._stderr),
            self.limits,
            self._killed,
            host_oom=diagnosis.host_oom_kills() > self._oom_kills,
            memory_events=self._memory_events() if self._memory_events is not None else None,
            stderr_bytes=self._stderr.total,
            too_large=self._too_large(),
        ).explain()
        os.close(self._pidfd)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()
        self._stdin = self._stdout = self._pidfd = -1  # the numbers may soon be another bot's
        self.when_gone()
        return self._exit

    def fileno(self) -> int:
        """Its standard output, for a poll of one's own."""
        return self._stdout


def _ready(fd: int, seconds: float) -> bool:
    waiter = select.poll()
    waiter.register(fd, select.POLLIN)
    return bool(waiter.poll(seconds * 1000))
