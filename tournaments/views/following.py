"""The page of the bots that one follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from bots.selectors import follows_of
from tournaments.presenters.following import followed_bots, last_games

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User

PER_PAGE = 30


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
