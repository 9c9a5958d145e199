"""The first page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.common.shared_pages import everybody, shared_page
from arena.common.variants import variant_title
from tournaments.presenters import games, programme, ratings, tables

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

DEFAULT_VARIANT = "crapaud"
TOURNAMENTS_SHOWN = 4


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the arena is, with the game most worth watching."""
    variant = next(iter(ratings.rated_variants()), DEFAULT_VARIANT)
    going, more, idle = tables.going_on(TOURNAMENTS_SHOWN)
    context = {
        "showing": next(iter(programme.tables(1)), None),
        "recent": games.recent(6),
        "variant": variant,
        "variant_title": variant_title(variant),
        "leaders": ratings.leaders(variant, 6),
        "tournaments": going,
        "more_ladders": more,
        "idle": idle,
    }
    return render(request, "home.html", context)
