"""What all processes that run bots have in common.

They work on lines from standard input until it ends, and their exit status says what went wrong.
"""

from __future__ import annotations

import os
import select
import sys
from time import monotonic
from typing import TYPE_CHECKING, Final, NoReturn

from referee.errors import BadJob, Infrastructure, RefereeError
from referee.log import encode
from sandbox import Stage, inherited_signals

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.messages import InfrastructureMessage

EXIT_BAD_JOB: Final = 2
EXIT_ORPHANED: Final = 3
EXIT_INFRASTRUCTURE: Final = 75
PAUSE_S: Final = 0.025
"""How long lines are held back to be written with others, so that the reader is woken less often."""


def run(work: Callable[[Stage, Lines], None], kind: str) -> NoReturn:
    """Work until standard input ends, and exit; `kind` says what a bad job is called in the complaint."""
    inherited_signals.accept()
    lines = Lines()
    try:
        work(Stage.ensure(), lines)
    except Infrastructure as error:
        failed: InfrastructureMessage = {
            "type": "infrastructure",
            "reason": str(error),
            "seat": error.seat,
        }
        lines.write(encode(failed))
        sys.exit(EXIT_INFRASTRUCTURE)
    except BadJob as error:
        sys.stderr.write(f"bad {kind}: {error}\n")
        sys.exit(EXIT_BAD_JOB)
    except Orphaned:
        os._exit(EXIT_ORPHANED)  # the players were closed on the way here
    sys.exit(0)


class Orphaned(RefereeError):
    """Standard input ended in the middle of a game, so nobody wants the game any more."""


class Lines:
    """Standard input and output, line by line."""

    def __init__(self) -> None:
        self._input = b""
        self._kept: list[str] = []
        self._looked_at = 0.0

    def next_line(self, seconds: float | None = None) -> str | None:
        """Return the next line, waiting at most this long; None at the end of input or if none came."""
        while b"\n" not in self._input:
            if seconds is not None and not select.select([0], [], [], seconds)[0]:
                return None
            chunk = os.read(0, 1 << 16)
            if not chunk:
                return None
            self._input += chunk
        line, _, self._input = self._input.partition(b"\n")
        return line.decode()

    def take(self, seconds: float) -> list[str]:
        """Return all whole lines that have come, waiting at most this long for one. Raises Orphaned at the
        end of input."""
        if b"\n" not in self._input and select.select([0], [], [], seconds)[0]:
            self._read()
        lines, found, rest = self._input.rpartition(b"\n")
        if not found:
            return []
        self._input = rest
        return lines.decode().split("\n")

    def fileno(self) -> int:
        """Return the descriptor that lines come from."""
        return 0

    def _read(self) -> None:
        """Read what there is. Raises Orphaned at the end of input."""
        chunk = os.read(0, 1 << 16)
        if not chunk:
            raise Orphaned("standard input ended")
        self._input += chunk

    def keep(self, *lines: str) -> None:
        """Queue lines. The next `write` writes them, or `idle` after a moment."""
        self._kept += lines

    def write(self, *lines: str) -> None:
        """Write the queued lines and these ones now. Raises Orphaned if nobody reads."""
        self._kept += lines
        if not self._kept:
            return
        data = memoryview(("\n".join(self._kept) + "\n").encode())
        self._kept.clear()
        try:
            while data:
                data = data[os.write(1, data) :]
        except BrokenPipeError:
            raise Orphaned("nobody reads the events") from None

    def idle(self) -> None:
        """Write the queued lines and check that the supervisor still lives, unless that was done just now.

        Raises Orphaned.
        """
        now = monotonic()
        if now - self._looked_at < PAUSE_S:
            return
        self._looked_at = now
        self.write()
        if select.select([0], [], [], 0)[0]:
            self._read()
