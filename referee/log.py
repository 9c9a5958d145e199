"""The event log of a game as lines of JSON.

An event is formatted once and used three times: in the record (with its number, the time charged, the clocks
and the mover's remarks) and in the messages to both bots, which get the plain event. It is passed around
without its first brace, because that is where the record adds its fields.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.endings import GameResult

encode = json.JSONEncoder(separators=(",", ":")).encode


Played = tuple[list[int], int, str, str, str]
"""An answer that was carried out: the numbers of its moves, what was charged in milliseconds, the clocks
before and after the last move, and `remark`."""


class Log:
    """Numbers the events of one game."""

    __slots__ = ("n",)

    def __init__(self) -> None:
        self.n = 0

    def move(self, event: str, ply: int, ms: int, clocks: str) -> str:
        """Return the record's line for an event, which is given without its first brace."""
        n = self.n
        self.n = n + 1
        return f'{{"n":{n},"ply":{ply},"ms":{ms},"clocks":{clocks},{event}'

    def tick(
        self,
        event: str,
        ply: int,
        ms: Sequence[int],
        clocks: str,
        said: Sequence[tuple[str | None, float | None] | None],
    ) -> str:
        """Return the record's line for a tick; ``said`` is (comment, evaluation) by seat."""
        n = self.n
        self.n = n + 1
        remarks = ""
        for key, part in (("comments", 0), ("evals", 1)):
            each = [None if one is None else one[part] for one in said]
            if any(one is not None for one in each):
                remarks += f',"{key}":{encode(each)}'
        return f'{{"n":{n},"ply":{ply},"ms":{encode(ms)},"clocks":{clocks}{remarks},{event[1:]}'

    def note(self, kind: str, ply: int, clocks: str, **fields: Any) -> str:
        """Return a line of the referee's own, such as an offer or a refusal."""
        n = self.n
        self.n = n + 1
        return encode({"n": n, "type": kind, "ply": ply, **fields})[:-1] + f',"clocks":{clocks}}}'

    def end(self, result: GameResult, clocks: str) -> str:
        """Return the last line."""
        return self.note("end", result.plies, clocks, result=result.as_dict())


def remark(comment: str | None, evaluation: float | None) -> str:
    """Return the mover's remarks on its move, as fields of a record's line."""
    said = "" if comment is None else f',"comment":{encode(comment)}'
    return said if evaluation is None else f'{said},"eval":{evaluation}'
