"""Find the mistake: where the house planner would have done clearly better than what was played.

A game is cut into *stretches*: the moves of one seat from one piece of news to the next (a card turned up,
the end of the turn), for within a stretch nothing is left to chance. At the start of each the planner says
what it would have done up to its own next news. Both lines are valued at their ends by the arena's value
function, as the mean over the cards that could turn up there, so that luck speaks for nobody.

That is the opinion of a bot and of a value function, not the truth: only clear differences are told. Once
every card is known it is the truth, as far as endings can be solved (`engine.turns.search.ending`): a stretch
that began with a won position and ended with one that is not is a mistake, and no other is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.search_guard import thinks
from analysis.searches.lost_endings import Solved
from analysis.values.function import Seen, ValueFunction, load
from analysis.values.public_game import Chance, Table
from engine.policies import planner
from engine.turns.moves import STOP, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import TurnPosition
    from engine.policies.greedy import Policy

NODES: Final = 500
"""Positions looked at for an answer, as many as the house's planner: a game takes well under a second."""
CLEAR: Final = 0.04
"""Points of a game that a mistake costs at least; below it the value function is no judge."""
MOST: Final = 12


@dataclass(frozen=True, slots=True)
class FoundMistake:
    """`played` from the `first`-th word of the game on (from 0), and what would have been `better`.

    `cost` is the difference in points of a game for `seat`: 1 is a whole win. It is `proved` if both ends of
    the stretch are solved; `better` then leads on to the end of the turn, and wins.
    """

    first: int
    seat: int
    played: tuple[str, ...]
    better: tuple[str, ...]
    cost: float
    proved: bool = False


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A stretch that was played otherwise than the planner would have, with the two ends to be valued."""

    first: int
    seat: int
    played: tuple[str, ...]
    better: tuple[str, ...]
    ends: tuple[End, End]


@dataclass(frozen=True, slots=True)
class End:
    """The end of a line: what is to be valued, and how often each of its cards could have come."""

    seen: Seen
    weights: tuple[int, ...]

    @classmethod
    def of(cls, values: ValueFunction, table: Table, chance: Chance | None) -> End:
        """The end that a table has come to by a card that was turned up, or by none."""
        weights = (1,) if chance is None else tuple(count for _, count in chance.others)
        return cls(values.look(table, chance), weights)


@thinks
def mistakes(
    start: TurnPosition, words: Sequence[str], values: ValueFunction | None = None
) -> list[FoundMistake]:
    """The costliest mistakes of a game of two, at most `MOST`, in the order of the game.

    Raises:
        UnknownValues: the variant has no value function.
        BrokenRecord: the words are not moves of a game from there.
    """
    values = values or load(start.variant)
    stretches, rated = _stretches(Table(start), words, values)
    return worst([*rated, *_valued(stretches, values)])


def worst(found: list[FoundMistake]) -> list[FoundMistake]:
    """The costliest, at most `MOST`, in the order of the game."""
    kept = sorted(found, key=lambda mistake: -mistake.cost)[:MOST]
    return sorted(kept, key=lambda mistake: mistake.first)


def _valued(stretches: list[_Stretch], values: ValueFunction) -> list[FoundMistake]:
    """The mistakes among stretches by what the value function says of their ends."""
    if not stretches:
        return []
    ends = [end for stretch in stretches for end in stretch.ends]
    found = np.clip(values.value(Seen.together([end.seen for end in ends]))[:, 0], -1.0, 1.0)
    worth, first = [], 0
    for end in ends:
        there = found[first : first + len(end.weights)]
        first += len(end.weights)
        worth.append(float(np.average(there, weights=end.weights)))
    rated = []
    for number, stretch in enumerate(stretches):
        gain = (worth[2 * number + 1] - worth[2 * number]) / 2 * (1 - 2 * stretch.seat)
        if gain >= CLEAR:
            rated.append(FoundMistake(stretch.first, stretch.seat, stretch.played, stretch.better, gain))
    return rated


def _stretches(
    table: Table, words: Sequence[str], values: ValueFunction
) -> tuple[list[_Stretch], list[FoundMistake]]:
    """Every stretch where the planner would have ended elsewhere, and the mistakes that are proved."""
    policy = planner(NODES)
    found, proved = [], []
    solved = Solved()
    place = 0
    while place < len(words):
        if words[place] == STOP:
            table.follow(STOP)
            place += 1
            continue
        seat, before = table.core.turn, table.clone()
        played, chance = _played(table, words, place)
        first, place = place, place + len(played)
        exact = solved.find_loss(before, table)
        if exact is not None:
            if exact.cost:
                names = texts(2, seat)
                line = tuple(str(names[move]) for move in exact.moves)
                proved.append(FoundMistake(first, seat, played, line, exact.cost, proved=True))
            continue
        better, other, others = _planned(before, policy)
        if table.core.table_hash() != other.core.table_hash() or _turned(chance) != _turned(others):
            ends = (End.of(values, table, chance), End.of(values, other, others))
            found.append(_Stretch(first, seat, played, better, ends))
    return found, proved


def _played(table: Table, words: Sequence[str], place: int) -> tuple[tuple[str, ...], Chance | None]:
    """Carry out the stretch that begins at a place; its words and the card that ended it, if one did."""
    seat = table.core.turn
    for number in range(place, len(words)):
        word = words[number]
        if word == STOP:
            return tuple(words[place:number]), None
        chance = table.follow(word)
        if chance is not None or word == "draw" or table.core.over or table.core.turn != seat:
            return tuple(words[place : number + 1]), chance
    return tuple(words[place:]), None


def _planned(table: Table, policy: Policy) -> tuple[tuple[str, ...], Table, Chance | None]:
    """The planner's stretch from a table on, and the table after it.

    It plans again where its line only uncovers a card that was seen before.
    """
    seat = table.core.turn
    names = texts(2, seat)
    line: list[str] = []
    while True:
        for move in policy(table.core):
            line.append(str(names[move]))
            chance = table.push(move)
        if chance is not None or line[-1] == "draw" or table.core.over or table.core.turn != seat:
            return tuple(line), table, chance


def _turned(chance: Chance | None) -> int | None:
    """The pile on which a card was turned up."""
    return None if chance is None else chance.pile
