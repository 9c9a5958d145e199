"""What a finished game was worth to its seats all through: who could expect to win, and what changed it.

Chances are told where something is known that was not known before: where a card turns up, and where a turn
ends. Each change has two parts. *Skill* is what a choice gave away: where the house planner's line up to the
next news is clearly better than what was played (`CLEAR`), both valued at their ends by the arena's value
function, as the mean over the cards that could turn up there. *Luck* is all the rest: a card turned up. Under
the chances of best play a choice can keep what is there or lose it. So nobody gains by their own choice, and
a choice too close to call costs nothing.

The values are worked out from the game's end backwards. A position is worth what the stretch that was played
from it leads to (for the card that came what came of it, for those that could have come what the value
function says of them), and more if something clearly better was there.

Where every card is known nothing is left to chance. A position that the solver decides is lost, drawn or won
from there on, until a seat throws that away; only what is proved is a mistake there. Turns that it cannot
decide are worth what came of them.

The endings of a game are solved where every card is known, each position once (`SolvedEndings`).

Start, luck and skill add up to the result. This luck explains a game; it is not the unbiased one by which
results are adjusted (`analysis.luck.measurement`), since it takes into account what was made of a card.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from analysis.luck.measurement import is_deal
from analysis.searches.stretches import NODES, PlayedLine, plan_stretch, same_end, stretches
from analysis.serving_guard import thinks
from analysis.values.function import Seen, ValueFunction, load
from analysis.values.public_game import Table
from engine.policies import planner
from engine.turns.moves import texts
from engine.turns.search import Ending, ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from analysis.searches.stretches import Stretch
    from analysis.values.function import ValueFunction
    from analysis.values.public_game import Chance
    from engine import TurnPosition
    from engine.turns.core import Core

    Floats = NDArray[np.float64]
    Lines = Sequence[Sequence[str]]

POSITIONS: Final = 200_000
"""Looked at for each ending at most: 25 ms."""
IN_ALL: Final = 8_000_000
"""And for a whole game, so that none takes much longer than one second."""
MOST_MISTAKES: Final = 12


class SolvedEndings:
    """The solved endings of one game: each position is solved once, though it ends one turn and begins the
    next."""

    def __init__(self) -> None:
        self._found: dict[int, Ending | None] = {}
        self._left = IN_ALL

    def result(self, core: Core) -> int | None:
        """1 if seat 0 wins, -1 if seat 1 does, 0 if neither can force it; None if that is not known."""
        if core.over:
            return core.worth()[0]
        found = self._solve(core)
        return None if found is None else found.result * (1 - 2 * core.turn)

    def winning_line(self, core: Core) -> tuple[int, ...]:
        """Moves up to the end of the turn after which the seat to move still wins; none if it does not."""
        found = None if core.over else self._solve(core)
        return () if found is None else found.moves

    def _solve(self, core: Core) -> Ending | None:
        """The position solved, as long as there is time."""
        key = core.hash()
        if key not in self._found:
            if self._left <= 0:
                return None
            self._left -= POSITIONS
            found = self._found[key] = ending(core, POSITIONS)
            if found is not None:
                self._left += POSITIONS - found.positions
        return self._found[key]


def carry(results: Sequence[int | None], seats: Sequence[int]) -> list[int | None]:
    """The results of turns in which every card is known, with those between two solved ones filled in.

    `results` are those of the positions before each turn, and of the one after the last (n + 1), for seat 0;
    `seats` say who moved in each turn (n). A decided ending keeps its result until somebody throws it away.
    If that was done in turns that are not solved, it was the last of the seat that lost by it.
    """
    found = list(results)
    for place in range(1, len(found)):
        if found[place] is None:
            found[place] = found[place - 1]
    for place in range(len(seats), 0, -1):
        after, before = found[place], found[place - 1]
        if after is None or before is None or (after - before) * (1 - 2 * seats[place - 1]) <= 0:
            continue
        # The mover would have gained by its own turn: the other threw it away in an earlier one. If that
        # one is solved too, the rules' limits (RULES 3) made the difference, and what came of it stands.
        found[place - 1] = after
    return found


CLEAR: Final = 0.04
"""Points of a game that a mistake costs at least; below it the value function is no judge."""


@dataclass(frozen=True, slots=True)
class Swing:
    """How one event changed the expected result of seat 0: through luck, and through the mover's choice."""

    value: float
    """The expected result after it, -1 to 1."""
    luck: float
    skill: float
    margin: float
    """The expected margin after it."""


