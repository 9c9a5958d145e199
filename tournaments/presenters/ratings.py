"""Ratings as tables with their intervals, how they went, and how a bot fares."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import BigAutoField, CharField, Count, F, Max, Min, Q, Sum
from django.db.models.functions import Coalesce, Greatest, Least
from django.urls import reverse
from django.utils.translation import gettext

from analysis.intervals import Z95
from arena.web import charts
from arena.web.cache.values import shared_rows, shared_value
from arena.web.i18n.phrases import day_and_time, day_year_and_time, decimal, people_links
from arena.web.prepared_sql import Given, some, values_of
from arena.web.variants import board_title, variant_title
from bots.selectors import active_on, co_owners
from engine.boards import BOARDS, board_name
from tournaments.models import Pairing, Rating, RatingPoint
from tournaments.models.embargo import prepare_query
from tournaments.selectors import held_endings
from tournaments.selectors.twins import shadowed_versions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from django.db.models import QuerySet

    from bots.models import Bot
    from tournaments.selectors.held_endings import HeldEndings

WIDTH = 200.0
MOST_SHOWN = 400.0
"""Elo: a first interval may be wider than all that is known later, and would flatten the drawing."""
ROWS = 50
"""Lines of a leaderboard on one page."""
MOST_POINTS = 12
"""Points of a small curve."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A version's rating; `low`, `middle` and `high` are places on a line of 200 units for drawing."""

    rating: Rating
    place: int
    bot: str
    slug: str
    version: int
    owner: str
    url: str
    interval: str
    low: float
    middle: float
    high: float
    score: float
    trend: str = ""
    """The points of a small curve of its last ratings; empty before the second."""

    @property
    def superiority(self) -> str:
        """The likelihood of being stronger than the next on the list, in percent; never quite 0 or 100."""
        percent = 100 * (self.rating.superiority or 0.0)
        if percent > 99.9:
            return f"> {decimal(99.9, 1)}"
        return decimal(percent, 1) if percent > 99 else f"{percent:.0f}"


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """Single games of a bot against another in one variant."""

    bot: str
    url: str
    name: str
    variant: str
    wins: int
    draws: int
    losses: int
    rate: float


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard of which parts are shown; every part is drawn on the scale of the whole.

    Versions of bots that are withdrawn, or whose owner left, are on the `all_time` board only, and so are the
    `shadowed_versions` ones, near-twins of the same owner's; `gone` counts them.
    """

    variant: str
    versions: int
    least: float
    most: float
    gone: int = 0
    all_time: bool = False
    shadowed: frozenset[int] = frozenset()

    def rows(self, start: int = 0, count: int = ROWS) -> list[RatingRow]:
        """Rows `start` (from 0) and so many after it, best first, in two queries."""
        span = max(self.most - self.least, 1.0)
        # One more than are shown: what the last is compared with.
        found = _best(None if self.all_time else self.shadowed, start, count + 1).rows(variant=self.variant)
        rows = [_row(rating, place, self.least, span) for place, rating in enumerate(found, start=start + 1)]
        if self.gone and not self.all_time:
            self._forget_superiority_over_hidden(rows)
        return rows[:count]

    def _forget_superiority_over_hidden(self, rows: list[RatingRow]) -> None:
        """Leave out the superiority over the next in strength where that is not the next on this board."""
        hidden = [_order(one) for one in _rated(self.variant).exclude(in_play(self.shadowed))]
        for row, following in zip(rows, [*rows[1:], None], strict=True):
            if any(
                _order(row.rating) <= one and (not following or one <= _order(following.rating))
                for one in hidden
            ):
                row.rating.superiority = None


@shared_value
def leaders(variant: str, count: int) -> tuple[RatingRow, ...]:
    """The first rows of a leaderboard."""
    return tuple(board(variant).rows(count=count))


def board(variant: str, *, all_time: bool = False) -> Board:
    """The leaderboard of a variant, or a board's name: its size and scale."""
    hidden = shadowed_versions(variant)
    found = _ends(hidden, all_time=all_time).first(variant=variant)
    count, least, most, gone = found or (0, None, None, 0)
    return Board(variant, count, least or 0.0, most or 0.0, gone, all_time, hidden)


@prepare_query
def _ends(hidden: frozenset[int], *, all_time: bool) -> QuerySet[Rating, tuple[Any, ...]]:
    """How many ratings a board shows, its scale, and how many it leaves out; nothing without any rating."""
    shown = Q() if all_time else in_play(hidden)
    rated = Rating.objects.filter(variant=Given("variant", CharField()), games__gt=0)
    return (
        rated.order_by()
        .values("variant")
        .annotate(
            count=Count("pk", filter=shown),
            least=Min(Greatest(Coalesce("low", F("elo") - MOST_SHOWN), F("elo") - MOST_SHOWN), filter=shown),
            most=Max(Least(Coalesce("high", F("elo") + MOST_SHOWN), F("elo") + MOST_SHOWN), filter=shown),
            gone=Count("pk", filter=~in_play(hidden)),
        )
        .values_list("count", "least", "most", "gone")
    )


