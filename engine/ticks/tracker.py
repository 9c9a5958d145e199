"""What a seat may know of the hidden cards of a game of ticks: whatever was once turned up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.cards import PACK, RANKS, SUITS, UNKNOWN

if TYPE_CHECKING:
    from engine.cards import Card
    from engine.ticks.events import Tick
    from engine.ticks.position import TickPosition


class TickTracker:
    """Follows the ticks of a game and remembers every card that was turned up onto a discard.

    >>> from engine.protocol import Game
    >>> game = Game.deal("vitesse", "00" * 32)
    >>> tracker = TickTracker(game.start)
    >>> for word in ("s2-f,turn", "wait,turn"):
    ...     tracker.see(game.apply(word))
    >>> tracker.known(game.position.public()).seats[1].discard == game.position.seats[1].discard
    True
    >>> game.position.public().seats[1].discard[0]
    '??'
    """

    def __init__(self, start: TickPosition):
        """Begin with a position that all may know, at the start of a game or anywhere in it."""
        self._hands: list[list[Card]] = [[UNKNOWN] * len(seat.hand) for seat in start.seats]
        self._discards: list[list[Card]] = [list(seat.discard) for seat in start.public().seats]
        self._gone: tuple[set[Card], set[Card]] = (set(), set())  # what each seat put on foundations

    def copy(self) -> TickTracker:
        """Another that knows the same and follows ticks on its own."""
        other = object.__new__(TickTracker)
        other._hands = [list(hand) for hand in self._hands]
        other._discards = [list(discard) for discard in self._discards]
        first, second = self._gone
        other._gone = (set(first), set(second))
        return other

    __copy__ = copy

    def see(self, tick: Tick) -> None:
        """Take in the next tick."""
        for done in tick.done:
            hand, discard = self._hands[done.seat], self._discards[done.seat]
            if done.move == "turn":
                if done.flip is not None:
                    hand[:] = discard[::-1]
                    discard.clear()
                hand.pop()
                discard.append(done.card or UNKNOWN)
            elif done.move == "d-f" and not done.missed:
                discard.pop()
            if done.move.endswith("-f") and not done.missed and done.card is not None:
                self._gone[done.seat].add(done.card)

    def known(self, position: TickPosition) -> TickPosition:
        """The position that these ticks led to, with every card that was seen in its place."""
        first, second = (
            replace(seat, hand=tuple(hand), discard=tuple(discard))
            for seat, hand, discard in zip(position.seats, self._hands, self._discards, strict=True)
        )
        return replace(position, seats=(first, second))

    def pools(self, position: TickPosition) -> tuple[list[Card], list[Card]]:
        """For each seat the cards of its pack that may lie where ``known`` has an unknown one, sorted.

        After a late start they are more than those places: who played a card of which one copy lies on a
        foundation is then not known.
        """
        low = [min(suit) for suit in position.foundations]  # so far both seats' cards are down
        both = {f"{rank}{suit}" for suit, height in zip(SUITS, low, strict=True) for rank in RANKS[:height]}
        first, second = (
            sorted(set(PACK) - gone - both - {*seat.reserve, *seat.slots, *seat.hand, *seat.discard})
            for seat, gone in zip(self.known(position).seats, self._gone, strict=True)
        )
        return first, second
