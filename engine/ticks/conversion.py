"""Between positions and the core's integers."""

from __future__ import annotations

from engine.cards import RANKS, SUITS, UNKNOWN, Card, face, value
from engine.ticks.core import DISCARD, HAND, HIDDEN, NOTHING, RESERVE, TickCore
from engine.ticks.position import TickPosition, TickSeat


def to_core(position: TickPosition) -> TickCore:
    """The position as a core; cards that are ``??`` stay unknown.

    >>> from engine.protocol import deal
    >>> from engine.ticks.position import ACTIONS
    >>> core = to_core(deal("vitesse", "00" * 32))
    >>> [ACTIONS[number] for number in core.legal(0)]
    ['s2-f', 'wait']
    """
    core: TickCore = TickCore()  # type: ignore[no-untyped-call]
    piles = [
        [number(card) for card in pile]
        for kind in ("reserve", "hand", "discard")
        for pile in (getattr(seat, kind) for seat in position.seats)
    ]
    slots = [NOTHING if card is None else number(card) for seat in position.seats for card in seat.slots]
    stopper = -1 if position.stopper is None else position.stopper
    core.load(
        piles, slots, position.foundations, position.completed, (position.tick, position.stall, stopper)
    )
    return core


def to_position(core: TickCore) -> TickPosition:
    """The position that the core holds."""
    first, second = (
        TickSeat(
            reserve=_cards(core.pile(RESERVE, seat)),
            slots=tuple(None if kind == NOTHING else _card(kind) for kind in core.slots_of(seat)),
            hand=_cards(core.pile(HAND, seat)),
            discard=_cards(core.pile(DISCARD, seat)),
        )
        for seat in (0, 1)
    )
    return TickPosition(
        tick=core.tick,
        foundations=tuple(map(tuple, core.heights_of())),
        seats=(first, second),
        stall=core.stall,
        completed=(core.completed_by(0), core.completed_by(1)),
        stopper=None if core.stopper < 0 else core.stopper,
    )


def number(card: Card) -> int:
    """A card as the core has it."""
    return HIDDEN if card == UNKNOWN else len(RANKS) * SUITS.index(card[1]) + value(card) - 1


def _card(kind: int) -> Card:
    return UNKNOWN if kind == HIDDEN else face(kind)


def _cards(kinds: list[int]) -> tuple[Card, ...]:
    return tuple(map(_card, kinds))
