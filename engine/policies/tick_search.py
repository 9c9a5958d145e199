"""A search in the game of ticks: what each action comes to if planners play the game to its end.

The other is taken to be a planner as well, so it is known what it does in this tick. Every action answers
that in the same samples of the hidden cards, so that luck does not distinguish them. From there planners play
on for both, and see no more than the seats themselves. An action that is clearly worse is tried no further.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Final

from engine.policies.tick_planner import Choice, options
from engine.ticks.core import STOP, TURN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.ticks.core import TickCore

ROUND, ROUNDS = 8, 3
"""Samples played between two looks at which actions are clearly worse, and the most such rounds."""
PRIOR: Final = 0.1
"""How much more than the planner's action another one has to bring: a won game less a lost one is 2."""
POINT: Final = 0.0025
"""What a point more is worth beside the result of the game."""
CLEAR: Final = 2.5
"""Standard errors by which an action is clearly worse."""


@dataclass(slots=True)
class TriedAction:
    """An action with an opinion of it beforehand, and what its games brought."""

    action: int
    prior: float
    games: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The mean of its games."""
        return sum(self.games) / len(self.games)

    def clearly_worse(self, best: TriedAction) -> bool:
        """Whether it brings less than the best by more than chance explains; both played the same samples."""
        gains = [one - other for one, other in zip(best.games, self.games, strict=True)]
        mean = sum(gains) / len(gains)
        error = sqrt(sum((gain - mean) ** 2 for gain in gains)) / len(gains)
        return mean + best.prior - self.prior > CLEAR * error


def searched(view: TickCore, seat: int, worlds: Iterator[TickCore], late: Callable[[], bool]) -> Choice:
    """A seat's action in the game as everybody knows it, given samples of how it may truly be.

    `late` is asked before each sample but the first.
    """
    own, planned = options(view.legal(seat)), view.planned(seat)
    if planned == STOP or len(own) == 1 or (own[0] == TURN and len(own) == 2):
        return Choice(planned)
    expected = view.planned(1 - seat)
    left = [TriedAction(action, PRIOR * (action == planned)) for action in own]
    for number in range(ROUND * ROUNDS):
        if number and late():
            break
        if number % ROUND == 0 and number:
            left = rank_actions(left)
            if len(left) == 1:
                break
        world = next(worlds)
        for each in left:
            each.games.append(played_out(world, view, seat, each.action, expected))
    left = rank_actions(left)
    return Choice(left[0].action, left[0].mean, expected)


def rank_actions(tried: list[TriedAction]) -> list[TriedAction]:
    """The actions that are not clearly worse than the best, which is first."""
    best = max(tried, key=lambda each: each.mean + each.prior)
    return [best, *(each for each in tried if each is not best and not each.clearly_worse(best))]


def played_out(world: TickCore, view: TickCore, seat: int, mine: int, theirs: int) -> float:
    """What a tick is worth to a seat, from -1 for a lost game to 1 for a won one, and its points a little."""
    game, known = world.clone(), view.clone()
    both = (mine, theirs) if seat == 0 else (theirs, mine)
    game.push(*both)
    known.push(*both)
    game.play_planned(known)
    ahead = float(game.points(seat) - game.points(1 - seat))
    return (ahead > 0) - (ahead < 0) + POINT * ahead
