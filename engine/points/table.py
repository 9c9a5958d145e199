"""The points of three or four players: a table of who pays whom, whose sum is nothing (RULES 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

EMPTIED: Final = 10
"""What a seat pays for not having emptied its reserve."""
COMPLETED: Final = 3
"""What is paid for each foundation that a seat completed."""


def settle(
    left: Sequence[int], completed: Sequence[int], emptied: Sequence[int], out: Sequence[int], *, won: bool
) -> tuple[int, ...]:
    """The points of a finished game: cards left and foundations completed by seat, and the seats in the order
    in which they emptied their reserves and went out."""
    seats = range(len(left))
    made = [0] * len(left)

    def pay(payer: int, seat: int, amount: int) -> None:
        made[payer] -= amount
        made[seat] += amount

    losers = [seat for seat in seats if seat not in out]
    receivers = [seat for seat in seats if seat in out]
    for loser in losers:
        for seat in receivers:
            pay(loser, seat, left[loser] // 2 + COMPLETED * completed[seat])
    if won:
        loser = losers[0]
        last = loser if loser not in emptied else emptied[-1]
        for seat in seats:
            if seat != last:
                pay(last, seat, EMPTIED)
        return tuple(made)
    for loser in losers:
        if loser not in emptied:
            for seat in receivers:
                pay(loser, seat, EMPTIED)
    return tuple(made)


def given_up(
    left: Sequence[int], completed: Sequence[int], emptied: Sequence[int], loser: int
) -> tuple[int, ...]:
    """The points if a seat gives up: it pays each other as if that one had gone out."""
    made = [0] * len(left)
    for seat in range(len(left)):
        if seat != loser:
            paid = left[loser] // 2 + COMPLETED * completed[seat] + (0 if loser in emptied else EMPTIED)
            made[seat] += paid
            made[loser] -= paid
    return tuple(made)
