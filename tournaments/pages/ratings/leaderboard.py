"""Pages of ratings, and the part of a bot's page that tells how it has played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.paginator import Paginator
from django.db.models import Case, When
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web.cache.pages import everybody, shared_page
from arena.web.cache.values import shared_rows
from arena.web.variants import FRONT_BOARDS, OPEN
from bots.models import Bot
from bots.remote.connections import online_bots
from engine.boards import BOARDS
from tournaments.models import Tournament
from tournaments.pages.games import game_rows as games
from tournaments.pages.home import DEFAULT_VARIANT
from tournaments.pages.ratings import rating_rows as ratings
from tournaments.pages.ratings.bot_profiles import profile
from tournaments.ratings.leaderboards import BoardName, asleep, rated_boards, running_ladders
from tournaments.ratings.leaderboards import board as board_of_name
from tournaments.ratings.tallies import opponents

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

GAMES_SHOWN = 15
RATINGS_SHOWN = 2
"""Of a bot; more are folded."""
MOST_ONLINE = 50


@shared_page(among=everybody)
@gzip_page
@require_safe
def leaderboard(request: HttpRequest, variant: str = "", players: int = 2) -> HttpResponse:
    """A page of all bots in play that are rated in a variant and number of seats; ``?all=1``: of all time.

    Without a variant, the first that has ratings.
    """
    rated = rated_boards()
    name = BoardName(variant, players) if variant else next(iter(rated), BoardName(DEFAULT_VARIANT))
    if not name.exists:
        raise Http404(f"expected a variant with its number of seats, got {str(name)!r}")
    return render(request, "leaderboard.html", _context(request, name))


@shared_page(among=everybody)
@gzip_page
@require_safe
def open_board(request: HttpRequest, variant: str, players: int = 2) -> HttpResponse:
    """The page of an open board, which is there once a remote bot that plays it was online."""
    name = BoardName(variant, players, is_open=True)
    ladder = _open_boards().get(name)
    if ladder is None:
        raise Http404(f"expected an open board, got {str(name)!r}")
    here = online_bots().filter(active_versions__board=str(name).removeprefix(OPEN))
    context = _context(request, name) | {"online": list(here[:MOST_ONLINE]), "is_paused": not _plays(ladder)}
    return render(request, "leaderboard.html", context)


def _context(request: HttpRequest, name: BoardName) -> dict[str, Any]:
    """What a leaderboard's page shows."""
    rated = rated_boards()
    open_ones = _open_boards()
    ladders = {BoardName(one.variant, one.players): one for one in _ladders()}
    known = {*rated, *ladders, *(() if name.is_open else (name,))}
    ladders |= open_ones
    every = [BoardName.parse(one) for one in BOARDS]
    all_time = request.GET.get("all") == "1"
    board = board_of_name(str(name), all_time=all_time)
    page = Paginator(range(board.versions), ratings.ROWS).get_page(request.GET.get("page"))
    ladder = ladders.get(name)
    front = {name, *map(BoardName.parse, FRONT_BOARDS)}
    return {
        "board": name,
        "open_boards": [one for one, ladder in open_ones.items() if one == name or _plays(ladder)],
        "boards": [one for one in every if one in known & front],
        "more_boards": [one for one in every if one in known - front],
        "rows": ratings.with_trends(str(name), ratings.rows(board, max(page.start_index() - 1, 0))),
        "page": page,
        "all_time": all_time,
        "gone": board.gone,
        "ladder": ladder,
        "idle": ladder is not None and ladder.idle,  # type: ignore[attr-defined]  # annotated
    }


def _open_boards() -> dict[BoardName, Tournament]:
    """The open boards there are, in the order of the boards, with their ladders."""
    found = {BoardName(one.variant, one.players, is_open=True): one for one in _open_ladders()}
    named = [BoardName.parse(OPEN + one) for one in BOARDS]
    return {name: found[name] for name in named if name in found}


def _plays(ladder: Tournament) -> bool:
    """Whether games are made on an open board while somebody is online."""
    return settings.REMOTE and ladder.status == Tournament.Status.RUNNING


@shared_rows
def _open_ladders() -> list[Tournament]:
    """The ladders of open boards, also of those that are paused, with whether they are idle."""
    idle = Case(When(asleep(), then=True), default=False)
    found = Tournament.objects.filter(format=Tournament.Format.LADDER, admits_remote=True)
    return list(found.annotate(idle=idle).only("variant", "players", "slug", "name", "status"))


@shared_rows
def _ladders() -> list[Tournament]:
    """The running ladders, oldest first, with whether they are idle."""
    idle = Case(When(asleep(), then=True), default=False)
    found = running_ladders().annotate(idle=idle).order_by("created_at", "pk")
    return list(found.only("variant", "players", "slug", "name"))


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def bot_panel(request: HttpRequest, slug: str) -> HttpResponse:
    """A bot's ratings, results by opponent and last games, as a part of its page."""
    bot = get_object_or_404(Bot, slug=slug)
    shown = profile(bot)
    # The game of the headline comes first, and the page folds what is beyond.
    front = shown.strengths[0].board if shown.strengths else None
    found = sorted(ratings.of_bot(bot), key=lambda one: one[0] != front)
    met = sorted(opponents(bot), key=lambda one: front is None or one.name != front.variant)
    context = {
        "bot": bot,
        "ratings": [rows for rows in (found[:RATINGS_SHOWN], found[RATINGS_SHOWN:]) if rows],
        "held": any(endings for *_, endings in found),
        "profile": shown,
        "charts": ratings.histories(bot),
        "opponents": met,
        "games": games.of_bot(bot, GAMES_SHOWN),
    }
    return render(request, "tournaments/bot_panel.html", context)
