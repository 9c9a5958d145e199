"""Observations as bytes, for what learns: where everything is in them, and how a bot writes one.

`core.Batch` writes the same bytes for many games at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.cards import UNKNOWN, face, kind
from engine.turns.conversion import MARKS
from engine.turns.core import size_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cards import Card
    from engine.turns.knowledge import Tracker
    from engine.turns.position import TurnPosition
    from engine.variants import Variant

HOUSE_DEPTH, RESERVE_DEPTH, PILE_DEPTH = 13, 16, 52
"""How many cards of a house, a reserve, and a discard or hand an observation has."""
UNSEEN = 53
"""Stands for a card that nobody has seen; other cards are their kind plus 1, and 0 is none."""


@dataclass(frozen=True, slots=True)
class SeatLayout:
    """Where the bytes of one seat are; the first seat is the one that looks."""

    reserve: slice
    """16 cards, top first; so are the next two."""
    discard: slice
    """52 cards."""
    hand: slice
    """52 cards."""
    counts: slice
    """How many cards there are in the reserve, the discard and the hand."""
    unseen: slice
    """How many cards of each kind nobody has seen that lie in its reserve or hand."""
    completed: int
    """How many foundations it completed."""
    may_stop: int
    """1 if it may still call stop (RULES 6)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the bytes of an observation are (`engine.turns.core.Batch` describes them).

    >>> layout(2).size, layout(2).seats[0].hand, layout(2).drawn
    (474, slice(180, 232, None), 466)
    """

    players: int
    size: int
    """The bytes of an observation."""
    houses: tuple[slice, ...]
    """13 cards each, bottom first."""
    foundations: slice
    """Heights: for each of four suits one a seat, highest first."""
    seats: tuple[SeatLayout, ...]
    drawn: int
    idle: int
    stall: int
    passes: int
    laying: int
    """Laying turns left with this one, 0 in play."""
    draws: int
    """Draws left in a laying turn."""
    mark: int
    """0 none, 1 regular, 2 irregular, 3 unknown."""
    turn: int
    """The number of the seat to move."""


@cache
def layout(players: int) -> Layout:
    """Return the layout of an observation with this many seats."""
    houses = tuple(slice(HOUSE_DEPTH * k, HOUSE_DEPTH * (k + 1)) for k in range(4 * players))
    foundations = slice(houses[-1].stop, houses[-1].stop + 4 * players)
    piles = RESERVE_DEPTH + 2 * PILE_DEPTH + 3
    unseen = foundations.stop + piles * players
    last = unseen + 52 * players
    seats = []
    for seat in range(players):
        at = foundations.stop + piles * seat
        discard, hand = at + RESERVE_DEPTH, at + RESERVE_DEPTH + PILE_DEPTH
        seats.append(
            SeatLayout(
                slice(at, discard),
                slice(discard, hand),
                slice(hand, hand + PILE_DEPTH),
                slice(at + piles - 3, at + piles),
                slice(unseen + 52 * seat, unseen + 52 * (seat + 1)),
                last + 2 * seat,
                last + 2 * seat + 1,
            )
        )
    end = last + 2 * players
    size = size_of(players)
    return Layout(players, size, houses, foundations, tuple(seats), *range(end, size))


def card(rules: Variant, byte: int) -> Card | None:
    """The card that a byte stands for: None if none, ``??`` if nobody has seen it.

    >>> from engine import variant
    >>> card(variant("crapette"), 1), card(variant("crapette"), 53), card(variant("crapette"), 0)
    ('AS', '??', None)
    """
    if not byte:
        return None
    return UNKNOWN if byte == UNSEEN else face(byte - 1, rules.ranks)


def cards(rules: Variant, pile: Sequence[int]) -> list[Card]:
    """The cards of a pile, as long as there are any."""
    return [found for found in (card(rules, int(byte)) for byte in pile) if found]


def encode(tracker: Tracker, seat: int) -> bytes:
    """What a seat may know, as `core.Batch` writes it.

    >>> from engine.turns.game import TurnGame
    >>> from engine.turns.knowledge import Tracker
    >>> from engine.variants import VARIANTS
    >>> seen = encode(Tracker.of(TurnGame.deal("crapaud", "00" * 32).observation(0)), 0)
    >>> len(seen), cards(VARIANTS["crapaud"], seen[layout(2).houses[0]])
    (474, ['4H'])
    """
    position = tracker.position
    rules, players = position.rules, position.players
    where = layout(players)
    out = bytearray(where.size)
    for place, house in zip(where.houses, position.houses, strict=True):
        _write(rules, out, place, house)
    out[where.foundations] = bytes(height for suit in position.foundations for height in suit)
    pools = tracker.pools
    for step, own in enumerate(where.seats):
        number = (seat + step) % players
        piles = position.seats[number]
        _write(rules, out, own.reserve, piles.reserve[::-1])
        _write(rules, out, own.discard, piles.discard[::-1])
        _write(rules, out, own.hand, piles.hand[::-1])
        out[own.counts] = bytes((len(piles.reserve), len(piles.discard), len(piles.hand)))
        for face_of, count in pools[number].items():
            out[own.unseen.start + kind(face_of, rules.ranks)] = count
        out[own.completed] = position.tally.completed[number]
        out[own.may_stop] = rules.stop_calls and number not in position.counters.mute
    _write_state(out, where, position)
    return bytes(out)


def _write(rules: Variant, out: bytearray, place: slice, pile: Sequence[Card]) -> None:
    """Write as many cards of a pile as there is room for."""
    for at, card_there in zip(range(place.start, place.stop), pile, strict=False):
        out[at] = UNSEEN if card_there == UNKNOWN else kind(card_there, rules.ranks) + 1


def _write_state(out: bytearray, where: Layout, position: TurnPosition) -> None:
    """Write what is said of the game as a whole."""
    counters, laying = position.counters, position.laying
    out[where.drawn] = kind(position.drawn, position.rules.ranks) + 1 if position.drawn else 0
    out[where.idle], out[where.stall], out[where.passes] = counters.idle, counters.stall, counters.passes
    if laying:
        out[where.laying], out[where.draws] = laying[0] + 1, laying[1]
    out[where.mark] = MARKS.index(counters.last)
    out[where.turn] = position.turn
