"""The planner of the game of ticks: for every pair of what both could do, how the next ticks would go.

A pair of actions is worth what it leads to if both play on without guile. That makes a table of a game in
which both choose at once; the other is taken to do half the time what is natural, half the time what a good
player mixes to be hard to guess (found by fictitious play), and the best answer to that is chosen. So it
takes a contested card when it comes first in this tick, does not run for one that the other gets, and keeps
a queen back while the other has the king. It calls stop once that is sure to win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.ticks.core import DISCARD, RESERVE, STOP, TURN
from engine.ticks.position import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.ticks.core import TickCore

AHEAD: Final = 12
"""Ticks that it looks ahead."""
SURE, RESERVE_CARD = 25.0, 1.5
"""What a won game and a card of the reserve are worth to it, in points."""
BELIEF, ROUNDS = 0.5, 60
"""How much of the other's choice it takes for natural, and its rounds of fictitious play."""
KING: Final = 12
ORDER: Final = tuple(map(ACTIONS.index, ("s1-f", "s2-f", "s3-f", "s4-f", "r-f", "d-f", "turn", "wait")))
"""Actions by number, the natural one first."""
NATURAL: Final = (bytes(ORDER) * 2, False)
"""How two play on without guile, as `TickCore.play_greedily` takes it."""


class Choice(NamedTuple):
    """An action, its worth in points, and what the other will do; None where nothing was weighed."""

    action: int
    worth: float | None = None
    expected: int | None = None


def tick_planner(core: TickCore, seat: int) -> int:
    """The action of `weighed`, as the core finds it."""
    return int(core.planned(seat))


def weighed(core: TickCore, seat: int) -> Choice:
    """The planner's action and its reasons. Cards that the seat may not know are `HIDDEN` in the core."""
    legal = core.both()
    if STOP in legal[seat] and _stop_wins(core, seat):
        return Choice(STOP)
    own, others = (options(legal[one]) for one in (seat, 1 - seat))
    if own[0] == TURN and len(own) == 2:
        return Choice(TURN)
    worth = [[_worth(core, seat, mine, theirs) for theirs in others] for mine in own]
    expected = others.index(natural(core, 1 - seat, legal[1 - seat]))
    guess = [
        (1 - BELIEF) * share + BELIEF * (place == expected) for place, share in enumerate(mix_replies(worth))
    ]
    values = [sum(map(float.__mul__, row, guess)) for row in worth]
    best = values.index(max(values))
    return Choice(own[best], values[best], others[guess.index(max(guess))])


def options(legal: Sequence[int]) -> list[int]:
    """All that a seat may do; waiting is last but for stopping, so that of equals it is not chosen."""
    return [*(action for action in ORDER if action in legal), *([STOP] if STOP in legal else [])]


def natural(core: TickCore, seat: int, legal: Sequence[int]) -> int:
    """What a seat does that only looks at its own cards, and stops where it wins by it."""
    if STOP in legal and core.points(seat) + 20 > core.points(1 - seat) + 1:
        return STOP
    return next(action for action in ORDER if action in legal)


def _stop_wins(core: TickCore, seat: int) -> bool:
    """Whether a call of stop in this tick wins whatever the other does."""
    other = 1 - seat
    legal = core.legal(other)
    if STOP in legal and core.tick % 2 == other:
        return core.points(seat) > core.points(other) + 20  # it may call first
    tops = {0: core.pile(DISCARD, other)[-1:], 1: core.pile(RESERVE, other)[-1:]}
    slots = core.slots_of(other)
    cards = [tops[action][0] if action in tops else slots[action - 2] for action in legal if action < STOP]
    gain = max((11 if card % 13 == KING else 1 for card in cards), default=0)
    return core.points(seat) + 20 > core.points(other) + gain


def _worth(core: TickCore, seat: int, mine: int, theirs: int) -> float:
    """How good it is for a seat, in points, after both play on naturally for some ticks."""
    after = core.clone()
    after.push(*((mine, theirs) if seat == 0 else (theirs, mine)))
    after.play_greedily(*NATURAL, AHEAD)
    ahead = float(after.points(seat) - after.points(1 - seat))
    if not after.over:
        return ahead + RESERVE_CARD * (after.size(RESERVE, 1 - seat) - after.size(RESERVE, seat))
    return ahead + (SURE if ahead > 0 else -SURE if ahead < 0 else 0)


def mix_replies(worth: Sequence[Sequence[float]]) -> list[float]:
    """Return how the other mixes its actions if both play well, by fictitious play (Brown 1951)."""
    rows, columns = [0.0] * len(worth), [0.0] * len(worth[0])
    counts = [0] * len(columns)
    for _ in range(ROUNDS):
        row = worth[rows.index(max(rows))]
        columns = [total + value for total, value in zip(columns, row, strict=True)]
        chosen = columns.index(min(columns))
        counts[chosen] += 1
        rows = [total + each[chosen] for total, each in zip(rows, worth, strict=True)]
    return [count / ROUNDS for count in counts]
