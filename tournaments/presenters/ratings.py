"""Ratings as tables with their intervals, and how a bot fares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import CharField, Count, F, Max, Min, Q, Sum
from django.db.models.functions import Coalesce, Greatest, Least
from django.urls import reverse
from django.utils.translation import gettext

from arena.web.cache.values import shared_rows, shared_value
from arena.web.i18n.phrases import decimal
from arena.web.people import people_links
from arena.web.prepared_sql import Given
from arena.web.variants import board_title, variant_title
from bots.selectors import co_owners
from engine.boards import BOARDS, board_name
from tournaments.models import Pairing, Rating
from tournaments.selectors import endings
from tournaments.selectors.page_queries import worded
from tournaments.selectors.twins import shadowed

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from bots.models import Bot
    from tournaments.selectors.endings import HeldEndings

WIDTH = 200.0
MOST_SHOWN = 400.0
"""Elo: a first interval may be wider than all that is known later, and would flatten the drawing."""
ROWS = 50
"""Lines of a leaderboard on one page."""


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
    `shadowed` ones, near-twins of the same owner's; `gone` counts them.
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
    hidden = shadowed(variant)
    found = _ends(hidden, all_time=all_time).first(variant=variant)
    count, least, most, gone = found or (0, None, None, 0)
    return Board(variant, count, least or 0.0, most or 0.0, gone, all_time, hidden)


@worded
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


@worded
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


@worded
def _boards() -> QuerySet[Rating, str]:
    return Rating.objects.filter(games__gt=0).order_by().values_list("variant", flat=True).distinct()


def rated_variants() -> list[str]:
    """Variants in which anything is rated between two, in the engine's order."""
    return [name.variant for name in rated_boards() if name.players == 2]


def of_bot(bot: Bot) -> list[tuple[BoardName, Rating, HeldEndings | None]]:
    """The ratings of a bot's versions with their boards, newest version first, and the endings they held."""
    found = Rating.objects.filter(version__bot=bot, games__gt=0).select_related("version")
    held = endings.held(version__bot=bot)
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
