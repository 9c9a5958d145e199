"""The page of the bots that one follows, with what these did lately: ratings, last games, the last news."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, cast

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena.notices.sending import newest_since
from arena.web import charts
from bots.follows import FOLLOWED_KINDS, follows_of
from bots.models import Bot
from tournaments.models import Game, Rating, RatingPoint, Seat
from tournaments.pages.games import game_rows as games
from tournaments.pages.ratings.rating_rows import MOST_POINTS, interval_words
from tournaments.ratings.leaderboards import BoardName
from tournaments.ratings.tallies import headline_ratings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from arena.notices.models import Notice
    from bots.models import Follow

PER_PAGE = 30
OWN_SHOWN, OWN_GAMES = 3, 4
"""Bots and games of their own that a visitor sees on the first page."""


LATELY: Final = timedelta(days=30)


GAMES_SHOWN: Final = 15


NEWS: Final = timedelta(days=7)
"""Older news is none for the home page."""


@dataclass(frozen=True, slots=True)
class FollowedBot:
    """A bot with its headline rating; `elo` is empty without one."""

    bot: Bot
    game: str = ""
    elo: str = ""
    interval: str = ""
    trend: str = ""
    change: str = ""
    """By how much the rating rose or fell within the trend, which begins at `since`."""
    since: datetime | None = None


def followed_bots(follows: Sequence[Follow]) -> list[FollowedBot]:
    """A line for each, in the same order. Two queries, however many there are."""
    return _lines([one.bot for one in follows])


@dataclass(frozen=True, slots=True)
class HomeBots:
    """What the bots of a visitor did lately."""

    lines: list[FollowedBot]
    games: list[games.GameRow]


def own_bots(viewer: Any) -> HomeBots | None:
    """The bots that a visitor owns and that play, those with the newest versions first; None without any."""
    if not viewer.is_authenticated:
        return None
    mine = Bot.objects.of(viewer).filter(withdrawn_at=None, active_version__isnull=False)
    found = list(mine.order_by("-active_version__created_at", "pk"))
    if not found:
        return None
    return HomeBots(_lines(found[:OWN_SHOWN]), last_games(found, OWN_GAMES))


def _lines(bots: Sequence[Bot]) -> list[FollowedBot]:
    most = headline_ratings(bots)
    shown = [rating.version_id for rating in most.values()]
    points = RatingPoint.objects.filter(version__in=shown).order_by("version", "variant", "at")
    told = points.values_list("version", "variant", "at", "elo")
    by_rating = groupby(told, key=lambda one: (one[0], one[1]))
    curves = {key: [(at, elo) for *_, at, elo in kept][-MOST_POINTS:] for key, kept in by_rating}
    return [_line(one, most.get(one.pk), curves) for one in bots]


def _line(
    bot: Bot, rating: Rating | None, curves: dict[tuple[int, str], list[tuple[datetime, float]]]
) -> FollowedBot:
    if rating is None:
        return FollowedBot(bot)
    curve = curves.get((rating.version_id, rating.variant), [])
    trend = charts.spark([elo for _, elo in curve])
    return FollowedBot(
        bot,
        BoardName.parse(rating.variant).title,
        f"{rating.elo:.0f}",
        interval_words(rating.low, rating.high) if rating.error else "",
        trend,
        f"{rating.elo - curve[0][1]:+z.0f}".replace("-", "−") if trend else "",
        curve[0][0] if trend else None,
    )


def last_games(bots: Sequence[Bot], most: int = GAMES_SHOWN) -> list[games.GameRow]:
    """The games of these bots that finished last, of the last month alone: nobody asks for the first ones."""
    theirs = Seat.objects.filter(version__bot__in=bots).values("game")
    finished = Game.objects.filter(status=Game.Status.FINISHED, finished_at__gt=timezone.now() - LATELY)
    if not bots:
        return []
    return games.rows(finished.filter(pk__in=theirs).order_by("-finished_at", "-pk")[:most])


def latest_news(viewer: Any) -> Notice | None:
    """The last thing that a visitor was told of a bot they follow, if it is news."""
    if not viewer.is_authenticated:
        return None
    return newest_since(viewer, FOLLOWED_KINDS.values(), timezone.now() - NEWS)


@login_required
@never_cache
@require_safe
def followed_page(request: HttpRequest) -> HttpResponse:
    """The bots that the user follows, with what they did lately."""
    page = Paginator(follows_of(cast("User", request.user)), PER_PAGE).get_page(request.GET.get("page"))
    follows = list(page.object_list)
    bots = [one.bot for one in follows]
    context = {
        "page": page,
        "rows": followed_bots(follows),
        "games": last_games(bots),
        "followed": frozenset(bot.pk for bot in bots),
        "followed_page": True,
    }
    return render(request, "bots/followed.html", context)
