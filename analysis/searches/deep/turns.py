"""A game of turns judged from its start to its end.

It is cut into stretches as for `mistakes`: the moves of one seat up to the next card that is turned up, or
to the end of its turn. Each is judged once, before anybody knew the card, with the line that was played among
the others. So what a stretch cost and the change of the chances that is not luck are the same figure.

A position is judged by oracle's own search (`engine.policies.halving`), which chooses the best three lines.
They and the line that was played are then tried on new samples of the hidden cards, the same for all of them:
a line that was chosen for its luck in the search has none here, and the differences between lines are far
more certain than the chances themselves. With two seats a chance is the mean of what oracle's net says after
a few lines and of how the game ends that greedy players play on from there; with more seats, where the net
knows only the chance of the seat to move, only such games count.

Where every card is known the position is solved, if it can be; if not, greedy players go on with an error now
and then, since there is nothing left to sample.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np

import engine
from analysis.errors import BrokenRecord
from analysis.serving_guard import thinks
from engine.errors import EngineError
from engine.policies import perturbed, valued
from engine.policies.halving import Tried, halved
from engine.policies.planner import search
from engine.policies.valued import MOST_NODES, valuer
from engine.turns.core import DISCARD, HAND, RESERVE
from engine.turns.knowledge.sampling import cores
from engine.turns.knowledge.tracker import Tracker
from engine.turns.moves import STOP, numbers, texts
from engine.turns.search import ending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from engine import TurnPosition
    from engine.turns.core import Core
    from engine.variants import Variant

    Play = Callable[[Core, Sequence[int]], tuple[tuple[float, ...], float]]
    """What a line leads to in a world: each seat's chance to win, and what lines are compared by."""

BEST: Final = 3
"""Lines that are told."""
NODES: Final = 64
"""Positions that the net looks at for each line while it plays on."""
ERRORS: Final = 0.1
"""The share of random moves where every card is known and the position is not solved."""
STANDARD_ERRORS: Final = 3.0
"""A difference below so many of its standard errors is not told as a mistake."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Positions looked at for lines, lines tried, samples to choose the best three, samples of each of these
    to tell the chances, and positions looked at to solve an ending."""

    nodes: int
    lines: int
    games: int
    told: int
    solving: int = 200_000


EFFORTS: Final = {
    2: Effort(nodes=MOST_NODES, lines=12, games=1600, told=1000),
    3: Effort(nodes=MOST_NODES, lines=12, games=600, told=400),
    4: Effort(nodes=MOST_NODES, lines=12, games=300, told=200),
}
"""By seats. A sample takes 50 to 120 microseconds with two seats, some 140 with three and 600 with four."""

