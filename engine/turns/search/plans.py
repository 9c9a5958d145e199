"""Every position that the mover can bring about in this turn without turning up an unknown card."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import HiddenCard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.turns.game import TurnGame


@dataclass(frozen=True, slots=True)
class Plan:
    """A way through the turn, the shortest to where it leads."""

    moves: tuple[str, ...]
    game: TurnGame
    """The game after them."""
    ends_turn: bool
    """The turn has passed on, or the game is over."""
    reveals: tuple[str, ...]
    """Legal next moves that would turn up an unknown card: `draw` as a rule, and reserves or discards."""


def plans(game: TurnGame, limit: int = 10_000) -> Iterator[Plan]:
    """Search the turn breadth first; positions that differ only in the order of the houses count once.

    Counters do not tell positions apart either, so that moving to and fro leads nowhere new. A move that
    turns up an unknown card ends a plan: it stands in `Plan.reveals`. Where all cards are known, drawing
    goes on with the card that lies there: sample or hide first what a bot may not know.

    Args:
        game: it stays as it is.
        limit: the most positions to answer.

    >>> from engine.turns.game import TurnGame
    >>> game = TurnGame.deal("crapaud", "00" * 32)
    >>> seen = TurnGame(game.position.public())
    >>> found = list(plans(seen))
    >>> found[0].moves, found[0].reveals
    ((), ('draw',))
    >>> len(found) > len(list(plans(seen, limit=3)))
    True
    """
    turn, number = game.turn, game.turn_number
    first = game.clone()
    queue: deque[tuple[tuple[str, ...], TurnGame]] = deque([((), first)])
    reached = {first.core.table_hash()}
    left = limit
    while queue and left > 0:
        words, here = queue.popleft()
        left -= 1
        ends = here.finished or (here.turn, here.turn_number) != (turn, number)
        reveals = []
        for word in () if ends else here.legal_moves():
            after = here.clone()
            try:
                after.push(word)
            except HiddenCard:
                reveals.append(word)
                continue
            found = after.core.table_hash()
            if found not in reached:
                reached.add(found)
                queue.append(((*words, word), after))
        yield Plan(words, here, ends, tuple(reveals))
