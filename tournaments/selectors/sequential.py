"""Where a sequential test stands: by wins, and by results and margins with the luck taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.luck.own_share import adjusted
from analysis.verdicts import sequential, sprt
from analysis.verdicts.sequential import MARGINS, RESULTS, WINS
from analysis.verdicts.sprt import Hypotheses, Verdict
from tournaments.models import Pair
from tournaments.selectors.verdicts import CountedPair, counted

if TYPE_CHECKING:
    from analysis.verdicts.sequential import SequentialEvidence
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class SequentialStanding:
    """Where a test stands by each measure; `stop_by` is the one that may end it.

    `scores` are the half points of the pairs that count. `results` and `margins` are those of the pairs
    up to the first whose luck is not measured yet.
    """

    wins: Verdict
    results: SequentialEvidence
    margins: SequentialEvidence
    stop_by: str
    scores: tuple[int, ...]
    measured: int

    @property
    def pairs(self) -> int:
        """How many pairs count."""
        return len(self.scores)

    @property
    def decision(self) -> str:
        """What the measure that may end the test says: "H0", "H1" or nothing yet."""
        return self.by[self.stop_by].decision

    @property
    def decided_after(self) -> int:
        """The pairs that measure counts."""
        return self.by[self.stop_by].pairs

    @property
    def by(self) -> dict[str, Verdict | SequentialEvidence]:
        """The three, by name of the measure."""
        return {WINS: self.wins, RESULTS: self.results, MARGINS: self.margins}


def hypotheses(tournament: Tournament) -> Hypotheses:
    """What a test was created to decide."""
    return Hypotheses.from_options(tournament.options)


def stop_by(tournament: Tournament) -> str:
    """The measure that may end a test."""
    return str(tournament.options.get("stop_by", WINS))


def counted_pairs(tournament: Tournament) -> list[Pair]:
    """The pairs that count: from the first on, up to the first that is not accepted yet.

    A quick game must not stop a test before slow ones that were begun earlier have had their say.
    """
    found: list[Pair] = []
    live = Pair.objects.filter(pairing__tournament=tournament).exclude(status=Pair.Status.VOID)
    for number, pair in enumerate(live.order_by("number"), start=1):
        if pair.number != number or pair.status != Pair.Status.ACCEPTED or pair.score is None:
            break
        found.append(pair)
    return found


def counted_scores(tournament: Tournament) -> list[int]:
    """The half points of the pairs that count."""
    return [pair.score or 0 for pair in counted_pairs(tournament)]


def current_verdict(tournament: Tournament) -> Verdict:
    """Where a test stands by wins: the ratio, the estimate and the decision, if there is one."""
    return sprt.judge(counted_scores(tournament), hypotheses(tournament))


def standing(tournament: Tournament) -> SequentialStanding:
    """Where a test stands by all three measures."""
    asked, pairs = hypotheses(tournament), counted_pairs(tournament)
    scores = tuple(pair.score or 0 for pair in pairs)
    wins = sprt.judge(scores, asked)
    results, margins = without_luck(counted(pairs, [True] * len(pairs)))
    return SequentialStanding(
        wins,
        sequential.by_results(results, asked),
        sequential.by_margins(margins, asked),
        stop_by(tournament),
        scores,
        len(results),
    )


def without_luck(pairs: list[CountedPair]) -> tuple[list[float], list[float]]:
    """The results (score a game less a half) and margins a game without luck, in the order of the pairs.

    They end at the first pair whose luck is not measured: a later one must not have its say before it.
    """
    known = []
    for pair in pairs:
        if pair.luck is None:
            break
        known.append((pair, pair.luck))
    return (
        adjusted((pair.half_points / 4 - 0.5, luck[0]) for pair, luck in known),
        adjusted((pair.margin, luck[1]) for pair, luck in known),
    )
