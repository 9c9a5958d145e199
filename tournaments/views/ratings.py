"""Pages of ratings, and the part of a bot's page that tells how it has played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

import engine
from bots.models import Bot
from tournaments.selectors.pages import games, ratings
from tournaments.views.home import DEFAULT_VARIANT

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

GAMES_SHOWN = 15


@gzip_page
@require_safe
def leaderboard(request: HttpRequest, variant: str = "") -> HttpResponse:
    """A page of everybody rated in a variant; without one, the first that has ratings."""
    rated = ratings.rated_variants()
    name = variant or next(iter(rated), DEFAULT_VARIANT)
    if name not in engine.VARIANTS:
        raise Http404(f"expected a variant, got {name!r}")
    shown = [known for key, known in engine.VARIANTS.items() if key in rated or key == name]
    board = ratings.board(name)
    page = Paginator(range(board.versions), ratings.ROWS).get_page(request.GET.get("page"))
    context = {
        "variant": engine.VARIANTS[name],
        "variants": shown,
        "rows": board.rows(max(page.start_index() - 1, 0)),
        "page": page,
    }
    return render(request, "leaderboard.html", context)


@gzip_page
@require_safe
def bot_panel(request: HttpRequest, slug: str) -> HttpResponse:
    """A bot's ratings, results by opponent and last games, as a part of its page."""
    bot = get_object_or_404(Bot, slug=slug)
    context = {
        "bot": bot,
        "ratings": ratings.of_bot(bot),
        "opponents": ratings.opponents(bot),
        "games": games.of_bot(bot, GAMES_SHOWN),
    }
    return render(request, "tournaments/bot_panel.html", context)