@prepare_query
def _best(hidden: frozenset[int] | None, start: int, count: int) -> QuerySet[Rating]:
    """Ratings of a board from a place on, the best first; all of them where no versions are `hidden`."""
    rated = Rating.objects.filter(variant=Given("variant", CharField()), games__gt=0)
    found = rated.filter(Q() if hidden is None else in_play(hidden))
    found = found.select_related("version__bot__owner").prefetch_related(co_owners("version__bot__"))
    found = found.order_by("provisional", "-elo", "version")
    return found[start : start + count]


def in_play(hidden: Collection[int]) -> Q:
    """Of ratings: those of bots that can still be met, one of each owner's near-twins."""
    return Q(version__bot__withdrawn_at=None) & ~Q(version__in=hidden)


def interval_words(low: float | None, high: float | None) -> str:
    """An interval for people: "1480 to 1560", "above 1700", "below 900"."""
    if low is None and high is None:
        return gettext("unknown")
    if high is None:
        return gettext("above %(low)s") % {"low": f"{low:.0f}"}
    if low is None:
        return gettext("below %(high)s") % {"high": f"{high:.0f}"}
    return gettext("%(low)s to %(high)s") % {"low": f"{low:.0f}", "high": f"{high:.0f}"}


def _rated(variant: str) -> QuerySet[Rating]:
    return Rating.objects.filter(variant=variant, games__gt=0)


def _order(rating: Rating) -> tuple[bool, float]:
    """What a board is ordered by."""
    return rating.provisional, -rating.elo


def _row(rating: Rating, place: int, least: float, span: float) -> RatingRow:
    low = max(rating.elo - MOST_SHOWN, -math.inf if rating.low is None else rating.low)
    high = min(rating.elo + MOST_SHOWN, math.inf if rating.high is None else rating.high)

    def at(elo: float) -> float:
        return round(6 + (elo - least) / span * (WIDTH - 12), 1)

    bot = rating.version.bot
    return RatingRow(
        rating=rating,
        place=place,
        bot=bot.name,
        slug=bot.slug,
        version=rating.version.number,
        owner=people_links(bot.team),
        url=bot.get_absolute_url(),
        interval=interval_words(rating.low, rating.high),
        low=at(low),
        middle=at(rating.elo),
        high=at(high),
        score=(rating.wins + rating.draws / 2) / rating.games if rating.games else 0,
    )


@dataclass(frozen=True, slots=True)
class BoardName:
    """Which leaderboard: those of three and four seats are kept apart as ``crapette/3``, ``crapette/4``."""

    variant: str
    players: int = 2

    @classmethod
    def parse(cls, text: str) -> BoardName:
        """A board by the name that its ratings carry."""
        variant, _, players = text.partition("/")
        return cls(variant, int(players) if players else 2)

    def __str__(self) -> str:
        return board_name(self.variant, self.players)

    @property
    def exists(self) -> bool:
        """Whether this engine plays it."""
        return str(self) in BOARDS

    @property
    def title(self) -> str:
        """The variant's title, with the number of seats if it is not two."""
        return board_title(str(self))

    @property
    def url(self) -> str:
        """The board's page."""
        words: tuple[str | int, ...] = (self.variant,) if self.players == 2 else (self.variant, self.players)
        return reverse("leaderboard", args=words)


@shared_rows
def rated_boards() -> tuple[BoardName, ...]:
    """Boards on which anything is rated, in the engine's order."""
    rated = set(_boards().rows())
    return tuple(BoardName.parse(name) for name in BOARDS if name in rated)


@prepare_query
def _boards() -> QuerySet[Rating, str]:
    return Rating.objects.filter(games__gt=0).order_by().values_list("variant", flat=True).distinct()


def rated_variants() -> list[str]:
    """Variants in which anything is rated between two, in the engine's order."""
    return [name.variant for name in rated_boards() if name.players == 2]


def of_bot(bot: Bot) -> list[tuple[BoardName, Rating, HeldEndings | None]]:
    """The ratings of a bot's versions with their boards, newest version first, and the endings they held."""
    found = Rating.objects.filter(version__bot=bot, games__gt=0).select_related("version")
    held = held_endings.count_held(version__bot=bot)
    return [
        (BoardName.parse(rating.variant), rating, held.get((rating.version_id, rating.variant)))
        for rating in found.order_by("variant", "-version__number")
    ]


def opponents(bot: Bot) -> list[OpponentRow]:
    """A bot's results by opponent and variant, in two-seat tournaments."""
    total: dict[tuple[str, str, str], list[int]] = {}
    for side, other in (("first", "second"), ("second", "first")):
        sums = (
            Pairing.objects.filter(Q(**{f"{side}__version__bot": bot}), pairs_done__gt=0)
            .exclude(**{f"{other}__version__bot": bot})
            .filter(**{f"{other}__isnull": False})
            .values(
                variant=F("tournament__variant"),
                name=F(f"{other}__version__bot__name"),
                slug=F(f"{other}__version__bot__slug"),
            )
            .annotate(won=Sum("wins"), drawn=Sum("draws"), lost=Sum("losses"))
            .order_by()
        )
        for one in sums:
            counts = total.setdefault((one["variant"], one["name"], one["slug"]), [0, 0, 0])
            won, lost = (one["won"], one["lost"]) if side == "first" else (one["lost"], one["won"])
            for index, value in enumerate((won, one["drawn"], lost)):
                counts[index] += value
    return [_opponent(key, counts) for key, counts in sorted(total.items())]


