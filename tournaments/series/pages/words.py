"""Points and rules of series in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from tournaments.series.models import Season

if TYPE_CHECKING:
    from collections.abc import Iterable


def points_words(points: float) -> str:
    """Points with at most two decimals, as the reader's language writes them: ``12``, ``7.5``."""
    return number_format(f"{points:.2f}".rstrip("0").rstrip("."))


def points_listed(points: Iterable[float]) -> str:
    """Points for the first places, in order."""
    return ", ".join(f"{one:g}" for one in points)


def rule_words(season: Season) -> list[str]:
    """How a season is scored: what places are worth, what counts, and how ties are broken."""
    if season.scheme == Season.Scheme.SHARE:
        worth = gettext(
            "Each event is worth up to 100 points: a bot gets its score as a percentage of the points it "
            "could have won."
        )
    else:
        words = gettext(
            "Points for the first places: %(points)s. Tied bots each get the average for their places."
        )
        worth = words % {"points": points_listed(season.points)}
    if season.best:
        count = ngettext(
            "Each bot’s best result counts.",
            "Each bot’s %(count)s best results count.",
            season.best,
        ) % {"count": season.best}
    else:
        count = gettext("All results count.")
    return [
        worth,
        count,
        gettext(
            "All versions of a bot share one line in the table. If several play in an event, only the best "
            "one scores."
        ),
        gettext(
            "Ties are broken by the number of first places, then second places and so on, in all events."
        ),
    ]
