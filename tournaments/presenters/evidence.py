"""The evidence of a sequential test as a chart: how near each measure is to what decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext, pgettext

from arena.web import charts
from arena.web.i18n.phrases import count_noun, decimal

if TYPE_CHECKING:
    from collections.abc import Sequence

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
