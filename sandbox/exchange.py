"""A line to a bot and the line that it answers with: the way of every message, so it is compiled.

Every object of Python's on this way is cold, for the bot has just had the processor's caches to itself.
"""

from __future__ import annotations

import os
import select

import cython

ROOM = 4096
"""The longest answer that is taken at once; what is longer is put together elsewhere."""


@cython.final
@cython.cclass
class Exchange:
    """The ends of a bot's pipes.

    ``kept`` is what it wrote and nobody has taken yet. ``sent`` is how much of the last line it was sent.
    ``due`` is when somebody is to look at what the bot holds and uses (`time.monotonic_ns`).
    """

    _to: cython.int
    _back: cython.int
    _tick: cython.int
    _most: cython.int
    kept = cython.declare(bytearray, visibility="readonly")
    sent = cython.declare(cython.Py_ssize_t, visibility="readonly")
    due = cython.declare(cython.longlong, visibility="public")

    def __init__(self, to: cython.int, back: cython.int, tick: cython.int, most: cython.int) -> None:
        """`tick` becomes readable every millisecond (`timer`), or is -1; `most` is the longest line."""
        self._to = to
        self._back = back
        self._tick = tick
        self._most = min(most, ROOM)
        self.kept = bytearray()
        self.sent = 0
        self.due = 0

    def close(self) -> None:
        """Forget the ends: their numbers may soon be another bot's."""
        self._to = self._back = -1

    def ask(self, line: bytes, milliseconds: cython.int):
        """Write a line, and return the next one, without its line end, if it comes in about that time.

        None if it does not: then all of the line was ``sent`` or only a part, and what came is ``kept``.
        """
        if self.kept:
            self.sent = 0
            return None
        if not cython.compiled:
            return self._ask_plainly(line, milliseconds)
        room: cython.char[4096]
        came: cython.Py_ssize_t = exchange_lines(
            self._to,
            self._back,
            self._tick,
            milliseconds,
            line,
            len(line),
            cython.address(self.sent),
            room,
            self._most,
        )
        if is_one_line(room, came):
            return room[: came - 1]
        if came:
            self.kept += room[:came]
        return None

    def _ask_plainly(self, line: bytes, milliseconds: int):
        """`ask` where nothing is compiled."""
        try:
            self.sent = os.write(self._to, line)
        except (BlockingIOError, BrokenPipeError, OSError):
            self.sent = 0
        if self.sent < len(line) or not self._answers(milliseconds):
            return None
        try:
            came = os.read(self._back, self._most)
        except OSError:
            return None
        if came.find(b"\n") == len(came) - 1 and came:
            return came[:-1]
        self.kept += came
        return None

    def _answers(self, ticks: int):
        """Whether something comes in time."""
        waiter = select.poll()
        waiter.register(self._back, select.POLLIN)
        if self._tick < 0:
            return bool(waiter.poll(ticks))
        waiter.register(self._tick, select.POLLIN)
        for _ in range(ticks + 2):
            if any(fd == self._back for fd, _ in waiter.poll()):
                return True
            os.read(self._tick, 8)
        return False
