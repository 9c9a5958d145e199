"""A sequential test as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.verdicts import sprt
from analysis.verdicts.sequential import MARGINS, RESULTS, WINS
from tournaments.models import Tournament
from tournaments.presenters import sentences
from tournaments.presenters.addresses import meeting_url
from tournaments.presenters.evidence import Evidence, chart
from tournaments.presenters.meetings import of_entries
from tournaments.selectors.sequential import hypotheses, standing

if TYPE_CHECKING:
    from analysis.standing import Standing
    from analysis.verdicts.sprt import Hypotheses, Verdict
    from arena.common.charts import Chart
    from tournaments.selectors.verdicts import Verdicts

WORDS = ("2 losses", "1 loss, 1 draw", "level", "1 win, 1 draw", "2 wins")
MEASURES = {WINS: "wins", RESULTS: "luck-adjusted wins", MARGINS: "luck-adjusted margins"}


@dataclass(frozen=True, slots=True)
class SequentialPage:
    """Where a test stands: a sentence, the evidence as a curve, what it decides between, pairs by worth."""

    verdict: Verdict
    sentence: str
    hypotheses: Hypotheses
    chart: Chart | None
    counts: list[tuple[str, int]]
    others: Verdicts
    stop_by: str
    promote: bool
    tested: str
    against: str
    url: str

    @property
    def measure(self) -> str:
        """The measure that may end the test, in words."""
        return MEASURES[self.stop_by]


def sequential_page(tournament: Tournament) -> SequentialPage | None:
    """The page of a sequential test; None for what has no two entrants."""
    entries = list(tournament.entries.select_related("version__bot").order_by("number"))
    if len(entries) != 2:
        return None
    asked, found = hypotheses(tournament), standing(tournament)
    verdict, scores = found.wins, found.scores
    counts = [scores[: verdict.pairs].count(value) for value in range(5)]
    tested, against = (str(entry.version) for entry in entries)
    wins = Evidence("Wins", sprt.curve(scores, asked), asked.lower, asked.upper)
    adjusted = [
        Evidence(name, one.ratios, one.lower, one.upper)
        for name, one in (("Wins, luck-adjusted", found.results), ("Margins, luck-adjusted", found.margins))
    ]
    return SequentialPage(
        verdict,
        sentence(tournament, found, tested, against),
        asked,
        chart([wins, *adjusted]),
        list(zip(WORDS, counts, strict=True)),
        of_entries(tournament, entries[0], entries[1]).verdicts,
        found.stop_by,
        bool(tournament.options.get("promote")),
        tested,
        against,
        meeting_url(tournament, entries[0], entries[1]),
    )


def sentence(tournament: Tournament, found: Standing, tested: str, against: str) -> str:
    """The verdict in one sentence."""
    if not found.pairs:
        return "No pair is finished yet."
    asked, decided = hypotheses(tournament), found.by[found.stop_by]
    by = "" if found.stop_by == WINS else f" by {MEASURES[found.stop_by]}"
    pairs = sentences.counted(found.decided_after, "pair")
    ends = f"{asked.elo0:+g} or {asked.elo1:+g} {asked.unit}"
    two = f"{tested} against {against}"
    if found.decision == "H1":
        return (
            f"Accepted after {pairs}{by}: {two} is {asked.elo1:+g} rather than {asked.elo0:+g} {asked.unit}."
        )
    if found.decision == "H0":
        return (
            f"Rejected after {pairs}{by}: {two} is {asked.elo0:+g} rather than {asked.elo1:+g} {asked.unit}."
        )
    if tournament.status in (Tournament.Status.FINISHED, Tournament.Status.CANCELLED):
        return f"Undecided: after {pairs}{by} it is still open whether {two} is {ends}."
    share = decided.llr / (decided.upper if decided.llr > 0 else decided.lower)
    side = "accepting" if decided.llr > 0 else "rejecting"
    so_far = f"{100 * min(share, 1):.0f} % of what is needed"
    return f"Open after {pairs}{by}: the evidence for {side} {tested} is {so_far}."
