"""Which of many lines is best, by playing on: sequential halving (Karnin, Koren and Somekh 2013).

All lines play a few samples of the hidden cards, the better half plays twice as many, and so on. All lines
of a round play the same samples, so luck does not distinguish them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from engine.policies.greedy import EMPTIES_HOUSE, TARGETS, playout, rank_table
from engine.turns.core import DISCARD, HAND, RESERVE
from engine.turns.knowledge.sampling import guesses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from engine.turns.core import Core
    from engine.turns.knowledge.tracker import Tracker

World = TypeVar("World")
Moves = Sequence[int]

PLAN: Final = 0.005
"""What a card of planner's values counts beside how games go (`shaped`), for lines that planner found."""
AHEAD: Final = 6
"""Lines that all play as planner does after one that is tried, before greedy players end the game. Of 0, 6,
12 and 24, this chose best in a tenth of a second on thirty positions of three seats."""
NODES: Final = 64
"""Positions looked at for each of these lines."""
CARDS: Final = 52
"""So many cards left count as much as the result."""


@dataclass(slots=True)
class Tried:
    """A line with an opinion of it beforehand (`prior`), and the sum of its games."""

    prior: float
    moves: tuple[int, ...]
    total: float = 0.0
    games: int = 0

    @property
    def mean(self) -> float:
        """The mean of its games; 0 before the first."""
        return self.total / max(1, self.games)

    @property
    def rank(self) -> float:
        """What lines are compared by."""
        return self.prior + self.mean


def planned(core: Core, nodes: int, most: int) -> list[Tried]:
    """Return up to `most` lines that planner likes best, among those that `nodes` positions lead to."""
    return [Tried(PLAN * worth / 100, moves) for worth, moves in core.plans(nodes, most)]


def played_on(world: Core, moves: Sequence[int]) -> Core:
    """How a world ends after a line if all play on as planner for `AHEAD` lines, and then greedily; the world
    stays as it is."""
    core = world.clone()
    for move in moves:
        core.push(move)
    core.play_planned(AHEAD, NODES)
    return playout(core)


def guessed(tracker: Tracker, rng: Random, count: int) -> tuple[Iterator[int], Callable[[int, Moves], float]]:
    """Return worlds and a judge of lines for `halved`, which together do the same as `cores` and `played_on`
    with `shaped`, but inside the core. A world is the seed of `count` guesses of the hidden cards.

    >>> from random import Random
    >>> from engine.turns.game import TurnGame
    >>> from engine.turns.knowledge.tracker import Tracker
    >>> game = TurnGame.deal("crapette", "00" * 32, 3)
    >>> from engine.turns.moves import texts
    >>> worlds, judge = guessed(Tracker.of(game.observation(0)), Random(1), 4)
    >>> (best,) = halved(planned(game.core, 64, 6), worlds, judge, samples=60)
    >>> [texts(3, game.turn)[move] for move in best.moves]
    ['t1-t10', 't3-t7', 't8-t11', 't2-f', 't4-r1', 'r-t7']
    """
    ranks = rank_table((TARGETS,) * tracker.position.players)
    tries = guesses(tracker, rng, ranks, EMPTIES_HOUSE)

    def judge(seed: int, moves: Moves) -> float:
        result, ahead = tries.tried(moves, seed, count, AHEAD, NODES)
        return float(result + ahead / CARDS)

    return itertools.count(rng.getrandbits(62)), judge


def shaped(end: Core, seat: int) -> float:
    """Return how a game that is over went for a seat: 1 if it won, -1 if another did, 0 if none, and more
    or less by the cards left, 52 of them as much as 1."""
    won = end.tally()[2]
    result = 0.0 if not won else 1.0 if won[0] == seat else -1.0
    left = [sum(end.size(pile + one) for pile in (RESERVE, DISCARD, HAND)) for one in range(end.players)]
    others = (sum(left) - left[seat]) / (end.players - 1)
    return result + (others - left[seat]) / CARDS


def halved(
    lines: Sequence[Tried],
    worlds: Iterator[World],
    judge: Callable[[World, Moves], float],
    *,
    samples: int,
    spent: Callable[[], float] = lambda: 0.0,
    keep: int = 1,
) -> list[Tried]:
    """The `keep` lines that are left, best first, with their games counted.

    `judge` says what a line is worth in one world to whoever chooses, by playing on in any way. At most about
    `samples` lines are judged, as many in each round. `spent` says what part of the time is over. It is asked
    before each sample: no round takes time that belongs to the later ones, and none goes on after 1.
    """
    left = list(lines)
    rounds = max(1, (len(left) - 1).bit_length())
    done = 0
    while len(left) > keep:
        done += 1
        for _ in range(max(1, samples // rounds // len(left))):
            if spent() * rounds >= done:
                break
            world = next(worlds)
            for each in left:
                each.total += judge(world, each.moves)
                each.games += 1
        left.sort(key=lambda each: each.rank, reverse=True)
        del left[max(keep, (len(left) + 1) // 2) :]
    return left
