"""Measures how much of a result of `vitesse` was luck: `turns` for a game in which both act at once (RULES
7).

Each tick turns up at most one card of each seat. Both actions were chosen before either card was seen, and
each card is equally likely to be any unseen card of its own pack. So they are corrected one after the other:
first the card of the seat with priority in the tick, while the other's is still unseen, then the other's. The
deal's open cards come before all others, of seat 0 and then of seat 1 the top of the reserve and the four
slots, as if they were turned up one by one: so the luck of the deal has mean zero too, whatever the values
are. In both legs of a pair it is the same seat's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analysis.values.function import TICK_PHASES, phase
from analysis.values.public_game_ticks import TickTable
from analysis.values.seat_policies import UNKNOWNS, searches
from engine.seeds import RESERVE_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.values.function import TickValues
    from analysis.values.seat_policies import Policies
    from engine import TickPosition

    Floats = NDArray[np.float64]


class TickParts(NamedTuple):
    """All luck that is seen, of result (-1 to 1) and margin (points) of seat 0, before any share is applied:
    of the deal's open cards, (2,), and of the `reveals` cards turned up later by phase, (phases, 2)."""

    deal: Floats
    cards: Floats
    reveals: int


def tick_luck_parts(
    start: TickPosition, words: Sequence[str], values: TickValues, policies: Policies = UNKNOWNS
) -> TickParts:
    """Return the luck of a finished game from its full start, each seat played on by its one of `policies`.

    Raises:
        BrokenRecord: the words are not ticks of a game from there.
    """
    table = TickTable(start)
    whole = is_tick_deal(start)
    ways = values.begin(table, policies, whole=whole)
    for turned in table.open_cards() if whole else ():
        ways.turned_up(table.core, turned.seat, turned.card)
    phased = not searches(policies)  # if not, one share is for all, and the sums need not be kept apart
    deal = np.array(ways.brought() if phased else (0, 0), dtype=np.float64)
    cards = np.zeros((len(TICK_PHASES), 2))
    reveals = now = 0
    for word in words:
        for turned in table.follow(word):
            reveals += 1
            if phased and phase(turned) != now:
                cards[now] = ways.brought()
                now = phase(turned)
            ways.turned_up(table.core, turned.seat, turned.card)
    cards[now] = ways.brought()
    count = values.ways_for(policies)
    return TickParts(deal / count, cards / count, reveals)


def is_tick_deal(start: TickPosition) -> bool:
    """Whether the position is a deal (RULES 2) and not a problem."""
    whole = all(len(own.reserve) == RESERVE_SIZE and all(own.slots) and own.left == 52 for own in start.seats)
    return whole and not any(own.discard for own in start.seats) and not any(map(any, start.foundations))
