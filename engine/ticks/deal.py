"""The deal of a game of ticks (RULES 2, 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import PACK
from engine.seeds import RESERVE_SIZE, seed_of_text, shuffle
from engine.ticks.position import SLOTS, TickPosition, TickSeat

if TYPE_CHECKING:
    from engine.variants import Variant


def deal(_rules: Variant, seed: str | bytes, players: int = 2) -> TickPosition:
    """The start of a game: own packs, 13 to the reserve, four slots, 35 to the hand.

    Raises:
        NotationError: not such a seed.
    """
    raw = seed_of_text(seed)
    seats = []
    for seat in range(players):
        cards = shuffle(list(PACK), raw, f"pack{seat}")
        reserve, rest = cards[:RESERVE_SIZE], cards[RESERVE_SIZE:]
        seats.append(TickSeat(tuple(reserve), tuple(rest[:SLOTS]), tuple(reversed(rest[SLOTS:])), ()))
    return TickPosition(0, ((0, 0),) * 4, (seats[0], seats[1]))
