"""Who won and what it is worth (RULES 3, 5, 6, 7)."""

from __future__ import annotations

import json
from dataclasses import dataclass

GIVEN_UP = "given up"
"""The result of a game that a seat gave up, or that two agreed to draw."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    >>> print(Outcome("win", ((0,), (1,)), (32, 6)))
    {"result": "win", "ranking": [[0], [1]], "points": [32, 6]}
    """

    result: str
    """``win``, ``stall`` or ``passes`` (RULES 3), in a game of ticks ``stop`` or ``stall``; or `GIVEN_UP`."""
    ranking: tuple[tuple[int, ...], ...]
    """Groups of equal seats, best first."""
    points: tuple[int, ...]
    """For each seat; all 0 where the variant has none."""

    def as_dict(self) -> dict[str, object]:
        """As JSON has it (RULES 8)."""
        return {
            "result": self.result,
            "ranking": [list(group) for group in self.ranking],
            "points": list(self.points),
        }

    def __str__(self) -> str:
        return json.dumps(self.as_dict())


def rank_seats(players: int, out: tuple[int, ...], loser: int | None = None) -> tuple[tuple[int, ...], ...]:
    """Groups of equal seats: those out as they went, then those still in, and last who gives up.

    >>> rank_seats(4, (2,), 0)
    ((2,), (1, 3), (0,))
    """
    playing = tuple(seat for seat in range(players) if seat != loser and seat not in out)
    last = () if loser is None else ((loser,),)
    return (*((seat,) for seat in out), *((playing,) if playing else ()), *last)
