"""The two ends of the pipe between a playing process and whoever started it."""

from __future__ import annotations

import os
import select

from tournaments.referee.errors import RefereeError


class Orphaned(RefereeError):
    """Standard input ended in the middle of a game: nobody wants it any more."""


class Lines:
    """Standard input and output, a line at a time."""

    def __init__(self) -> None:
        self._input = b""

    def next_line(self, seconds: float | None = None) -> str | None:
        """Wait for the next line, at most so long; None at the end of input, or when there was none."""
        while b"\n" not in self._input:
            if seconds is not None and not select.select([0], [], [], seconds)[0]:
                return None
            chunk = os.read(0, 1 << 16)
            if not chunk:
                return None
            self._input += chunk
        line, _, self._input = self._input.partition(b"\n")
        return line.decode()

    def write(self, *lines: str) -> None:
        """Write lines. Raises Orphaned if nobody reads."""
        if not lines:
            return
        data = memoryview(("\n".join(lines) + "\n").encode())
        try:
            while data:
                data = data[os.write(1, data) :]
        except BrokenPipeError:
            raise Orphaned("nobody reads the events") from None

    def idle(self) -> None:
        """Look whether the supervisor still lives. Raises Orphaned."""
        if select.select([0], [], [], 0)[0]:
            chunk = os.read(0, 1 << 16)
            if not chunk:
                raise Orphaned("standard input ended")
            self._input += chunk
