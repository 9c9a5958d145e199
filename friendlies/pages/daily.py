"""The page of a day's deal, and its board."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from analysis.errors import InvalidFriendly
from arena.web.http.refusals import BAD_FORM
from arena.web.i18n.phrases import whole_day
from arena.web.variants import variant_title
from friendlies import daily as dailies
from friendlies.models import Daily, Friendly
from friendlies.pages.access import player_of, seat_person
from friendlies.pages.duplicates import Compared, compare_result, places
from friendlies.tables import new_games
from friendlies.tables.state import person_name, person_page

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet

    from friendlies.tables.people import Person

SHOWN = 500
BEFORE_SHOWN = 10
"""Lines of the last day's board while today's is empty."""
WEEKS: Final = 4
"""Weeks of the calendar, this one among them."""


@dataclass(frozen=True, slots=True)
class DailyBoard:
    """The results of a day's deal, best first; `playing` are those that began and have no result.

    `own` is the result of who looks if it has no place: a guest's.
    """

    rows: list[Compared]
    playing: int
    mine: Friendly | None
    own: Compared | None = None


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of the calendar: its deal, if there was one, and whether who looks has finished it."""

    day: date
    url: str = ""
    game: str = ""
    is_played: bool = False
    is_today: bool = False


def calendar(today: date, player: Person) -> list[list[CalendarDay]]:
    """The last weeks, each from Monday to Sunday; empty if no deal of theirs is over."""
    first = today - timedelta(days=today.weekday(), weeks=WEEKS - 1)
    deals = {one.day: one for one in Daily.objects.filter(day__gte=first, day__lte=today)}
    if not deals.keys() - {today}:
        return []
    played = player.games().filter(daily__in=deals.values(), status=Friendly.Status.FINISHED)
    mine = set(played.values_list("daily", flat=True))

    def told(day: date) -> CalendarDay:
        deal = deals.get(day)
        if deal is None:
            return CalendarDay(day, is_today=day == today)
        game = variant_title(deal.variant)
        return CalendarDay(day, deal.get_absolute_url(), game, deal.pk in mine, day == today)

    return [[told(first + timedelta(days=7 * week + one)) for one in range(7)] for week in range(WEEKS)]


def board(daily: Daily, player: Person) -> DailyBoard:
    """Return the board of a deal for a person: accounts' results by margin, games given up below all others.

    A link leads to a game only for its player while others may still play the deal.
    """
    games = Friendly.objects.filter(daily=daily, owner__isnull=False, unranked=False)
    done = games.filter(status=Friendly.Status.FINISHED, finished_at__lt=daily.ends_at)
    mine = player.games().filter(daily=daily).select_related("owner", "version__bot", "daily").first()
    place = _places(done, daily.variant)
    shown = [key for key in place if place[key] <= SHOWN][:SHOWN]
    if mine is not None and mine.pk in place and mine.pk not in shown:
        shown.append(mine.pk)
    found = done.select_related("owner", "version__bot", "daily").defer("events", "start").in_bulk(shown)
    rows = [replace(_row(found[key], mine), place=place[key]) for key in shown if key in found]
    has_result = mine is not None and mine.is_over and mine.pk not in place
    own = _row(mine, mine) if mine is not None and has_result else None
    return DailyBoard(rows, games.count() - done.count(), mine, own)


def _places(done: QuerySet[Friendly], variant: str) -> dict[UUID, int]:
    """The places of all results, best first; equal ones share a place."""
    # Every result takes part, however many there are; only those shown are read whole.
    told = done.order_by("finished_at", "pk").values_list("pk", "result", "seat")
    ranked = sorted(
        ((one.gave_up, -one.margin), key)
        for key, one in ((key, compare_result(result or {}, seat, variant, "")) for key, result, seat in told)
    )
    return dict(zip((key for _, key in ranked), places(rank for rank, _ in ranked), strict=True))


def _row(game: Friendly, mine: Friendly | None) -> Compared:
    you = mine is not None and game.pk == mine.pk
    url = game.get_absolute_url() if you or not game.is_secret else ""
    told = compare_result(game.result or {}, game.seat, game.variant, url)
    return replace(
        told, who=person_name(game), page=person_page(game), opponent=game.version.bot.name, you=you
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def daily(request: HttpRequest, day: date | None = None) -> HttpResponse:
    """The deal of a day with its board; POST sits down to it, or goes on with it."""
    today = dailies.today()
    found = dailies.daily_of(day or today)
    if day is not None and (found is None or not found.has_begun):
        raise Http404("expected a day with a deal")
    player = player_of(request)
    new_games.adopt(player)
    problem = ""
    if request.method == "POST" and found is not None:
        try:
            return redirect(new_games.start_daily(seat_person(request), found))
        except InvalidFriendly as error:
            problem = str(error)
    tomorrow = dailies.daily_of(today + timedelta(days=1))
    shown = board(found, player) if found else None
    earlier = None
    if found:
        earlier = Daily.objects.filter(day__lt=found.day).select_related("version__bot").first()
    instead = earlier if earlier and found and found.day == today and shown and not shown.rows else None
    context = {
        "daily": found,
        "title": gettext("The daily deal")
        if found is None or found.day == today
        else gettext("The deal of %(day)s") % {"day": whole_day(found.day)},
        "is_today": found is not None and found.day == today,
        "variant": variant_title(found.variant) if found else "",
        "board": shown,
        "problem": problem,
        "tomorrow": tomorrow,
        "tomorrow_variant": variant_title(tomorrow.variant) if tomorrow else "",
        "earlier": earlier,
        "before": board(instead, player).rows[:BEFORE_SHOWN] if instead else [],
        "calendar": calendar(today, player) if found else [],
        "before_variant": variant_title(instead.variant) if instead else "",
    }
    return render(request, "play/daily.html", context, status=BAD_FORM if problem else 200)
