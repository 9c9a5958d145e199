"""The first page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web.cache.pages import shared_page
from arena.web.variants import variant_title
from tournaments.pages.events import standings
from tournaments.pages.following import latest_news, own_bots
from tournaments.pages.games import game_rows as games
from tournaments.pages.games import programme
from tournaments.pages.ratings import rating_rows as ratings
from tournaments.ratings.leaderboards import rated_variants

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

DEFAULT_VARIANT = "crapaud"
TOURNAMENTS_SHOWN = 4
RECENT = 6
"""Games that finished last."""


def _own_parts(request: HttpRequest) -> dict[str, str]:
    """What the visitor's bots did, and those they follow; not where the page renews its panels alone."""
    if "HX-Request" in request.headers:
        return {"followed": "", "bots": ""}
    news, own = {"news": latest_news(request.user)}, {"own": own_bots(request.user)}
    return {
        "followed": render_to_string("bots/followed_line.html", news, request),
        "bots": render_to_string("tournaments/own_bots.html", own, request),
    }


@shared_page(seconds=1, own=_own_parts)
@gzip_page
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the arena is, with the game most worth watching."""
    variant = next(iter(rated_variants()), DEFAULT_VARIANT)
    going, rest = standings.going_on(TOURNAMENTS_SHOWN)
    showing = next(iter(programme.tables(1)), None)
    # How the game ends that the stage shows is told by the stage.
    recent = [row for row in games.recent(RECENT + 1) if showing is None or row.id != showing.row.id]
    context = {
        "showing": showing,
        "recent": recent[:RECENT],
        "variant": variant,
        "variant_title": variant_title(variant),
        "leaders": ratings.leaders(variant, 6),
        "tournaments": going,
        "rest": rest,
        "news": latest_news(request.user),
        "own": own_bots(request.user),
    }
    return render(request, "home.html", context)