def _opponent(key: tuple[str, str, str], counts: list[int]) -> OpponentRow:
    variant, name, slug = key
    wins, draws, losses = counts
    games = sum(counts)
    rate = (wins + draws / 2) / games if games else 0.5
    return OpponentRow(name, slug, variant, variant_title(variant), wins, draws, losses, rate)


def histories(bot: Bot) -> list[charts.Chart]:
    """How a bot's rating went, a chart a board, most played first; lines follow its versions. One query."""
    found: dict[str, list[RatingPoint]] = {}
    for point in RatingPoint.objects.filter(version__bot=bot).select_related("version").order_by("at"):
        found.setdefault(point.variant, []).append(point)
    active = {board: version.pk for board, version in active_on(bot).items()}
    drawn = {board: _of_newest(points, active.get(board)) for board, points in found.items()}
    return [
        _chart(variant, points)
        for variant, points in sorted(drawn.items(), key=lambda one: -one[1][-1].games)
        if len(points) > 1 and any(point.error for point in points)  # the anchor stands still
    ]


def with_trends(board: str, rows: Sequence[RatingRow]) -> list[RatingRow]:
    """The rows of a board with the curves of their last ratings. One query."""
    versions = [row.rating.version_id for row in rows]
    points = _points(len(versions)).rows(board=board, **values_of(versions)) if versions else []
    by_version = groupby(points, key=lambda one: one[0])
    found = {key: charts.spark([elo for _, elo in kept][-MOST_POINTS:]) for key, kept in by_version}
    return [replace(row, trend=found.get(row.rating.version_id, "")) for row in rows]


@prepare_query
def _points(count: int) -> QuerySet[RatingPoint, tuple[int, float]]:
    """The curves of so many versions on a board."""
    here = RatingPoint.objects.filter(variant=Given("board", CharField()))
    points = here.filter(version__pk__in=some(count, BigAutoField())).order_by("version", "at")
    return points.values_list("version", "elo")


def _of_newest(points: list[RatingPoint], active: int | None) -> list[RatingPoint]:
    """The points of the version that plays and of the newest one at each time: another old version that is
    still rated is not the bot any more."""
    newest, kept = 0, []
    for point in points:
        if point.version.number >= newest or point.version_id == active:
            newest = max(newest, point.version.number)
            kept.append(point)
    return kept


def _chart(board: str, found: list[RatingPoint]) -> charts.Chart:
    start, end = found[0].at, found[-1].at
    points = []
    for one in found:
        # A first interval may be wider than all that is known later, and would flatten the drawing.
        half = min(Z95 * one.error, MOST_SHOWN)
        words = gettext("%(when)s: %(elo)s ± %(half)s, version %(version)s, %(games)s games") % {
            "when": day_and_time(one.at),
            "elo": f"{one.elo:.0f}",
            "half": f"{Z95 * one.error:.0f}",
            "version": one.version.number,
            "games": intcomma(one.games),
        }
        seconds = (one.at - start).total_seconds()
        points.append(charts.Point(seconds, one.elo, words, one.elo - half, one.elo + half))
    across = charts.Scale(0, max((end - start).total_seconds(), 1.0))
    up = charts.around([value for one in points for value in (one.low or 0.0, one.high or 0.0)])
    numbers = [one.version.number for one in found]
    changes = [
        charts.Mark(across.at(point.x), f"v{number}", "change")
        for point, number, before in zip(points, numbers, [None, *numbers], strict=False)
        if before is not None and number != before
    ]
    shown = charts.thin(points, charts.MOST_ROWS)
    of_point = dict(zip(points, found, strict=True))
    # xgettext:no-python-format
    band = gettext("with its 95 % interval")
    return charts.Chart(
        gettext("Rating in %(game)s") % {"game": BoardName.parse(board).title},
        [charts.curve(charts.Series("first", gettext("Elo"), points, band), across, up)],
        charts.time_marks(start, end),
        charts.marks_up(up),
        [
            gettext("When (UTC)"),
            gettext("Elo"),
            # xgettext:no-python-format
            gettext("95 % interval"),
            gettext("Version"),
            gettext("Games"),
        ],
        [_row_of_point(of_point[point]) for point in shown],
        gettext("Across: time (UTC)"),
        changes,
    )


def _row_of_point(point: RatingPoint) -> list[str]:
    half = Z95 * point.error
    return [
        day_year_and_time(point.at),
        f"{point.elo:.0f}",
        interval_words(point.elo - half, point.elo + half),
        f"v{point.version.number}",
        intcomma(point.games),
    ]