SHARPER: Final = {2: 1.0, 3: 1.2, 4: 1.2}
"""By seats: chances are told to this power, made to sum to 1 again. With more than two, the greedy players
that play on let more slip than bots do: fitted to 1,200 games of mixed bots on deals of their own."""


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """A line and each seat's chance to win after it, from 0 to 1; a draw is half a win."""

    moves: tuple[str, ...]
    win: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The best lines of a position, best first, for `seat`, and what was `played` there, if anything was.

    `cost` is what the line played gives away in points of a game, 0 unless that is certain. `proved`: the
    position is solved.
    """

    seat: int
    lines: tuple[JudgedLine, ...]
    played: JudgedLine | None
    cost: float
    proved: bool

    @property
    def win(self) -> tuple[float, ...]:
        """Each seat's chance before the line, if the best one is played.

        What was played counts as the best unless it certainly is not.
        """
        return self.lines[0].win if self.cost or self.played is None else self.played.win


@thinks
def judge(
    tracker: Tracker, rng: Random, played: Sequence[str] = (), effort: Effort | None = None
) -> Judgement:
    """What can be done in a position of which everything that was ever seen is known.

    The hidden cards are never looked at, so the same position seen with other hidden cards is judged alike.
    """
    position = tracker.position
    effort = effort or EFFORTS[position.players]
    worlds = cores(tracker, rng)
    known = all(len(pool) < 2 for pool in tracker.pools)
    if known and position.players == 2:
        exact = _exact(next(worlds), tuple(played), effort)
        if exact is not None:
            return exact
    core = engine.TurnGame(position.public()).core
    named = numbers(core.players, core.turn)
    own = tuple(named[word] for word in played)
    found, play = _valued(next(worlds), position.rules, effort)
    # Without lines (every move is irregular) what was played is all there is to judge.
    tried = found or [Tried(0.0, own or (core.legal()[0],))]
    left = halved(
        tried,
        worlds,
        lambda world, moves: play(world, moves)[1],
        samples=effort.games,
        keep=BEST,
    )
    lines = [each.moves for each in left]
    place = _place(core, lines, own) if own else None
    if own and place is None:
        place = len(lines)
        lines.append(own)
    elif place is not None:
        lines[place] = own  # its moves may have come in another order
    if known:
        return _told(core, lines, place, islice(worlds, max(20, effort.told // 4)), _with_errors(rng))
    return _told(core, lines, place, islice(worlds, effort.told), play)


def _valued(world: Core, rules: Variant, effort: Effort) -> tuple[list[Tried], Play]:
    """The lines that oracle tries, and play as it plays on; the hidden cards of `world` do not matter."""
    quick, seat, players = valuer(world, rules, NODES), world.turn, world.players
    if world.tally()[2]:  # it is decided who went out first, so all lines are alike
        plans = world.plans(effort.nodes, BEST)
        return [Tried(0.0, moves) for _, moves in plans], lambda core, _: (shares(core), 0.0)

    def play(core: Core, moves: Sequence[int]) -> tuple[tuple[float, ...], float]:
        found = valued.tried(quick, core, moves)
        if players == 2:
            other = 1 - found.chance
            return ((other, found.chance) if seat else (found.chance, other)), found.worth
        return shared_by(found.first, players), found.worth

    return valued.lines(valuer(world, rules, effort.nodes), world, effort.lines), play


def _told(
    core: Core, lines: list[tuple[int, ...]], place: int | None, samples: Iterable[Core], play: Play
) -> Judgement:
    """The lines with the results of new games, on the same samples for all."""
    worlds = list(samples)
    games = len(worlds)
    seat, names = core.turn, texts(core.players, core.turn)
    ends = np.empty((len(lines), games, core.players))
    shaped = np.empty((len(lines), games))
    for number, world in enumerate(worlds):
        for row, moves in enumerate(lines):
            ends[row, number], shaped[row, number] = play(world, moves)
    means = ends.mean(axis=1)
    sharp = means ** SHARPER[core.players]
    told = [
        JudgedLine(tuple(str(names[move]) for move in moves), tuple(map(float, chances / chances.sum())))
        for moves, chances in zip(lines, sharp, strict=True)
    ]
    worth = [(float(means[row, seat]), float(shaped[row].mean())) for row in range(len(lines))]
    order = sorted(range(len(lines)), key=worth.__getitem__, reverse=True)
    best = order[0]
    cost = 0.0
    if place is not None and place != best:
        gain = ends[best, :, seat] - ends[place, :, seat]
        error = float(gain.std(ddof=1)) / math.sqrt(games)
        if float(gain.mean()) > STANDARD_ERRORS * error:
            cost = max(0.0, told[best].win[seat] - told[place].win[seat])
    return Judgement(
        seat,
        tuple(told[row] for row in order[:BEST]),
        None if place is None else told[place],
        cost,
        proved=False,
    )


def shares(core: Core) -> tuple[float, ...]:
    """Each seat's share of the first place in a game that is over, or in which a seat is out."""
    out = core.tally()[2]
    return shared_by(out[0] if out else -1, core.players)


def shared_by(first: int, players: int) -> tuple[float, ...]:
    """Each seat's share of the first place if `first` goes out first; all share it if nobody does (-1)."""
    return tuple(1 / players if first < 0 else float(seat == first) for seat in range(players))


def ahead(core: Core, seat: int) -> float:
    """How many cards more than a seat the others have left, on average."""
    left = [sum(core.size(pile + one) for pile in (RESERVE, DISCARD, HAND)) for one in range(core.players)]
    own = left.pop(seat)
    return sum(left) / len(left) - own


def _with_errors(rng: Random) -> Play:
    """How games are played on where no card is hidden: all seats make errors."""
    policy = perturbed(rng, ERRORS)

    def play(world: Core, moves: Sequence[int]) -> tuple[tuple[float, ...], float]:
        core = world.clone()
        for move in moves:
            core.push(move)
        while not core.over:
            core.push(policy(core)[0])
        return shares(core), ahead(core, world.turn)

    return play


def _place(core: Core, lines: Sequence[tuple[int, ...]], own: tuple[int, ...]) -> int | None:
    """Which of the lines leads where the own one does, though by its moves in another order."""
    reached = _reached(core, own)
    return next((row for row, line in enumerate(lines) if _reached(core, line) == reached), None)


