"""Between positions, which people read, and the core's integers.

Every card gets an id ``4 * kind + copy``. Unknown cards take ids of cards that are free, so that the core
needs to know nothing of them; `hidden` says which ids these are, and the game sees to it that none is turned
up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import UNKNOWN, Card, face, kind
from engine.turns.core import DISCARD, DRAWN, HAND, HOUSE, RESERVE, Core
from engine.turns.position import TurnPosition
from engine.turns.position_parts import Counters, SeatPiles, Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.variants import Variant

MARKS = ".+!?"
"""The marks of the last action, in the order of the core's numbers."""


def to_core(position: TurnPosition, turn_number: int = 0) -> tuple[Core, frozenset[int]]:
    """The core's state of a position, and the ids that stand for unknown cards."""
    rules = position.rules
    players = position.players
    free = _free_ids(position)
    hidden: list[int] = []
    later: list[tuple[list[int], int]] = []

    def ids(pile: Iterable[Card]) -> list[int]:
        out: list[int] = []
        for card in pile:
            if card == UNKNOWN:
                later.append((out, len(out)))
                out.append(-1)
            else:
                out.append(free[kind(card, rules.ranks)].pop())
        return out

    piles: list[list[int]] = [[] for _ in range(DRAWN + 1)]
    for number, house in enumerate(position.houses):
        piles[HOUSE + number] = ids(house)
    for seat, own in enumerate(position.seats):
        piles[RESERVE + seat] = ids(own.reserve)
        piles[DISCARD + seat] = ids(own.discard)
        piles[HAND + seat] = ids(own.hand)
    piles[DRAWN] = ids([position.drawn] if position.drawn else [])
    left = sorted(number for copies in free for number in copies)
    for (pile, place), number in zip(later, left, strict=False):
        pile[place] = number
        hidden.append(number)
    laying = position.laying
    counters = position.counters
    core = Core(rules, players)
    core.load(
        piles,
        position.foundations,
        position.tally.completed,
        position.tally.emptied,
        position.tally.out,
        (
            position.turn,
            laying[0] + 1 if laying else 0,
            laying[1] if laying else 0,
            counters.idle,
            counters.stall,
            counters.passes,
            sum(1 << seat for seat in counters.mute),
            MARKS.index(counters.last),
            turn_number,
        ),
    )
    return core, frozenset(hidden)


def _free_ids(position: TurnPosition) -> list[list[int]]:
    """For each kind the ids not on a foundation; the copy to take next is the last."""
    free = [[4 * number + copy for copy in reversed(range(position.players))] for number in range(52)]
    for suit, heights in enumerate(position.foundations):
        for height in heights:
            for rank in range(height):
                free[13 * suit + rank].pop(0)
    return free


def card_of(rules: Variant, number: int) -> Card:
    """The card of an id."""
    return face(number >> 2, rules.ranks)


def to_position(rules: Variant, core: Core, hidden: frozenset[int]) -> TurnPosition:
    """The position that the core holds; ids in `hidden` become ``??``."""

    def cards(pile: int) -> tuple[Card, ...]:
        return tuple(UNKNOWN if number in hidden else card_of(rules, number) for number in core.pile(pile))

    players = core.players
    turn, lay, quota = core.state()[:3]
    drawn = cards(DRAWN)
    completed, emptied, out = core.tally()
    return TurnPosition(
        variant=rules.name,
        turn=turn,
        phase=f"lay{lay - 1}.{quota}" if lay else "play",
        drawn=drawn[0] if drawn else None,
        houses=tuple(cards(HOUSE + number) for number in range(4 * players)),
        foundations=tuple(tuple(suit) for suit in core.heights_of()),
        seats=tuple(
            SeatPiles(cards(RESERVE + seat), cards(HAND + seat), cards(DISCARD + seat))
            for seat in range(players)
        ),
        counters=counters(core),
        tally=Tally(tuple(completed), tuple(emptied), tuple(out)),
    )


def counters(core: Core) -> Counters:
    """The counters that the core holds."""
    _, _, _, idle, stall, passes, mute, last, _ = core.state()
    return Counters(
        idle, stall, passes, tuple(seat for seat in range(core.players) if mute >> seat & 1), MARKS[last]
    )
