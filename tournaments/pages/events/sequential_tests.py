"""A sequential test as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf
from typing import TYPE_CHECKING, Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext, gettext_lazy, pgettext

from analysis.verdicts import sprt
from analysis.verdicts.difference import with_sign
from analysis.verdicts.sequential import MARGINS, RESULTS, UNLIKE, WINS, SequentialEvidence
from arena.web import charts
from arena.web.i18n.phrases import count_noun, decimal
from tournaments.models import Tournament
from tournaments.pages.events.meetings import meeting_url, of_entries
from tournaments.pairing.sequential_tests import hypotheses, standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.sequential_standing import SequentialStanding
    from analysis.verdicts.difference import Difference
    from analysis.verdicts.sprt import Hypotheses, Verdict
    from arena.web.charts import Chart
    from tournaments.ratings.verdicts import Verdicts

WORDS = (
    gettext_lazy("2 losses"),
    gettext_lazy("1 loss, 1 draw"),
    gettext_lazy("level"),
    gettext_lazy("1 win, 1 draw"),
    gettext_lazy("2 wins"),
)
MEASURES = {
    WINS: gettext_lazy("wins"),
    RESULTS: gettext_lazy("luck-adjusted wins"),
    MARGINS: gettext_lazy("luck-adjusted margins"),
}


@dataclass(frozen=True, slots=True)
class SequentialPage:
    """Where a test stands: a sentence, the evidence as a curve, what it decides between, pairs by worth."""

    verdict: Verdict
    by_wins: str
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
        return str(MEASURES[self.stop_by])


def by_wins(verdict: Verdict) -> str:
    """The difference in strength that the wins show; how the test ends is said above it."""
    superiority = decimal(100 * min(max(verdict.difference.superiority, 0.001), 0.999), 1)
    return gettext("%(difference)s, LOS %(los)s %%") % {
        "difference": difference_words(verdict.difference),
        "los": superiority,
    }


def difference_words(found: Difference) -> str:
    """How many Elo better one bot is, with the interval."""
    low, high = with_sign(found.low), with_sign(found.high)
    values = {"elo": with_sign(found.elo), "low": low, "high": high, "error": found.error}
    if not found.lopsided:
        return gettext("%(elo)s ± %(error)s Elo") % values
    if isinf(found.low) and isinf(found.high):
        return gettext("unknown")
    if isinf(found.high):
        return gettext("%(elo)s (above %(low)s) Elo") % values
    if isinf(found.low):
        return gettext("%(elo)s (below %(high)s) Elo") % values
    return gettext("%(elo)s (%(low)s to %(high)s) Elo") % values


def sequential_page(tournament: Tournament) -> SequentialPage | None:
    """The page of a sequential test; None for what has no two entrants."""
    entries = list(tournament.entries.select_related("version__bot").order_by("number"))
    if len(entries) != 2:
        return None
    asked, found = hypotheses(tournament), standing(tournament)
    verdict, scores = found.wins, found.scores
    counts = [scores[: verdict.pairs].count(value) for value in range(5)]
    tested, against = (str(entry.version) for entry in entries)
    wins = EvidenceChart(gettext("Wins"), sprt.curve(scores, asked), asked.lower, asked.upper)
    adjusted = [
        EvidenceChart(name, one.ratios, one.lower, one.upper)
        for name, one in (
            (gettext("Wins, luck-adjusted"), found.results),
            (gettext("Margins, luck-adjusted"), found.margins),
        )
    ]
    return SequentialPage(
        verdict,
        by_wins(verdict) if verdict.pairs else gettext("no pair yet"),
        sentence(tournament, found, tested, against),
        asked,
        chart([wins, *adjusted]),
        list(zip(map(str, WORDS), counts, strict=True)),
        of_entries(tournament, entries[0], entries[1]).verdicts,
        found.stop_by,
        bool(tournament.options.get("promote")),
        tested,
        against,
        meeting_url(tournament, entries[0], entries[1]),
    )


def sentence(tournament: Tournament, found: SequentialStanding, tested: str, against: str) -> str:
    """The verdict in one sentence."""
    if not found.pairs:
        return gettext("No pair is finished yet.")
    asked, decided = hypotheses(tournament), found.by[found.stop_by]
    after = count_noun(found.decided_after, "pair")
    if found.stop_by != WINS:
        after = gettext("%(pairs)s by %(measure)s") % {"pairs": after, "measure": MEASURES[found.stop_by]}
    values = {
        "after": after,
        "tested": tested,
        "against": against,
        "one": f"{asked.elo0 + 0:+g}",
        "other": f"{asked.elo1 + 0:+g}",
        "unit": asked.unit,
    }
    if found.decision == "H1":
        words = gettext(
            "Accepted after %(after)s: %(tested)s against %(against)s is %(other)s rather than %(one)s "
            "%(unit)s."
        )
    elif found.decision == "H0":
        words = gettext(
            "Rejected after %(after)s: %(tested)s against %(against)s is %(one)s rather than %(other)s "
            "%(unit)s."
        )
    elif tournament.status in (Tournament.Status.FINISHED, Tournament.Status.CANCELLED):
        words = gettext(
            "Undecided: after %(after)s it is still open whether %(tested)s against %(against)s is "
            "%(one)s or %(other)s %(unit)s."
        )
    else:
        return _open(decided, after, tested)
    if found.outdated:
        words += " " + gettext(
            "An older rule of the arena decided this. By today’s rule, these pairs are not enough evidence."
        )
    return words % values


def _open(decided: Verdict | SequentialEvidence, after: str, tested: str) -> str:
    """How near an undecided test is to either end."""
    if decided.early and isinstance(decided, SequentialEvidence):
        return gettext(
            "Open after %(after)s, of which %(unlike)s were uneven (one version did better): the evidence is "
            "strong, but the test decides nothing before %(first)s pairs, at least %(least)s of them uneven."
        ) % {"after": after, "unlike": decided.unlike, "first": decided.first, "least": UNLIKE}
    if decided.early:
        return gettext(
            "Open after %(after)s, of which %(unlike)s were uneven (one version did better): with fewer than "
            "%(many)s uneven pairs, the test asks for more evidence."
        ) % {"after": after, "unlike": decided.unlike, "many": sprt.MANY}
    share = decided.llr / (decided.upper if decided.llr > 0 else decided.lower)
    values = {"after": after, "tested": tested, "percent": f"{100 * min(share, 1):.0f}"}
    if decided.llr > 0:
        words = gettext(
            "Open after %(after)s: the evidence for accepting %(tested)s is %(percent)s %% of what is needed."
        )
    else:
        words = gettext(
            "Open after %(after)s: the evidence for rejecting %(tested)s is %(percent)s %% of what is needed."
        )
    return words % values


BEYOND: Final = 1.15
"""The curve is drawn up to this multiple of the bound."""
UP: Final = charts.Scale(-BEYOND, BEYOND)
KEYS: Final = ("first", "second", "third")


@dataclass(frozen=True, slots=True)
class EvidenceChart:
    """Log-likelihood ratios after each pair by one measure, and the bounds at which they decide."""

    name: str
    ratios: Sequence[float]
    lower: float
    upper: float

    def share(self, ratio: float) -> float:
        """A ratio as a share of the bound on its side: 1 is accepted, -1 rejected."""
        return ratio / self.upper if ratio > 0 else -ratio / self.lower


def chart(found: Sequence[EvidenceChart]) -> charts.Chart | None:
    """The chart of these measures; None before the second pair.

    Their bounds differ, so the height is the share of what decides.
    """
    drawn = [one for one in found if one.ratios]
    last = max((len(one.ratios) for one in drawn), default=0)
    if last < 2:
        return None
    across = charts.Scale(0, last)
    series = [_series(key, one) for key, one in zip(KEYS, drawn, strict=False)]
    up = [
        charts.Mark(100 - UP.at(1), pgettext("a bound of the evidence", "accept"), "bound"),
        charts.Mark(100 - UP.at(0), pgettext("a bound of the evidence", "even")),
        charts.Mark(100 - UP.at(-1), pgettext("a bound of the evidence", "reject"), "bound"),
    ]
    kept = charts.thin([charts.Point(pairs, 0) for pairs in range(1, last + 1)], charts.MOST_ROWS)
    return charts.Chart(
        gettext("Evidence after each pair, from rejected to accepted"),
        [charts.curve(one, across, UP) for one in series],
        charts.marks_across(across),
        up,
        [gettext("Pairs"), *(one.name for one in drawn)],
        [[intcomma(int(pair.x)), *(_ratio(one, int(pair.x)) for one in drawn)] for pair in kept],
        gettext("Across: pairs. The table has the log-likelihood ratios."),
    )


def _series(key: str, one: EvidenceChart) -> charts.Series:
    points = [charts.Point(0, 0)]
    for pairs, ratio in enumerate(one.ratios, start=1):
        share = one.share(ratio)
        words = gettext("%(measure)s after %(pairs)s: %(ratio)s, %(share)s of what is needed to reject")
        if share > 0:
            words = gettext("%(measure)s after %(pairs)s: %(ratio)s, %(share)s of what is needed to accept")
        values = {
            "measure": one.name,
            "pairs": count_noun(pairs, "pair"),
            "ratio": decimal(ratio, signed=True),
            "share": f"{abs(share):.0%}",
        }
        points.append(charts.Point(pairs, share, words % values))
    note = gettext("%(ratio)s (decides at %(lower)s or %(upper)s)") % {
        "ratio": decimal(one.ratios[-1]),
        "lower": decimal(one.lower),
        "upper": decimal(one.upper),
    }
    return charts.Series(key, one.name, points, note)


def _ratio(one: EvidenceChart, pairs: int) -> str:
    return decimal(one.ratios[pairs - 1]) if pairs <= len(one.ratios) else ""
