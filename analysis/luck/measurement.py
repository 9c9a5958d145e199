"""Measures how much of a result was luck: an unbiased correction of each game by the cards turned up.

After AIVAT (N. Burch, M. Schmid, M. Moravčík, M. Bowling, AAAI 2018). At each card turned up that nobody
knew, the luck is the value with that card minus the mean over all cards it could have been, with every unseen
card equally likely. The open cards of the deal are a chance event too. Each of these has mean zero, whatever
the players do and whatever the value function is. So a result minus its luck has the same mean as the result.
A good value function only makes it vary less. The raw result is shown beside it, and ratings count only that.

A network values the deal's open cards. Later cards are valued by playing on (`values.function.Rollouts`); in
`vitesse`, all cards are (`tick_luck`).

In a pair, the luck of the deal cancels out by itself, because the two legs see it from both seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analysis.serving_guard import thinks
from analysis.values import VERSION
from analysis.values.function import PHASES, TICK_PHASES, ValueFunction, load, load_ticks, phase, tick_phase
from analysis.values.public_game import Table
from analysis.values.public_game_ticks import TickTable
from analysis.values.seat_policies import UNKNOWNS, searches
from engine import TickPosition, TurnPosition
from engine.seeds import RESERVE_SIZE
from engine.variants import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.values.function import TickValues
    from analysis.values.seat_policies import Policies
    from engine import Position

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Luck:
    """The luck of seat 0 in a game: of the deal's open part and of the cards turned up later.

    `result` counts from -1 (lost) to 1 (won) as `half_points` - 1 does, `margin` as `scores.margins`.
    Both already have the value function's `share` applied.
    """

    version: int
    deal_result: float
    deal_margin: float
    cards_result: float
    cards_margin: float
    reveals: int

    @property
    def result(self) -> float:
        """The total luck in the result. The result minus this is the luck-adjusted result."""
        return self.deal_result + self.cards_result

    @property
    def margin(self) -> float:
        """The total luck in the margin."""
        return self.deal_margin + self.cards_margin


class Parts(NamedTuple):
    """All luck that is seen, of result and margin of seat 0, before any share is applied: of the deal's open
    part, (2,), and of the `reveals` cards turned up later by phase of the game, (phases, 2)."""

    deal: Floats
    cards: Floats
    reveals: int


@singledispatch
def luck_of(start: Position, words: Sequence[str], policies: Policies = UNKNOWNS) -> Luck:
    """The luck of a finished game from its full start, of either kind, by the published value function.

    Raises as `game_luck`.
    """
    raise TypeError(
        f"expected a position with a measure of luck, got {start!r}, {len(words)} words, {policies}"
    )


@luck_of.register(TurnPosition)
@thinks
def _(start: TurnPosition, words: Sequence[str], policies: Policies = UNKNOWNS) -> Luck:
    return game_luck(start, words, policies=policies)


@luck_of.register(TickPosition)
@thinks
def _(start: TickPosition, words: Sequence[str], policies: Policies = UNKNOWNS) -> Luck:
    return tick_luck(start, words, policies=policies)


def tick_luck(
    start: TickPosition,
    words: Sequence[str],
    values: TickValues | None = None,
    policies: Policies = UNKNOWNS,
) -> Luck:
    """The luck of a finished game in ticks, as `game_luck`. Raises BrokenRecord."""
    values = values or load_ticks()
    shares = np.ones((len(TICK_PHASES), 2)) if searches(policies) else np.asarray(values.shares)
    parts = tick_luck_parts(start, words, values, policies)
    return _luck(parts.deal * shares[0], (parts.cards * shares).sum(axis=0), parts.reveals)


def game_luck(
    start: TurnPosition,
    words: Sequence[str],
    values: ValueFunction | None = None,
    policies: Policies = UNKNOWNS,
) -> Luck:
    """Return the luck of a finished game with turns, by the published value function if none is given.

    Each seat is played on by its one of `policies`, which nothing in this game may have chosen.

    Raises:
        UnknownValues: the variant has no value function.
        BrokenRecord: the words are not moves of a game from there.
    """
    values = values or load(start.variant)
    parts = luck_parts(start, words, values, policies)
    shares = np.ones((len(PHASES), 2)) if searches(policies) else np.asarray(values.rollouts.shares)
    return _luck(parts.deal * values.share, (parts.cards * shares).sum(axis=0), parts.reveals)


def luck_parts(
    start: TurnPosition, words: Sequence[str], values: ValueFunction, policies: Policies = UNKNOWNS
) -> Parts:
    """`game_luck` in its parts. Raises BrokenRecord."""
    table = Table(start)
    deal = values.value(values.look(table))[0] - values.start if is_deal(start) else np.zeros(2)
    counts = can_correct(start)
    ways = values.rollouts.begin(table, policies)
    phased = not searches(policies)  # if not, one share is for all, and the sums need not be kept apart
    cards = np.zeros((len(PHASES), 2))
    reveals = now = 0
    for word in words:
        card = table.turned_up(word)
        if card is None or not counts:
            continue
        reveals += 1
        if phased and phase(len(table.hidden)) != now:
            cards[now] = ways.brought()
            now = phase(len(table.hidden))
        ways.turned_up(table.core, card)
    cards[now] = ways.brought()
    return Parts(deal, cards / values.rollouts.ways_for(policies), reveals)


def is_deal(start: TurnPosition) -> bool:
    """Whether the position is a deal (RULES 2) and not a problem."""
    whole = all(
        seat.left + sum(map(len, start.houses[4 * number : 4 * number + 4])) == 52 and not seat.discard
        for number, seat in enumerate(start.seats)
    )
    bare = all(len(house) <= 1 for house in start.houses) and not start.drawn
    return whole and bare and not any(map(any, start.foundations))


def can_correct(start: TurnPosition) -> bool:
    """Whether reveals can be corrected, which is not possible if hidden cards decided who starts.

    With equal reserve tops, the bottom cards of the hands are compared (RULES 2). Who starts then says
    something about unseen cards, so they are no longer equally likely. This affects one deal in 50 to 100.
    """
    if start.rules.start not in {Start.LOWEST_CARD, Start.HIGHEST_CARD} or not is_deal(start):
        return True
    return start.seats[0].reserve[-1] != start.seats[1].reserve[-1]


def _luck(deal: Floats, cards: Floats, reveals: int) -> Luck:
    (result, margin), (cards_result, cards_margin) = deal.tolist(), cards.tolist()
    return Luck(VERSION, result, margin, cards_result, cards_margin, reveals)


def tick_luck_parts(
    start: TickPosition, words: Sequence[str], values: TickValues, policies: Policies = UNKNOWNS
) -> Parts:
    """`tick_luck` in its parts: of a game in which both act at once (RULES 7).

    Each tick turns up at most one card of each seat. Both actions were chosen before either card was seen,
    and each card is equally likely to be any unseen card of its own pack. So they are corrected one after the
    other: first the card of the seat with priority in the tick, while the other's is still unseen, then the
    other's. The deal's open cards come before all others, of seat 0 and then of seat 1 the top of the reserve
    and the four slots, as if they were turned up one by one: so the luck of the deal has mean zero too,
    whatever the values are. In both legs of a pair it is the same seat's.

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
            if phased and tick_phase(turned) != now:
                cards[now] = ways.brought()
                now = tick_phase(turned)
            ways.turned_up(table.core, turned.seat, turned.card)
    cards[now] = ways.brought()
    count = values.ways_for(policies)
    return Parts(deal / count, cards / count, reveals)


def is_tick_deal(start: TickPosition) -> bool:
    """Whether the position is a deal (RULES 2) and not a problem."""
    whole = all(len(own.reserve) == RESERVE_SIZE and all(own.slots) and own.left == 52 for own in start.seats)
    return whole and not any(own.discard for own in start.seats) and not any(map(any, start.foundations))
