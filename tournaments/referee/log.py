"""The event log of a game as lines of JSON.

An event is written once and used three times: in the record (with its number, what was charged, the clocks,
and what the mover said about it) and in the messages to both bots, which get the plain event.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tournaments.referee.result import Result

encode = json.JSONEncoder(separators=(",", ":")).encode


class Log:
    """Numbers the events of one game."""

    __slots__ = ("n",)

    def __init__(self) -> None:
        self.n = 0

    def move(  # noqa: PLR0917 (called for every ply: keywords would cost)
        self,
        text: str,
        ply: int,
        ms: int,
        clocks: str,
        comment: str | None = None,
        evaluation: float | None = None,
    ) -> str:
        """Write the record's line for the event ``text``."""
        n = self.n
        self.n = n + 1
        said = ""
        if comment is not None:
            said = f',"comment":{encode(comment)}'
        if evaluation is not None:
            said = f'{said},"eval":{evaluation}'
        return f'{{"n":{n},"ply":{ply},"ms":{ms},"clocks":{clocks}{said},{text[1:]}'

    def note(self, kind: str, ply: int, clocks: str, **fields: Any) -> str:
        """Write a line of the referee's own: an offer, a refusal."""
        n = self.n
        self.n = n + 1
        return encode({"n": n, "type": kind, "ply": ply, **fields})[:-1] + f',"clocks":{clocks}}}'

    def end(self, result: Result, clocks: str) -> str:
        """Write the last line."""
        return self.note("end", result.plies, clocks, result=result.as_dict())
