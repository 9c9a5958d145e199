"""Who won and what it is worth (RULES 3, 5, 6)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import Unfinished
from engine.parts import STALL_LIMIT, is_over
from engine.sheet import parts_of, totals

if TYPE_CHECKING:
    from engine.position import Position


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game.

    >>> print(Outcome("win", ((0,), (1,)), (32, 6)))
    {"result": "win", "ranking": [[0], [1]], "points": [32, 6]}
    """

    result: str
    """``win``, ``stall`` or ``passes`` (RULES 3)."""
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


def outcome(position: Position) -> Outcome | None:
    """The outcome of a position, None while the game goes on.

    >>> from engine.deal import deal
    >>> outcome(deal("crapaud", "00" * 32)) is None
    True
    """
    if not is_over(position.counters, position.tally, position.players):
        return None
    out = position.tally.out
    still_in = tuple(seat for seat in range(position.players) if seat not in out)
    if len(still_in) == 1:
        result = "win"  # before a stall, and a stall before passes
    elif position.counters.stall == STALL_LIMIT:
        result = "stall"
    else:
        result = "passes"
    ranking = (*((seat,) for seat in out), still_in)
    return Outcome(result, ranking, points(position, won=result == "win"))


def score(position: Position) -> Outcome:
    """The outcome of a finished position.

    Raises:
        Unfinished: the game goes on.
    """
    found = outcome(position)
    if found is None:
        raise Unfinished(f"expected a finished position, got one with seat {position.turn} to move")
    return found


def points(position: Position, won: bool) -> tuple[int, ...]:
    """The points of each seat in a finished position; of two seats what `engine.sheet` adds up to."""
    if position.players > 2:
        return _table(position, won)
    winner = position.tally.out[0] if won else None
    return totals(parts_of(position, None if winner is None else 1 - winner))


def _table(position: Position, won: bool) -> tuple[int, ...]:
    """Three or four players: a zero-sum table of who pays whom (RULES 5)."""
    tally = position.tally
    seats = range(position.players)
    made = [0] * position.players

    def pay(payer: int, seat: int, amount: int) -> None:
        made[payer] -= amount
        made[seat] += amount

    losers = [seat for seat in seats if seat not in tally.out]
    receivers = [seat for seat in seats if seat in tally.out]
    for loser in losers:
        for seat in receivers:
            pay(loser, seat, position.seats[loser].left // 2 + 3 * tally.completed[seat])
    if won:
        loser = losers[0]
        last = loser if loser not in tally.emptied else tally.emptied[-1]
        for seat in seats:
            if seat != last:
                pay(last, seat, 10)
        return tuple(made)
    for loser in losers:
        if loser not in tally.emptied:
            for seat in receivers:
                pay(loser, seat, 10)
    return tuple(made)
