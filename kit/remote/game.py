"""A game as both ends of the wire count it: which line asks, which answer is to which line."""

from __future__ import annotations

import json
from collections import deque
from typing import Final

ANSWERS_KEPT: Final = 32
"""The site may ask again after a lost connection: for one line of a game with turns, for 16 ticks."""
UNASKED_KEPT: Final = 64


class OutOfOrder(ValueError):
    """The site left out a line."""


class Flood(ValueError):
    """The program writes and writes, and nobody asked."""


class NumberedLines:
    """Numbers the lines of one game, and pairs each that asks with the program's answer.

    Programs answer in the order in which they are asked. A line that nobody asked for answers the next
    question, as it does in the arena's sandbox.
    """

    def __init__(self) -> None:
        self.received = 0
        """The number of the last line that the program was given."""
        self.ended = False
        """Whether its last line was ``end``: the program may leave."""
        self._open: deque[int] = deque()
        self._unasked: deque[str] = deque()
        self._answers: dict[int, str] = {}

    @property
    def is_asked(self) -> bool:
        """Whether the program owes an answer."""
        return bool(self._open)

    def take(self, n: int, line: str) -> tuple[bool, str | None]:
        """Whether the program is to be given line `n`, and the answer to it that is there already.

        Raises OutOfOrder if lines before it are missing.
        """
        if n <= self.received:  # sent again after a lost connection
            return False, self._answers.get(n)
        if n != self.received + 1:
            raise OutOfOrder(f"expected line {self.received + 1}, got line {n}")
        self.received = n
        self.ended = _is_end(line)
        if self.ended:
            return True, None
        self._open.append(n)
        return True, self._next_answer()[1] if self._unasked else None

    def answer(self, line: str) -> int | None:
        """The number of the line that the program's next line answers, or None. Raises Flood."""
        self._unasked.append(line)
        if self._open:
            return self._next_answer()[0]
        if len(self._unasked) > UNASKED_KEPT:
            raise Flood
        return None

    def _next_answer(self) -> tuple[int, str]:
        n, line = self._open.popleft(), self._unasked.popleft()
        self._answers[n] = line
        while len(self._answers) > ANSWERS_KEPT:
            del self._answers[next(iter(self._answers))]
        return n, line


def _is_end(line: str) -> bool:
    """Whether a line of protocol 1 asks nothing and is the last.

    >>> _is_end('{"type":"end","result":{}}'), _is_end('{"type":"move"}'), _is_end("[]")
    (True, False, False)
    """
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("type") == "end"