def _reached(core: Core, line: tuple[int, ...]) -> tuple[int, int]:
    """Where a line leads: the table before its last move, which may turn up a card, and that move."""
    after = core.clone()
    for move in line[:-1]:
        after.push(move)
    return after.table_hash(), line[-1]


def _exact(world: Core, words: tuple[str, ...], effort: Effort) -> Judgement | None:
    """The position solved, with all cards known; None if that takes too long."""
    seat, names, named = world.turn, texts(2, world.turn), numbers(2, world.turn)
    found = ending(world, effort.solving)
    if found is None:
        return None
    lines = []
    if found.result == 1:
        lines = [found.moves]
    played = None
    result = found.result
    if words:
        own = tuple(named[word] for word in words)
        after = _result(world, own, seat, effort)
        if after is None:
            return None
        result = min(after, found.result)
        played = JudgedLine(words, _chances(result, seat))
        if not lines and result == found.result:
            lines = [own]
    if not lines:
        lines = [_holding(world, found.result, seat, effort)]
    best = JudgedLine(tuple(str(names[move]) for move in lines[0]), _chances(found.result, seat))
    return Judgement(seat, (best,), played, (found.result - result) / 2, proved=True)


def _holding(world: Core, result: int, seat: int, effort: Effort) -> tuple[int, ...]:
    """A line after which the result stands that is proved; what the planner would play if none is found."""
    found = sorted(search(world, effort.nodes).lines, reverse=True)
    for line in found[: effort.lines]:
        if _result(world, line.moves, seat, effort) == result:
            return line.moves
    return found[0].moves if found else (world.legal()[0],)


def _result(world: Core, moves: Sequence[int], seat: int, effort: Effort) -> int | None:
    """What a line leads to for a seat: 1, 0 or -1; None if that is not solved."""
    after = world.clone()
    for move in moves:
        after.push(move)
    sign = 1 - 2 * seat
    if after.over:
        return int(after.worth()[0]) * sign
    found = ending(after, effort.solving)
    return None if found is None else found.result * (1 if after.turn == seat else -1)


def _chances(result: int, seat: int) -> tuple[float, float]:
    own = (1 + result) / 2
    return (own, 1 - own) if seat == 0 else (1 - own, own)


@dataclass(frozen=True, slots=True)
class JudgedStretch:
    """A stretch of the game's words, from the `first` (from 0) to before `after`, and what was said of it."""

    first: int
    after: int
    judged: Judgement


@thinks
def judged_turns(
    start: TurnPosition,
    words: Sequence[str],
    key: str,
    report: Callable[[float], object] = lambda share: None,
    effort: Effort | None = None,
) -> list[JudgedStretch]:
    """Every stretch of a game of any number of seats; a call of stop belongs to none.

    The same `key` gives the same samples. `report` hears what share of the game is done.

    Raises:
        BrokenRecord: the words are not moves of a game from there.
    """
    found = []
    for before, first, after in cut_into_stretches(start, words):
        report(first / len(words))
        judged = judge(before, Random(f"{key}/{first}"), words[first:after], effort)  # noqa: S311
        found.append(JudgedStretch(first, after, judged))
    return found


def cut_into_stretches(start: TurnPosition, words: Sequence[str]) -> Iterator[tuple[Tracker, int, int]]:
    """A game's stretches: what is known before each, its first word (from 0) and the one after its last.

    Raises BrokenRecord.
    """
    game, tracker = engine.TurnGame(start), Tracker(start.public())
    place = 0
    while place < len(words):
        before, first = tracker.copy(), place
        seat, ended = game.turn, False
        while not ended and place < len(words) and words[place] != STOP:
            ended = _push(game, tracker, words[place], seat)
            place += 1
        if place == first:  # a call of stop
            _push(game, tracker, words[place], seat)
            place += 1
            continue
        yield before, first, place


def _push(game: engine.TurnGame, tracker: Tracker, word: str, seat: int) -> bool:
    """Carry out a word; whether a stretch of the seat ends with it."""
    try:
        event = game.stop() if word == STOP else game.push(word)
    except (EngineError, KeyError, ValueError) as error:
        raise BrokenRecord(f"expected a move of the game, got {word!r}") from error
    tracker.see(event)
    return event.reveal is not None or word == "draw" or game.finished or event.turn != seat
