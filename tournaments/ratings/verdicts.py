"""Which of two bots is better: by wins, by margins, and both again without luck.

The pair is the unit everywhere. Ratings count wins alone; the other verdicts stand beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.intervals import FIRST, anytime_score
from analysis.luck.subtracted_share import adjust_pairs
from analysis.sequential_standing import luck_of_pair
from analysis.verdicts.difference import CARDS, LOST_TWICE, difference, verdict
from tournaments.models import GameLuck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.intervals import Interval
    from analysis.verdicts.difference import Difference, MarginVerdict
    from tournaments.models import Pair


@dataclass(frozen=True, slots=True)
class CountedPair:
    """An accepted pair as seen from one of the two: half points (0 … 4) and mean margin a game.

    `luck` is that one's luck in points a game and in margin a game, None while it is not measured; `number`
    is higher for pairs that were made later.
    """

    number: int
    half_points: int
    margin: float
    luck: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts on some pairs, seen from the first; scores are points a game (0 … 1).

    All hold at any time, but for the difference in Elo, which is the one that is told everywhere.
    """

    pairs: int
    wins: Interval | None
    elo: Difference
    margins: MarginVerdict | None
    measured: int
    fair_wins: MarginVerdict | None
    fair_margins: MarginVerdict | None

    @property
    def early(self) -> bool:
        """Whether there are too few pairs to say anything."""
        return self.pairs < FIRST

    @property
    def better(self) -> int:
        """By wins: 1 if the first is better, -1 if the second is, 0 if open; ever wrong in 5 % of cases."""
        if self.wins is None or not self.wins.excludes(0.5):
            return 0
        return 1 if self.wins.value > 0.5 else -1

    @property
    def by_margin(self) -> list[tuple[bool, MarginVerdict]]:
        """The verdicts by margins that there are, with whether luck is subtracted."""
        both = ((False, self.margins), (True, self.fair_margins))
        return [(adjusted, found) for adjusted, found in both if found is not None]

    @property
    def fair_low(self) -> float:
        """The lower end of the luck-adjusted score's 95 % interval."""
        return 0.5 + (self.fair_wins.low if self.fair_wins else 0.0)

    @property
    def fair_high(self) -> float:
        """The upper end of it."""
        return 0.5 + (self.fair_wins.high if self.fair_wins else 0.0)

    @property
    def fair_score(self) -> float:
        """The luck-adjusted score a game: right on average, so it may pass 0 or 1."""
        return 0.5 + (self.fair_wins.mean if self.fair_wins else 0.0)


def count_pairs(pairs: Sequence[Pair], firsts: Sequence[bool]) -> list[CountedPair]:
    """Accepted pairs of two seats, each seen from its pairing's first or second; two queries for all."""
    found: dict[int, dict[int, GameLuck]] = {}
    for luck in GameLuck.objects.filter(game__pair__in=[pair.pk for pair in pairs]).select_related("game"):
        found.setdefault(luck.game.pair_id, {})[luck.game.leg] = luck
    return [
        _seen(pair, found.get(pair.pk, {}), first=first) for pair, first in zip(pairs, firsts, strict=True)
    ]


def _seen(pair: Pair, lucks: dict[int, GameLuck], *, first: bool) -> CountedPair:
    score, margin = pair.score or 0, pair.margin or 0.0
    luck = None
    if lucks.keys() >= {0, 1}:
        luck = luck_of_pair(*((lucks[leg].result, lucks[leg].margin) for leg in (0, 1)))
    if first:
        return CountedPair(pair.pk, score, margin, luck)
    return CountedPair(pair.pk, 4 - score, -margin, luck and (-luck[0], -luck[1]))


def judge(pairs: Sequence[CountedPair]) -> Verdicts:
    """All verdicts on these pairs; part of the luck is taken out (`analysis.luck.subtracted_share`)."""
    penta = [0, 0, 0, 0, 0]
    for pair in pairs:
        penta[pair.half_points] += 1
    wins = anytime_score(penta)
    in_order = sorted(pairs, key=lambda pair: pair.number)
    measured = [(pair, pair.luck) for pair in in_order if pair.luck is not None]
    return Verdicts(
        pairs=len(pairs),
        wins=wins,
        elo=difference(penta),
        margins=_mean([pair.margin for pair in pairs], CARDS),
        measured=len(measured),
        fair_wins=_mean(
            adjust_pairs((pair.half_points / 4 - 0.5, luck[0]) for pair, luck in measured), LOST_TWICE
        ),
        fair_margins=_mean(adjust_pairs((pair.margin, luck[1]) for pair, luck in measured), CARDS),
    )


def _mean(values: Sequence[float], outlying: float) -> MarginVerdict | None:
    """The verdict, which reckons with pairs as unlike as the most unlike one, and as `outlying` at least."""
    squares = sum(value * value for value in values)
    return verdict(len(values), sum(values), squares, max((*map(abs, values), outlying)))
