"""A game in ticks in progress (RULES 7)."""

from __future__ import annotations

from itertools import product

from engine.errors import IllegalMove, NotationError, quote
from engine.protocol import Game
from engine.ticks.events import Tick, describe_tick
from engine.ticks.position import TickPosition


class TickGame(Game):
    """A game from a position on.

    >>> from engine.protocol import Game
    >>> game = Game.deal("vitesse", "00" * 32)
    >>> game.legal(0), game.legal(1)
    (('s2-f', 'wait'), ('turn', 'wait'))
    >>> game.push("s2-f", "turn").done[1].card
    '2H'
    >>> game.pop()
    >>> game.ply
    0
    """

    def __init__(self, position: TickPosition):
        if not isinstance(position, TickPosition):
            raise NotationError(
                f"expected a TickPosition, got {quote(position)}: Position.parse reads a line"
            )
        self.variant, self.players, self.start = position.rules, position.players, position
        self._positions: list[TickPosition] = [position]
        self._events: list[Tick] = []

    def __repr__(self) -> str:
        return f"<TickGame {self.variant.name}, tick {self.tick}{', over' if self.finished else ''}>"

    @property
    def position(self) -> TickPosition:
        """The position now."""
        return self._positions[-1]

    @property
    def acting(self) -> tuple[int, ...]:
        """Both seats; none once the game is over."""
        return self.position.acting

    @property
    def tick(self) -> int:
        """The number of the next tick."""
        return self.position.tick

    @property
    def ply(self) -> int:
        """The number of ticks played since the start."""
        return len(self._events)

    @property
    def turns(self) -> int:
        """The number of ticks played since the start, as `ply`."""
        return len(self._events)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.position.finished

    @property
    def history(self) -> tuple[Tick, ...]:
        """What has happened since the start."""
        return tuple(self._events)

    def legal(self, seat: int) -> tuple[str, ...]:
        """The actions that a seat may choose in this tick, sorted; none when the game is over."""
        return self.position.legal(seat)

    def options(self, seat: int) -> tuple[str, ...]:
        """What a seat may choose, as `legal`."""
        return self.position.legal(seat)

    def words(self) -> tuple[str, ...]:
        """Every pair of actions, joined by a comma."""
        return tuple(map(",".join, product(self.legal(0), self.legal(1))))

    def listing(self) -> str:
        """What each seat may choose, as RULES 8 writes it."""
        return "" if self.finished else " | ".join(" ".join(self.legal(seat)) for seat in (0, 1))

    def push(self, first: str, second: str) -> Tick:
        """Carry out a tick in which seat 0 chose `first` and seat 1 `second`.

        Raises:
            IllegalMove: one of them may not be chosen in this tick; nothing has changed.
            HiddenCard: it would turn up a card that is ``??`` here.
        """
        before = self.position
        after = before.play(first, second)
        event = describe_tick(before, (first, second), after)
        self._positions.append(after)
        self._events.append(event)
        return event

    def apply(self, word: str) -> Tick:
        """Carry out a tick written as both seats' actions joined by a comma (RULES 7).

        Raises:
            NotationError: it is not that.
            IllegalMove, HiddenCard: as `push`.
        """
        parts = word.split(",") if isinstance(word, str) else []
        if len(parts) != 2:
            raise NotationError(f"expected two actions joined by a comma, got {quote(word)}")
        return self.push(parts[0], parts[1])

    def pop(self) -> None:
        """Take back the last tick.

        Raises:
            IllegalMove: there is none.
        """
        if not self._events:
            raise IllegalMove("expected a tick to take back, got the start of the game")
        self._positions.pop()
        self._events.pop()

    def clone(self) -> TickGame:
        """An independent copy; it keeps the history."""
        other = TickGame(self.start)
        other._positions, other._events = list(self._positions), list(self._events)
        return other

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` pairs of actions (RULES 8)."""
        return self.position.perft(depth)
