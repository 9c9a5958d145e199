"""Full positions that a seat cannot tell from the true one: for search under uncertainty."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.cards import UNKNOWN, Card
from engine.parts import SeatPiles

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence
    from random import Random

    from engine.position import Position
    from engine.tracker import Tracker


def sample(tracker: Tracker, rng: Random) -> Position:
    """A full position, each as likely as any other that fits everything seen since the deal.

    >>> from random import Random
    >>> from engine.game import Game
    >>> from engine.tracker import Tracker
    >>> game = Game.deal("crapette", "00" * 32)
    >>> guess = sample(Tracker.of(game.observation(0)), Random(1))
    >>> guess.is_full, guess.public() == game.position.public()
    (True, True)
    """
    return fill(tracker.position, tracker.pools, rng)


def fill(position: Position, pools: Sequence[Counter[Card]], rng: Random) -> Position:
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
