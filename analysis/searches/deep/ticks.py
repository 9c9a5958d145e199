"""A game of ticks judged from its start to its end, tick by tick.

Both act at once, so an action is worth what it brings on average against what the other may do: half of the
time what is natural, half of the time what a good player mixes, as the planner believes
(`engine.policies.tick_planner`). Each pair of actions is played out on the same samples of the unseen cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.errors import BrokenRecord
from analysis.searches.deep.turns import BEST, STANDARD_ERRORS
from analysis.serving_guard import thinks
from analysis.values.public_game_ticks import KINDS, NAMES, TickTable
from engine.policies.tick_greedy import tick_playout
from engine.policies.tick_planner import BELIEF, mix_replies, natural, options
from engine.ticks.position import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from engine import TickPosition
    from engine.ticks.core import TickCore

GAMES: Final = 500
"""Games played out for each pair of actions."""
EVEN: Final = 0.11
"""This share of games counts as even, however clearly greedy players win them: bots play otherwise."""
POWER: Final = 0.8
"""The odds of all others are told to this power. Both were fitted to 1,200 games of mixed bots."""


@dataclass(frozen=True, slots=True)
class JudgedAction:
    """An action and its seat's chance to win after it, from 0 to 1."""

    action: str
    win: float


@dataclass(frozen=True, slots=True)
class JudgedChoice:
    """A seat's best actions in a tick, best first, the one it chose, and what that certainly cost."""

    actions: tuple[JudgedAction, ...]
    played: JudgedAction
    cost: float

    @property
    def win(self) -> float:
        """The seat's chance before it chooses; what it chose is the best unless it certainly is not."""
        return self.actions[0].win if self.cost else self.played.win


@dataclass(frozen=True, slots=True)
class JudgedTick:
    """A tick: the chance of seat 0 before it and once both have chosen, and both choices."""

    before: float
    after: float
    choices: tuple[JudgedChoice, JudgedChoice]


@thinks
def judged_ticks(
    start: TickPosition,
    words: Sequence[str],
    key: str,
    report: Callable[[float], object] = lambda share: None,
    games: int = GAMES,
) -> list[JudgedTick]:
    """Every tick of a game.

    Raises:
        BrokenRecord: the words are not ticks of a game from there.
    """
    table, found = TickTable(start), []
    for number, word in enumerate(words):
        report(number / len(words))
        found.append(judge_tick(table, word, Random(f"{key}/{number}"), games))  # noqa: S311 (samples)
        table.follow(word)
    return found


def judge_tick(table: TickTable, word: str, rng: Random, games: int = GAMES) -> JudgedTick:
    """The next tick of a game. Raises BrokenRecord."""
    worlds = _worlds(table, rng)
    return _tick(table, word, [next(worlds) for _ in range(games)])


def _chosen(table: TickTable, word: str) -> list[int]:
    """The numbers of both actions. Raises BrokenRecord if they are no tick here."""
    actions = word.split(",")
    legal = table.core.both()
    chosen = [ACTIONS.index(action) if action in ACTIONS else -1 for action in actions]
    if len(actions) != 2 or any(one not in open_to for one, open_to in zip(chosen, legal, strict=True)):
        raise BrokenRecord(f"expected a tick of the game, got {word!r}")
    return chosen


def _tick(table: TickTable, word: str, worlds: list[TickCore]) -> JudgedTick:
    chosen = _chosen(table, word)
    seen = table.view()
    legal = seen.both()
    acts = [options(one) for one in legal]
    # By the actions of both seats, the results of seat 0 in every world.
    results = np.array(
        [[[_won(world, mine, theirs) for world in worlds] for theirs in acts[1]] for mine in acts[0]]
    )
    means = results.mean(axis=2)
    beliefs = []
    for seat in (0, 1):
        worth = (means if seat == 0 else 1 - means.T).tolist()
        likely = acts[1 - seat].index(natural(seen, 1 - seat, legal[1 - seat]))
        share = np.array(mix_replies(worth)) * (1 - BELIEF)
        share[likely] += BELIEF
        beliefs.append(share)
    rows = [own.index(action) for own, action in zip(acts, chosen, strict=True)]
    choices = (
        _choice(acts[0], np.einsum("atw,t->aw", results, beliefs[0]), rows[0]),
        _choice(acts[1], np.einsum("atw,a->tw", 1 - results, beliefs[1]), rows[1]),
    )
    before = (choices[0].win + 1 - choices[1].win) / 2
    return JudgedTick(before, tell_chance(float(means[rows[0], rows[1]])), choices)


def tell_chance(share: float) -> float:
    """The chance that is told of a seat which won this share of the games played out.

    >>> round(tell_chance(0.5), 3), round(tell_chance(0.0), 3), round(tell_chance(0.9), 3)
    (0.5, 0.055, 0.814)
    """
    own, other = share**POWER, (1 - share) ** POWER
    return float(EVEN / 2 + (1 - EVEN) * own / (own + other))


def _choice(actions: Sequence[int], won: NDArray[np.float64], row: int) -> JudgedChoice:
    means = won.mean(axis=1)
    order = sorted(range(len(actions)), key=lambda each: -float(means[each]))
    gain = won[order[0]] - won[row]
    error = float(gain.std(ddof=1)) / float(np.sqrt(won.shape[1]))
    found = [
        JudgedAction(ACTIONS[action], tell_chance(float(means[at]))) for at, action in enumerate(actions)
    ]
    cost = found[order[0]].win - found[row].win if float(gain.mean()) > STANDARD_ERRORS * error else 0.0
    return JudgedChoice(tuple(found[each] for each in order[:BEST]), found[row], cost)


def _worlds(table: TickTable, rng: Random) -> Iterator[TickCore]:
    """Cores with the unseen cards of each seat in every order."""
    while True:
        names = bytearray(NAMES)
        for seat in range(2):
            own = sorted(table.hidden[seat])
            shuffled = own[:]
            rng.shuffle(shuffled)
            for kind, name in zip(own, shuffled, strict=True):
                names[KINDS * seat + kind] = name
        yield table.core.exchanged(bytes(names))


def _won(world: TickCore, first: int, second: int) -> float:
    """What became of seat 0 after a pair of actions: 1, a half or 0."""
    core = world.clone()
    core.push(first, second)
    core = tick_playout(core)
    ahead = core.points(0) - core.points(1)
    return 1.0 if ahead > 0 else 0.0 if ahead < 0 else 0.5
