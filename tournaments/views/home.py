"""The first page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.common.shared_pages import everybody, shared_page
from tournaments.models import Tournament
from tournaments.presenters import games, programme, ratings, tables
from tournaments.selectors.ladders import asleep

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

DEFAULT_VARIANT = "crapaud"


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the arena is, with the game most worth watching."""
    variant = next(iter(ratings.rated_variants()), DEFAULT_VARIANT)
    going = list(tables.listed(status=Tournament.Status.RUNNING).exclude(asleep())[:4])
    context = {
        "showing": next(iter(programme.tables(1)), None),
        "recent": games.recent(6),
        "variant": variant,
        "variant_title": games.variant_title(variant),
        "leaders": ratings.leaders(variant, 6),
        "tournaments": tables.rows(going),
    }
    return render(request, "home.html", context)
