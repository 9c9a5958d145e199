"""Pages that everybody sees: the list of bots and a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from arena.web.cache.pages import shared_page
from arena.web.variants import board_title
from bots import selectors
from bots.models import Bot, Language
from engine.boards import BOARDS

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

PER_PAGE = 30
VERSIONS_SHOWN = 20
AGE_SECONDS = 5
"""By so much may the page be late in saying how long ago an upload was."""


@shared_page()
@require_safe
def bot_list(request: HttpRequest) -> HttpResponse:
    """All bots, the strongest in ``?game=`` first, searched by ``?q=``.

    They are narrowed by ``?owner=``, ``?language=`` of the active version, and ``?playing=1``: in a game now.
    """
    query = request.GET.get("q", "").strip()[:100]
    owner = request.GET.get("owner", "").strip()[:150]
    board = request.GET.get("game", "")
    board = board if board in BOARDS else BOARDS[0]
    language = request.GET.get("language", "")
    language = language if language in Language.values else ""
    playing = request.GET.get("playing") == "1"
    bots = selectors.listed_bots(
        request.user, query=query, owner=owner, board=board, language=language, playing=playing
    )
    page = Paginator(bots, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "query": query,
        "owner": owner,
        "board": board,
        "board_title": board_title(board),
        "language": language,
        "languages": Language.choices,
        "playing": playing,
        "boards": [(one, board_title(one)) for one in BOARDS],
        "followed": selectors.followed_among(request.user, page.object_list),
    }
    return render(request, "bots/list.html", context)


@shared_page(seconds=AGE_SECONDS)
@require_safe
def bot_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One bot: what it is, its versions, and (a fragment of its own) how it has played."""
    bot = get_object_or_404(Bot.objects.select_related("owner", "active_version"), slug=slug)
    versions = Paginator(selectors.visible_versions(bot, request.user), VERSIONS_SHOWN)
    is_owner = bot.is_owned_by(request.user)
    newest = bot.versions.order_by("-number").first() if is_owner else None
    context = {
        "bot": bot,
        "page": versions.get_page(request.GET.get("page")),
        "is_owner": is_owner,
        "active": selectors.active_in_words(bot),
        "active_keys": {one.version_id for one in bot.active_rows},
        "benched": bot.versions.activated_last().filter(benched_at__isnull=False).first(),
        "newest": newest,
        "lost": selectors.lost_in_words(newest) if newest is not None and newest.is_checked else [],
        "followers": selectors.followers(bot),
        "followed": selectors.followed_among(request.user, [bot]),
    }
    return render(request, "bots/detail.html", context)