@dataclass(frozen=True, slots=True)
class FoundMistake:
    """`played` from the `first`-th word of the game on (from 0), and what would have been `better`.

    `cost` is the difference in points of a game for `seat`: 1 is a whole win. It is `proved` if both ends of
    the stretch are solved; `better` then leads on to the end of the turn, and wins. It is empty where a draw
    was thrown away, since the solver names no line that holds one.
    """

    first: int
    seat: int
    played: tuple[str, ...]
    better: tuple[str, ...]
    cost: float
    proved: bool = False


@dataclass(frozen=True, slots=True)
class Chances:
    """The start and each word of a game as a swing (n + 1), and every mistake, in the order of the game."""

    swings: tuple[Swing, ...]
    mistakes: tuple[FoundMistake, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The end of a line: what is to be valued, and how often each of its cards could have come."""

    seen: Seen
    weights: tuple[int, ...]
    actual: int
    """Which of them came."""

    @classmethod
    def of(cls, values: ValueFunction, line: PlayedLine) -> End:
        """The end that a line has come to."""
        chance = line.chance
        if chance is None:
            return cls(values.look(line.table), (1,), 0)
        actual = next(place for place, (card, _) in enumerate(chance.others) if card == chance.card)
        weights = tuple(count for _, count in chance.others)
        return cls(values.look(line.table, chance), weights, actual)


def value_ends(ends: Sequence[End], values: ValueFunction) -> list[Floats]:
    """What each end's cards are worth: result (-1 to 1) and margin of seat 0, each (cards, 2)."""
    if not ends:
        return []
    found = values.chance(Seen.together([end.seen for end in ends]))
    return np.split(found, np.cumsum([len(end.weights) for end in ends])[:-1])


def mean_result(end: End, valued: Floats) -> float:
    """The expected result of seat 0 before it is known which card turns up."""
    return float(np.average(valued[:, 0], weights=end.weights))


@thinks
def chances(start: TurnPosition, words: Sequence[str], values: ValueFunction | None = None) -> Chances:
    """The course of a game of two seats from a full position on, and its mistakes.

    Raises:
        UnknownValues: the variant has no value function.
        BrokenRecord: the words are not moves of a game from there.
    """
    values = values or load(start.variant)
    table = Table(start)
    beginning = End(values.look(table), (1,), 0)
    played = list(stretches(table, words))
    solved = SolvedEndings()
    results = _results(played, table, solved)
    better = _better_lines(played)
    ends = [beginning, *(End.of(values, one.played) for one in played)]
    tried = [End.of(values, line) for line in better.values()]
    valued = value_ends([*ends, *tried], values)
    compared = {
        place: (mean_result(ends[place + 1], valued[place + 1]), mean_result(line_end, found))
        for place, line_end, found in zip(better, tried, valued[len(ends) :], strict=True)
    }
    final = results[-1]
    value = float(valued[len(played)][ends[len(played)].actual, 0]) if final is None else float(final)
    rows: list[list[Swing]] = []
    found: list[FoundMistake] = []
    for place in reversed(range(len(played))):
        one, end, result = played[place], ends[place + 1], results[place]
        sign, after = 1 - 2 * one.seat, value
        came = valued[place + 1].copy()
        came[end.actual, 0] = after
        mean = mean_result(end, came)
        if result is None:
            cost = clear_cost(mean * sign, *(sign * each for each in compared.get(place, (mean, mean))))
            line = better[place].words if cost else ()
        else:
            cost = max(0.0, (result - mean) * sign / 2)
            line = _words(one, solved.winning_line(one.before.core)) if cost else ()
        value = mean + 2 * cost * sign
        margins = (float(valued[at][ends[at].actual, 1]) for at in (place, place + 1))
        rows.append(_swings(one, value, (after, after - mean, mean - value), *margins))
        if cost:
            found.append(
                FoundMistake(one.first, one.seat, one.played.words, line, cost, proved=result is not None)
            )
    dealt = value - float(values.start[0]) if is_deal(start) else 0.0
    first = Swing(value, dealt, 0.0, float(valued[0][0, 1]))
    return Chances((first, *chain.from_iterable(reversed(rows))), tuple(reversed(found)))


def _results(played: Sequence[Stretch], last: Table, solved: SolvedEndings) -> list[int | None]:
    """Before each stretch and after the last (n + 1): who wins, where that is decided."""
    tables = [*(one.before for one in played), last]
    known = next((place for place, table in enumerate(tables) if table.knows_all()), len(tables) - 1)
    found = [solved.result(table.core) for table in tables[known:-1]]
    end = solved.result(last.core) if last.core.over or last.knows_all() else None
    return [*[None] * known, *carry([*found, end], [one.seat for one in played[known:]])]


def _better_lines(played: Sequence[Stretch]) -> dict[int, PlayedLine]:
    """By place: the planner's line, where a card is hidden and it would have led elsewhere."""
    policy = planner(NODES)
    found = {}
    for place, one in enumerate(played):
        if one.played.words and not one.before.knows_all():
            line = plan_stretch(one.before, policy)
            if not same_end(one.played, line):
                found[place] = line
    return found


def clear_cost(mean: float, played: float, better: float) -> float:
    """What a choice cost in points of a game; 0 where that is not clear.

    `mean` is the mover's expected result after it, by what came of it; `played` and `better` are what the
    value function gives to its end and to the other line's. A chance that is missed again and again is lost
    but once: as long as it is still there, `mean` is no less than `better`.
    """
    cost = (min(1.0, mean + better - played, better) - mean) / 2
    return cost if cost >= CLEAR else 0.0


def _words(one: Stretch, moves: Sequence[int]) -> tuple[str, ...]:
    names = texts(2, one.seat)
    return tuple(str(names[move]) for move in moves)


def _swings(
    one: Stretch, before: float, change: tuple[float, float, float], margin: float, later: float
) -> list[Swing]:
    """The words of a stretch: nothing changes until its last move, and nothing by a call of stop after it."""
    value, luck, skill = change
    at = max(1, len(one.played.words)) - 1
    still = Swing(before, 0.0, 0.0, margin)
    return [
        *[still] * at,
        Swing(value, luck, skill, later),
        *[Swing(value, 0.0, 0.0, later)] * (one.until - one.first - at - 1),
    ]


@thinks
def mistakes(
    start: TurnPosition, words: Sequence[str], values: ValueFunction | None = None
) -> list[FoundMistake]:
    """The costliest mistakes of a game of two, at most `MOST_MISTAKES`, in the order of the game.

    They are the opinion of a bot and of a value function, not the truth: only clear differences are told.
    Once every card is known it is the truth, as far as endings can be solved (`engine.turns.search.ending`):
    a turn that began with a won position and ended with one that is not is a mistake, and no other is. A draw
    thrown away in a solved ending is none of them: the solver does not say how it is held.

    Raises:
        UnknownValues: the variant has no value function.
        BrokenRecord: the words are not moves of a game from there.
    """
    return worst(found for found in chances(start, words, values).mistakes if found.better)


def worst(found: Iterable[FoundMistake]) -> list[FoundMistake]:
    """The costliest, at most `MOST_MISTAKES`, in the order of the game."""
    kept = sorted(found, key=lambda mistake: -mistake.cost)[:MOST_MISTAKES]
    return sorted(kept, key=lambda mistake: mistake.first)


@thinks
def worths(
    start: TurnPosition, words: Sequence[str], lines: Mapping[int, Lines], values: ValueFunction | None = None
) -> dict[int, list[float]]:
    """The worth of each line, in points of a game (0 to 1) for the seat that plays it.

    A line may end within the turn: then the seat still moves. Nobody finishes it, since a bot that moves a
    card to and fro would be praised for what the finisher does.

    `lines` are by place: how many of the game's `words` were played before.

    Raises:
        UnknownValues: the variant has no value function.
        BrokenRecord: the words are not moves of a game from there, or a line is none.
    """
    values = values or load(start.variant)
    table, ends, seats = Table(start), list[End](), list[int]()
    for place in range(len(words) + 1):
        for line in lines.get(place, ()):
            seats.append(table.core.turn)
            ends.append(_end(values, table.clone(), line))
        if place < len(words):
            table.follow(words[place])
    found = zip(ends, value_ends(ends, values), seats, strict=True)
    taken = iter([(1 + mean_result(end, valued) * (1 - 2 * seat)) / 2 for end, valued, seat in found])
    return {place: [next(taken) for _ in lines[place]] for place in sorted(lines) if place <= len(words)}


def _end(values: ValueFunction, table: Table, line: Sequence[str]) -> End:
    """Where a line leads, up to the first news."""
    seat = table.core.turn
    chance: Chance | None = None
    for word in line:
        chance = table.follow(word)
        if chance is not None or word == "draw" or table.core.over or table.core.turn != seat:
            break
    return End.of(values, PlayedLine(tuple(line), table, chance))
