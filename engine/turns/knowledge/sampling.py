"""Full positions that a seat cannot tell from the true one: for search under uncertainty."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.cards import UNKNOWN, Card
from engine.turns.conversion import to_core
from engine.turns.core import DISCARD, HAND, NOBODY, RESERVE
from engine.turns.position_parts import SeatPiles

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence
    from random import Random

    from engine.turns.core import Core
    from engine.turns.knowledge.tracker import Tracker
    from engine.turns.position import TurnPosition


def sample(tracker: Tracker, rng: Random) -> TurnPosition:
    """A full position, each as likely as any other that fits everything seen since the deal.

    >>> from random import Random
    >>> from engine.turns.game import TurnGame
    >>> from engine.turns.knowledge.tracker import Tracker
    >>> game = TurnGame.deal("crapette", "00" * 32)
    >>> guess = sample(Tracker.of(game.observation(0)), Random(1))
    >>> guess.is_full, guess.public() == game.position.public()
    (True, True)
    """
    return fill(tracker.position, tracker.pools, rng)


def cores(tracker: Tracker, rng: Random) -> Iterator[Core]:
    """Yield cores of full positions for ever, as likely as `sample` makes them and ten times as fast.

    >>> from random import Random
    >>> from itertools import islice
    >>> from engine.turns.game import TurnGame
    >>> from engine.policies.greedy import playout
    >>> from engine.turns.knowledge.tracker import Tracker
    >>> game = TurnGame.deal("crapette", "00" * 32)
    >>> [playout(core).tally()[2] for core in islice(cores(Tracker.of(game.observation(0)), Random(1)), 5)]
    [[1], [0], [0], [0], [0]]
    """
    known, pools = tracker.position, tracker.pools
    core, _ = to_core(fill(known, pools, rng))
    if any(UNKNOWN in house for house in known.houses):
        while True:
            yield core
            core, _ = to_core(fill(known, pools, rng))
    hidden = hidden_in(core, known, pools)
    names = bytearray(range(NOBODY + 1))
    while True:
        for own in hidden:
            shuffled = own[:]
            rng.shuffle(shuffled)
            for card, name in zip(own, shuffled, strict=True):
                names[card] = name
        yield core.exchanged(bytes(names))


def hidden_in(core: Core, known: TurnPosition, pools: Sequence[Counter[Card]]) -> list[list[int]]:
    """The ids of the hidden cards in reserves, hands and discards of a full core, a list for each pool."""
    hidden: dict[int, list[int]] = {}
    for seat, piles in enumerate(known.seats):
        own = hidden.setdefault(id(pools[seat]), [])
        for number, pile in zip((RESERVE, HAND, DISCARD), piles.piles, strict=True):
            cards = core.pile(number + seat)
            own += [card for card, shown in zip(cards, pile, strict=True) if shown == UNKNOWN]
    return list(hidden.values())


def fill(position: TurnPosition, pools: Sequence[Counter[Card]], rng: Random) -> TurnPosition:
    """The position with every ``??`` replaced by a card of the pool of its seat.

    Seats that share a pool, which is then one object, draw from it without putting back; houses, where only
    a problem hides cards, draw from the pool of seat 0.
    """
    shuffled: dict[int, Iterator[Card]] = {}
    for pool in pools:
        if id(pool) not in shuffled:
            cards = sorted(pool.elements())
            rng.shuffle(cards)
            shuffled[id(pool)] = iter(cards)
    decks = [shuffled[id(pool)] for pool in pools]

    def known(pile: tuple[Card, ...], deck: Iterator[Card]) -> tuple[Card, ...]:
        return tuple(next(deck) if card == UNKNOWN else card for card in pile)

    return replace(
        position,
        houses=tuple(known(house, decks[0]) for house in position.houses),
        seats=tuple(
            SeatPiles(*(known(pile, deck) for pile in seat.piles))
            for seat, deck in zip(position.seats, decks, strict=True)
        ),
    )
