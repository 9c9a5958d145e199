"""The seasons of ladders: the last one of each, the archive of one, its closed seasons, and closing one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from analysis.errors import CompetitionError
from arena.web.cache.pages import shared_page
from arena.web.i18n.phrases import person_link
from arena.web.variants import board_title
from tournaments.pages.events.exports import csv_text, plain
from tournaments.pages.ratings.rating_rows import interval_words
from tournaments.ratings.leaderboards import board_of
from tournaments.series.ladder_seasons import (
    close_ladder_season,
    find_ladder,
    ladder_places,
    ladder_seasons,
    ladder_winners,
    ladders,
    last_seasons,
    places_before,
)
from tournaments.series.pages.seasons import LINES, ArchivedSeason

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.http import HttpRequest

    from arena.accounts.models import User
    from tournaments.models import Tournament
    from tournaments.series.models import LadderPlace, LadderSeason

COLUMNS: Final = ("place", "bot", "version", "owner", "elo", "error", "low", "high", "games")


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A version's place with its rating and 95 % interval in words."""

    row: LadderPlace
    bot: str
    url: str
    owner: str
    interval: str
    before: int | None = None
    """The bot's best place in the season before."""

    @property
    def risen(self) -> int:
        """How many places it rose since then; negative if it fell."""
        return self.before - self.row.place if self.before else 0


def rank_lines(places: Iterable[LadderPlace], before: Mapping[int, int] | None = None) -> list[LadderLine]:
    """The lines of a ranking; `before` has the bots' places in the season before."""
    return [
        LadderLine(
            one,
            one.version.bot.name,
            one.version.bot.get_absolute_url(),
            person_link(one.version.bot.owner) if one.version.bot.owner else "",
            interval_words(one.low, one.high),
            (before or {}).get(one.version.bot_id),
        )
        for one in places
    ]


@dataclass(frozen=True, slots=True)
class ListedLadder:
    """A ladder with its season that was closed last, None if none was."""

    ladder: Tournament
    board: str
    season: LadderSeason | None
    winner: LadderPlace | None


def ladder_list() -> list[ListedLadder]:
    """Every ladder with the winner of its last season: three queries."""
    last = last_seasons()
    won = ladder_winners(last.values())
    return [
        ListedLadder(
            one,
            board_title(board_of(one)),
            last.get(one.pk),
            won.get(last[one.pk].pk) if one.pk in last else None,
        )
        for one in ladders()
    ]


def ladder_archive(seasons: Sequence[LadderSeason]) -> list[ArchivedSeason]:
    """The closed seasons of a ladder with their winners: one query."""
    won = ladder_winners(seasons)
    return [
        ArchivedSeason(one, [winner.version.bot], elo=winner.elo)
        if (winner := won.get(one.pk))
        else ArchivedSeason(one, [])
        for one in seasons
    ]


def _found(slug: str) -> Tournament:
    ladder = find_ladder(slug)
    if ladder is None:
        raise Http404(f"expected a ladder, got {slug!r}")
    return ladder


def _season(ladder: Tournament, number: int) -> LadderSeason:
    season = next((one for one in ladder_seasons(ladder) if one.number == number), None)
    if season is None:
        raise Http404(f"expected a closed season of {ladder.slug!r}, got {number}")
    return season


def _own_parts(request: HttpRequest, slug: str) -> dict[str, str] | None:
    """What staff may do; empty for others."""
    ladder = find_ladder(slug)
    if ladder is None or not request.user.is_staff:
        return {}
    seasons = ladder_seasons(ladder)
    coming = (seasons[0].number if seasons else 0) + 1
    context = {"base": "parts/bare.html", "ladder": ladder, "coming": coming}
    return {"manage": render_to_string("series/seasons.html", context, request)}


@shared_page(own=_own_parts)
@gzip_page
@require_safe
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """The closed seasons of a ladder with their winners."""
    ladder = _found(slug)
    seasons = ladder_seasons(ladder)
    context = {
        "ladder": ladder,
        "game": board_title(board_of(ladder)),
        "archive": ladder_archive(seasons),
        "coming": (seasons[0].number if seasons else 0) + 1,
        "closes": request.user.is_staff,
    }
    return render(request, "series/seasons.html", context)


@shared_page()
@gzip_page
@require_safe
def season(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The ranking of a ladder when a season was closed."""
    ladder = _found(slug)
    shown = _season(ladder, number)
    page = Paginator(ladder_places(shown), LINES).get_page(request.GET.get("page"))
    before = places_before(shown, [one.version.bot_id for one in page]) if shown.number > 1 else {}
    context = {
        "ladder": ladder,
        "game": board_title(board_of(ladder)),
        "season": shown,
        "page": page,
        "rows": rank_lines(page.object_list, before),
        "compared": shown.number > 1,
        "winner": ladder_winners([shown]).get(shown.pk),
    }
    return render(request, "series/ladder_season.html", context)


@shared_page()
@require_safe
def ranking_csv(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The same ranking for spreadsheets."""
    text = ladder_csv(ladder_places(_season(_found(slug), number)))
    return HttpResponse(text, content_type="text/csv; charset=utf-8")


@login_required
@require_POST
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the season of a ladder, by staff."""
    ladder, number = _found(slug), request.POST.get("season", "")
    known = int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else 0
    try:
        closed = close_ladder_season(ladder, cast("User", request.user), known)
    except CompetitionError as error:
        messages.error(request, str(error))
        return redirect("series:ladder", slug=ladder.slug)
    messages.success(request, gettext("The season is closed. Its ranking stays as it is now."))
    return redirect(closed)


def ladder_csv(places: Iterable[LadderPlace]) -> str:
    """The ranking of a ladder's season, a line a version."""
    rows: list[tuple[Any, ...]] = [COLUMNS]
    for one in places:
        bot = one.version.bot
        owner = "house" if bot.is_house else bot.owner.get_username() if bot.owner else ""
        ends = ["" if end is None else round(end, 1) for end in (one.low, one.high)]
        numbers = (round(one.elo, 1), round(one.error, 1), *ends, one.games)
        rows.append((one.place, plain(bot.name), one.version.number, plain(owner), *numbers))
    return csv_text(rows)
