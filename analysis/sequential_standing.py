"""Where a sequential test stands: by wins, and by results and margins with the luck taken out.

The site and ``crapette sprt`` both ask here, so that a test says the same on either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from analysis.errors import InvalidTournament
from analysis.luck.subtracted_share import adjust_pairs
from analysis.values import measures_luck
from analysis.verdicts import sequential, sprt
from analysis.verdicts.sequential import MARGINS, MEASURES, RESULTS, WINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.verdicts.sequential import SequentialEvidence
    from analysis.verdicts.sprt import Hypotheses, Verdict

    Halves = tuple[float, float]
    """The luck of a game or pair: in the result, and in the margin."""

ELO: Final = (-200.0, 200.0)
"""What the bounds of a test must lie between."""
LEAST_WIDTH: Final = 0.5
"""Between the bounds: a narrower test would decide nothing within the pairs it may play."""
RISK: Final = (0.001, 0.3)
MOST_PAIRS: Final = 2_000
"""Played in a test that is not told otherwise."""
RULE: Final = 2
"""How tests are decided. By the first rule, hardly any pair had to be unlike, and results needed none."""


class TestedPair(Protocol):
    """A pair as its first bot sees it."""

    @property
    def half_points(self) -> int:
        """What it won, 0 to 4."""

    @property
    def margin(self) -> float:
        """The mean margin of its two games."""

    @property
    def luck(self) -> Halves | None:
        """Its luck in points a game and in margin a game; None while that is not measured."""


@dataclass(frozen=True, slots=True)
class SequentialStanding:
    """Where a test stands by each measure; `stop_by` is the one that may end it.

    `scores` are the half points of the pairs that count. `results` and `margins` are those of the pairs
    up to the first whose luck is not measured yet. A test that is over has `ended` with a decision, after so
    many pairs, by a `rule` that may be older than today's.
    """

    wins: Verdict
    results: SequentialEvidence
    margins: SequentialEvidence
    stop_by: str
    scores: tuple[int, ...]
    measured: int
    ended: tuple[str, int] | None = None
    rule: int = RULE

    @property
    def pairs(self) -> int:
        """How many pairs count."""
        return len(self.scores)

    @property
    def decision(self) -> str:
        """What the measure that may end the test says, or said: "H0", "H1" or nothing yet."""
        return self.ended[0] if self.ended else self.by[self.stop_by].decision

    @property
    def decided_after(self) -> int:
        """The pairs that measure counts."""
        return self.ended[1] if self.ended else self.by[self.stop_by].pairs

    @property
    def outdated(self) -> bool:
        """Whether an older rule ended the test with a decision that today's would not make."""
        return self.rule < RULE and self.decision != self.by[self.stop_by].decision

    @property
    def by(self) -> dict[str, Verdict | SequentialEvidence]:
        """The three, by name of the measure."""
        return {WINS: self.wins, RESULTS: self.results, MARGINS: self.margins}

    @property
    def words(self) -> str:
        """The verdict of a test that is over: what ended it, and what wins said by then."""
        if self.stop_by == WINS:
            return self.wins.words
        ends = {"H0": "Rejected", "H1": "Accepted", "": "Undecided"}
        by = "wins" if self.stop_by == RESULTS else "margins"
        caution = "" if self.stop_by == RESULTS else " Margins are not wins."
        return (
            f"{ends[self.decision]} by luck-adjusted {by} after {count_pairs(self.decided_after)}.{caution} "
            f"By wins: {self.wins.words}"
        )


def count_pairs(pairs: int) -> str:
    """Return so many pairs in words.

    >>> count_pairs(1), count_pairs(2000)
    ('1 pair', '2,000 pairs')
    """
    return "1 pair" if pairs == 1 else f"{pairs:,} pairs"


def check(tested: Hypotheses, ended_by: str, variant: str) -> None:
    """Raise InvalidTournament, with the field at fault, unless such a test makes sense."""
    if ended_by not in MEASURES:
        raise InvalidTournament(f"Expected one of {', '.join(MEASURES)}, got {ended_by!r}.", "stop_by")
    if ended_by != WINS and not measures_luck(variant):
        raise InvalidTournament(
            "Luck is not measured in this game, so only wins can end the test.", "stop_by"
        )
    if not ELO[0] <= tested.elo0 < tested.elo1 <= ELO[1]:
        raise InvalidTournament(
            f"This must be above the lower bound, and both from {ELO[0]:.0f} to {ELO[1]:.0f}.",
            "elo1",
        )
    if tested.elo1 - tested.elo0 < LEAST_WIDTH:
        raise InvalidTournament(f"The bounds must be at least {LEAST_WIDTH} apart.", "elo1")
    for field, risk in (("alpha", tested.alpha), ("beta", tested.beta)):
        if not RISK[0] <= risk <= RISK[1]:
            raise InvalidTournament(f"The risk must be from {RISK[0]} to {RISK[1]}.", field)


def standing(pairs: Sequence[TestedPair], asked: Hypotheses, stop_by: str) -> SequentialStanding:
    """Return where a test stands by all three measures; `pairs` are those that count, in order."""
    scores = tuple(pair.half_points for pair in pairs)
    results, margins = without_luck(pairs)
    return SequentialStanding(
        sprt.judge(scores, asked),
        sequential.by_results(results, asked),
        sequential.by_margins(margins, asked),
        stop_by,
        scores,
        len(results),
    )


def without_luck(pairs: Sequence[TestedPair]) -> tuple[list[float], list[float]]:
    """Return results (score a game less a half) and margins a game without luck, in the order of the pairs.

    They end at the first pair whose luck is not measured: a later one must not have its say before it.
    """
    known = []
    for pair in pairs:
        if pair.luck is None:
            break
        known.append((pair, pair.luck))
    return (
        adjust_pairs((pair.half_points / 4 - 0.5, luck[0]) for pair, luck in known),
        adjust_pairs((pair.margin, luck[1]) for pair, luck in known),
    )


def luck_of_pair(first: Halves, second: Halves) -> Halves:
    """Return the luck of a pair's first bot a game, from that of seat 0 in either leg.

    The first bot has seat 0 in the first leg and seat 1 in the second. A game's luck in the result counts
    from -1 to 1, which is two points wide.
    """
    return (first[0] - second[0]) / 4, (first[1] - second[1]) / 2
