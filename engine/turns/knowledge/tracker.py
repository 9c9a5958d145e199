"""What a seat may know of the hidden cards: whatever was once seen, from the public events."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.cards import PACK, SUITS, UNKNOWN, Card
from engine.turns.knowledge.rewind import rewind
from engine.turns.position import TurnPosition
from engine.turns.position_line import counters as read_counters
from engine.turns.position_parts import SeatPiles, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.observation import Observation
    from engine.turns.events import Event


class Tracker:
    """Follows the events of a game from its public start and remembers every card that was seen.

    >>> from engine.turns.game import TurnGame
    >>> game = TurnGame.deal("crapaud", "00" * 32)
    >>> for word in "draw h-d draw h-d draw h-d".split():
    ...     event = game.push(word)
    >>> tracker = Tracker.of(game.observation(0))
    >>> tracker.position.seats[1].discard, game.position.public().seats[1].discard
    (('3S', '7D'), ('??', '7D'))
    >>> tracker.position.public() == game.position.public()
    True
    """

    def __init__(self, start: TurnPosition):
        """Begin with the position that all were given; what it hides is unknown."""
        start = start.public()
        self._start = start
        self._turn, self._phase, self._counters = start.turn, start.phase, start.counters
        self._houses = [list(house) for house in start.houses]
        self._heights = [list(suit) for suit in start.foundations]
        self._piles = {
            f"{letter}{seat}": list(pile)
            for seat, piles in enumerate(start.seats)
            for letter, pile in zip("rhd", piles.piles, strict=True)
        }
        self._drawn = start.drawn
        self._completed = list(start.tally.completed)
        self._emptied, self._out = list(start.tally.emptied), list(start.tally.out)
        self._pools = self._first_pools()

    @classmethod
    def of(cls, observation: Observation) -> Tracker:
        """Everything that the seat of an observation may know."""
        tracker = cls(observation.start)
        for event in observation.events:
            tracker.see(event)
        return tracker

    @classmethod
    def since(cls, position: TurnPosition, events: Sequence[Event]) -> Tracker:
        """Everything that may be known in a public position that these events, all since the start, led to.

        What a bot may know that comes late and is not told the start: all but the top of a reserve that was
        covered before.

        Raises:
            EngineError: the events cannot have led to the position.

        >>> from engine.turns.game import TurnGame
        >>> game = TurnGame.deal("crapette", "00" * 32)
        >>> for word in "t2-f r-t3".split():
        ...     event = game.push(word)
        >>> late = Tracker.since(game.position.public(), game.history)
        >>> late.position == Tracker.of(game.observation(0)).position
        True
        """
        tracker = cls(rewind(position, events))
        for event in events:
            tracker.see(event)
        return tracker

    def copy(self) -> Tracker:
        """Another that knows the same and follows events on its own."""
        other = object.__new__(Tracker)
        vars(other).update(vars(self))
        other._houses = [list(house) for house in self._houses]
        other._heights = [list(suit) for suit in self._heights]
        other._piles = {name: list(pile) for name, pile in self._piles.items()}
        other._completed, other._emptied, other._out = (
            list(each) for each in (self._completed, self._emptied, self._out)
        )
        other._pools = list(self.pools)
        return other

    __copy__ = copy

    def known(self, position: TurnPosition) -> TurnPosition:
        """`position`, as games in ticks have it: the events alone lead to it here."""
        return self.position

    @property
    def position(self) -> TurnPosition:
        """The position now with every card that was once seen in its place; the others are ``??``."""
        return TurnPosition(
            variant=self._start.variant,
            turn=self._turn,
            phase=self._phase,
            drawn=self._drawn,
            houses=tuple(map(tuple, self._houses)),
            foundations=tuple(map(tuple, self._heights)),
            seats=tuple(
                SeatPiles(*(tuple(self._piles[f"{letter}{seat}"]) for letter in "rhd"))
                for seat in range(self._start.players)
            ),
            counters=self._counters,
            tally=Tally(tuple(self._completed), tuple(self._emptied), tuple(self._out)),
        )

    @property
    def pools(self) -> tuple[Counter[Card], ...]:
        """For each seat the faces that its unknown cards are among.

        With a pack of their own (every variant but `crapaud` and its like) the unknown cards of a seat are
        exactly its pool; where the packs were shuffled as one, or the start was no whole deal, all seats
        share one object.
        """
        copies = {id(pool): +pool for pool in self._pools}
        return tuple(copies[id(pool)] for pool in self._pools)

    def see(self, event: Event) -> None:
        """Take in the next event."""
        if event.flip is not None:
            discard = self._piles[f"d{event.flip}"]
            self._piles[f"h{event.flip}"] = discard[::-1]
            discard.clear()
        if event.card is not None and event.source and event.target:
            self._take(event.source, event.card)
            self._put(event.target, event.card)
        if event.reveal is not None:
            pile, card = event.reveal
            self._know(pile, card)
        if event.completed is not None:
            self._completed[event.seat] += 1
        if event.out is not None:
            self._out.append(event.out)
        if event.phase is not None:
            self._phase = event.phase
        self._turn = event.turn
        self._counters = read_counters(event.counters, self._start.rules, self._start.players)

    def _first_pools(self) -> list[Counter[Card]]:
        """The packs without what lies open at the start."""
        start = self._start
        whole = all(
            seat.left + sum(map(len, start.houses[4 * number : 4 * number + 4])) == len(PACK)
            for number, seat in enumerate(start.seats)
        )
        if whole and not start.rules.one_pack:
            pools = []
            for number, seat in enumerate(start.seats):
                pool = Counter(PACK)
                for pile in (*start.houses[4 * number : 4 * number + 4], *seat.piles):
                    pool.subtract(card for card in pile if card != UNKNOWN)
                pools.append(+pool)
            return pools
        shared = Counter(PACK * start.players)
        for pile in (*start.houses, *(pile for seat in start.seats for pile in seat.piles)):
            shared.subtract(card for card in pile if card != UNKNOWN)
        if start.drawn:
            shared[start.drawn] -= 1
        for suit, heights in zip(SUITS, start.foundations, strict=True):
            for height in heights:
                shared.subtract(rank + suit for rank in start.rules.ranks[:height])
        return [+shared] * start.players

    def _know(self, pile: str, card: Card) -> None:
        """The top of a pile is seen."""
        cards = self._piles[pile]
        if cards[-1] == UNKNOWN:
            self._pools[int(pile[1])][card] -= 1
            cards[-1] = card

    def _take(self, source: str, card: Card) -> None:
        """A card leaves a pile."""
        if source == "x":
            self._drawn = None
        elif source[0] == "t":
            self._houses[int(source[1:]) - 1].pop()
        else:
            self._know(source, card)
            self._piles[source].pop()
            if source[0] == "r" and not self._piles[source]:
                self._emptied.append(int(source[1]))

    def _put(self, target: str, card: Card) -> None:
        """A card lands on a pile."""
        if target == "x":
            self._drawn = card
        elif target[0] == "t":
            self._houses[int(target[1:]) - 1].append(card)
        elif target[0] == "f":
            self._heights[SUITS.index(target[1])][int(target[2])] += 1
        else:
            self._piles[target].append(card)
