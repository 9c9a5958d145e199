"""A sequential test as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.verdicts.sprt import Hypotheses, Verdict, judge
from tournaments.models import Pair
from tournaments.selectors.pages.addresses import meeting_url
from tournaments.selectors.sequential import counted_scores, hypotheses
from tournaments.selectors.verdicts import Verdicts, counted
from tournaments.selectors.verdicts import judge as judge_pairs

if TYPE_CHECKING:
    from tournaments.models import Tournament

WORDS = ("2 losses", "1 loss, 1 draw", "level", "1 win, 1 draw", "2 wins")
NEWEST = 2_000


@dataclass(frozen=True, slots=True)
class SequentialPage:
    """Where a test stands: the verdict, what it decides between, pairs by what they were worth.

    `at` is where the log-likelihood ratio stands between the bounds, in percent.
    """

    verdict: Verdict
    hypotheses: Hypotheses
    counts: list[tuple[str, int]]
    at: int
    others: Verdicts
    promote: bool
    tested: str
    against: str
    url: str


def sequential_page(tournament: Tournament) -> SequentialPage | None:
    """The page of a sequential test; None for what has no two entrants."""
    entries = list(tournament.entries.select_related("version__bot").order_by("number"))
    if len(entries) != 2:
        return None
    tested = hypotheses(tournament)
    scores = counted_scores(tournament)
    verdict = judge(scores, tested)
    counts = [scores[: verdict.pairs].count(value) for value in range(5)]
    share = (verdict.llr - verdict.lower) / (verdict.upper - verdict.lower)
    pairs = list(
        Pair.objects.filter(pairing__tournament=tournament, status=Pair.Status.ACCEPTED).order_by("-pk")[
            :NEWEST
        ]
    )
    return SequentialPage(
        verdict,
        tested,
        list(zip(WORDS, counts, strict=True)),
        round(100 * min(1.0, max(0.0, share))),
        judge_pairs(counted(pairs, [True] * len(pairs))),
        bool(tournament.options.get("promote")),
        str(entries[0].version),
        str(entries[1].version),
        meeting_url(tournament, entries[0], entries[1]),
    )
