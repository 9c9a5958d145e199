"""``./crapette bench paired``: what a program gains that compares its two games of one deal.

A sandboxed bot forgets a game before it sees the deal again. A program on its author's machine remembers, and
relabelled suits hide nothing: the ranks tell it at once which of its games belong together and which suit is
which. Whatever was turned up in one game lies in the same place of the other.

The program tries planner's lines, each played on by planner for both seats in several worlds, and plays the
best. What it does not know of the hidden cards is dealt at random in each world; what it knows lies where it
lies. Its opponent is planner. Three ways to play two games, and the program's points of the second:

- *at once, one waits*: both games of a deal have begun; the program lets one wait until the other is over.
  Its clock of 180 seconds is enough. So it knows as much as if they were played one after the other.
- *at once, in step*: it answers in both in turn, as if it could not wait.
- *fresh deals*: each game has a deal of its own, and the other tells nothing of it.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Final

from engine.policies.greedy import greedily
from engine.turns.core import DISCARD, HAND, NOBODY, RESERVE
from engine.turns.game import TurnGame
from engine.turns.knowledge.sampling import hidden_in
from engine.turns.knowledge.tracker import Tracker
from engine.turns.moves import texts
from kit.console.command import Parser, count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.turns.core import Core

NODES, AHEAD, LINES, WORLDS = 200, 24, 8, 4
PRIOR: Final = 0.001
WAITS, IN_STEP, FRESH = "at once, one waits", "at once, in step", "fresh deals"
WAYS: Final = (WAITS, IN_STEP, FRESH)
BOARDS: Final = ("crapaud", "crapette")


@dataclass
class PlayedGame:
    """A game of the program, which sits on `seat`, against the same player without its knowledge."""

    game: TurnGame
    seat: int
    rng: Random
    tracker: Tracker = field(init=False)
    first_hidden: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        self.tracker = Tracker(self.game.start)
        self.first_hidden = self._hidden()

    @property
    def turned_up(self) -> frozenset[int]:
        """The cards that were hidden at the start and are not now."""
        return self.first_hidden - self._hidden()

    def _hidden(self) -> frozenset[int]:
        return frozenset(card for own in self._hidden_by_pool() for card in own)

    def _hidden_by_pool(self) -> list[list[int]]:
        return hidden_in(self.game.core, self.tracker.position, self.tracker.pools)

    def plan(self) -> None:
        """Let whoever is to move play planner's line."""
        names = texts(self.game.players, self.game.turn)
        self._play([str(names[move]) for move in self.game.core.planned(NODES) or greedily(self.game.core)])

    def _play(self, words: Sequence[str]) -> None:
        for word in words:
            self.tracker.see(self.game.push(word))

    def answer(self, known: frozenset[int]) -> None:
        """Let whoever is to move play; the program knows where these hidden cards lie."""
        if self.game.turn != self.seat:
            self.plan()
            return
        names = texts(self.game.players, self.game.turn)
        unknown = [[one for one in pool if one not in known] for pool in self._hidden_by_pool()]
        self._play([str(names[move]) for move in self._best(self.game.core, unknown)])

    def _best(self, core: Core, unknown: Sequence[list[int]]) -> Sequence[int]:
        """The line with the best mean over worlds that fit what the program knows."""
        lines = core.plans(NODES, LINES)
        if len(lines) < 2:
            return tuple(lines[0][1]) if lines else greedily(core)
        totals, worlds = [0.0] * len(lines), WORLDS if any(map(len, unknown)) else 1
        for _ in range(worlds):
            world = self._world(core, unknown)
            for place, (_, line) in enumerate(lines):
                after = world.clone()
                for move in line:
                    after.push(move)
                totals[place] += _worth(_played_on(after), self.seat)
        best = max(range(len(lines)), key=lambda place: totals[place] / worlds + PRIOR * lines[place][0])
        return tuple(lines[best][1])

    def _world(self, core: Core, unknown: Sequence[list[int]]) -> Core:
        """The game with the cards that are not known in another order; the others lie where they lie."""
        names = bytearray(range(NOBODY + 1))
        for own in unknown:
            shuffled = own[:]
            self.rng.shuffle(shuffled)
            for card, name in zip(own, shuffled, strict=True):
                names[card] = name
        return core.exchanged(bytes(names))


def _played_on(core: Core) -> Core:
    """How planner would end it on both seats."""
    while not core.over:
        for move in core.planned(AHEAD) or greedily(core):
            core.push(move)
    return core


def _result(core: Core, seat: int) -> float:
    """1 for a win of the seat, 0 if nobody went out, -1 for a loss."""
    out = core.tally()[2]
    return 0.0 if not out else 1.0 if out[0] == seat else -1.0


def _worth(core: Core, seat: int) -> float:
    """What a line led to: the result, and up to a half for the cards left, as `sampler` counts."""
    left = [sum(core.size(pile + one) for pile in (RESERVE, DISCARD, HAND)) for one in range(2)]
    return _result(core, seat) + (left[1 - seat] - left[seat]) / 104


def play_deal(variant: str, way: str, number: int) -> float:
    """The program's points of its second game of a deal, from 0 to 1; it sits in turn on either seat.

    The first game, in which nobody knows more than the other, is played by planner's line alone.
    """
    rng, seat = Random(f"{variant} {number}"), number % 2
    first = PlayedGame(TurnGame.deal(variant, f"paired {number}"), 1 - seat, rng)
    again = f"paired {number} again" if way == FRESH else f"paired {number}"
    second = PlayedGame(TurnGame.deal(variant, again), seat, rng)
    while way == WAITS and not first.game.finished:
        first.plan()
    while not second.game.finished:
        if way == IN_STEP and not first.game.finished:
            first.plan()
        second.answer(frozenset() if way == FRESH else first.turned_up)
    return (_result(second.game.core, seat) + 1) / 2


def main() -> int:
    """Play and print a line for each board and way."""
    parser = Parser(prog="./crapette bench paired", description=__doc__)
    parser.add_argument("--deals", type=count, default=200, help="deals of each board and way")
    parser.add_argument("--boards", default=",".join(BOARDS), help="comma-separated")
    parser.add_argument("--jobs", type=count, default=os.cpu_count() or 1, help="processes")
    asked = parser.parse_args()
    sys.stdout.write("| board | how the two games are played | points of the second game |\n|---|---|---|\n")
    with ProcessPoolExecutor(asked.jobs) as processes:
        for board in asked.boards.split(","):
            for way in WAYS:
                points = list(processes.map(partial(play_deal, board, way), range(asked.deals)))
                half = 1.96 * stdev(points) / len(points) ** 0.5
                sys.stdout.write(f"| {board} | {way} | {100 * fmean(points):.1f} ± {100 * half:.1f} % |\n")
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
