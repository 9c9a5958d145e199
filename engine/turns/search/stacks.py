"""Moving a stack from house to house one card at a time, as the rules ask (RULES 1, top)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.errors import IllegalMove
from engine.turns.game import TurnGame
from engine.turns.moves import Move

if TYPE_CHECKING:
    from engine.turns.position import TurnPosition

NEVER = 1 << 30  # more moves than any expansion has


@cache
def cost(cards: int, free: int) -> int:
    """The fewest single moves for a stack with that many empty houses to help; `NEVER` if they do not do.

    With *e* empty houses a stack of 2^e can be moved, as the sources say.

    >>> [cost(cards, 2) for cards in (1, 2, 3, 4)]
    [1, 3, 5, 9]
    >>> cost(5, 2) == NEVER
    True
    """
    if cards == 1:
        return 1
    if free == 0:
        return NEVER
    return min(NEVER, *(2 * cost(top, free - 1) + cost(cards - top, free - 1) for top in range(1, cards)))


def expand(position: TurnPosition, source: str, target: str, cards: int) -> tuple[Move, ...]:
    """The single moves that carry the top `cards` of one house to another, resting on empty houses.

    Args:
        position: with no card drawn.
        source, target: houses, as ``t1``; an empty target is not rested on.
        cards: how many, from the top of the source.

    Raises:
        IllegalMove: the houses do not allow it, or one of the single moves is illegal on the way.

    >>> from engine.turns.position import TurnPosition
    >>> line = "crapo 0 play - 9C8H7C/TD/./. 0,0/0,0/0,0/0,0 ./4H/. ./5H/. 0,0,0,.,. 0,0/./."
    >>> position = TurnPosition.parse(line.replace("/./. 0,", "/./././././. 0,", 1))
    >>> " ".join(map(str, expand(position, "t1", "t2", 3)))
    't1-t3 t1-t4 t1-t2 t4-t2 t3-t2'
    """
    houses = {f"t{number}": house for number, house in enumerate(position.houses, start=1)}
    if source not in houses or target not in houses or source == target:
        raise IllegalMove(
            f"expected two different houses of t1 to t{len(houses)}, got {source!r} and {target!r}"
        )
    if not 1 <= cards <= len(houses[source]):
        raise IllegalMove(f"expected 1 to {len(houses[source])} cards from {source}, got {cards}")
    free = [name for name, house in houses.items() if not house and name != target]
    if cost(cards, len(free)) == NEVER:
        raise IllegalMove(f"expected at most {2 ** len(free)} cards with so few empty houses, got {cards}")
    words = _carry(source, target, cards, tuple(free))
    replay = TurnGame.replay(position, words)
    if replay.error is not None:
        raise IllegalMove(f"single move {replay.played + 1} of {len(words)}: {replay.error}")
    return tuple(map(Move.parse, words))


def _carry(source: str, target: str, cards: int, free: tuple[str, ...]) -> list[str]:
    """Rest the upper part on the first free house, carry the lower over, bring the upper after it."""
    if cards == 1:
        return [f"{source}-{target}"]
    rest, others = free[0], free[1:]
    top = min(
        range(1, cards),
        key=lambda upper: 2 * cost(upper, len(others)) + cost(cards - upper, len(others)),
    )
    away = _carry(source, rest, top, others)
    return away + _carry(source, target, cards - top, others) + _carry(rest, target, top, others)
