"""Bots that the caller follows."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Path, Router

from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.routes.tournaments import user_of
from arena.api.schemas.common import Slug
from arena.api.schemas.following import Following, FollowPage, follow_out
from bots import selectors, services
from bots.models import Bot, Scope

router = Router()
NEWEST = (Key("at", moment), Key("pk", number))


def _find(slug: str) -> Bot:
    found = Bot.objects.filter(slug=slug).first()
    if found is None:
        raise Http404(f"Expected a bot, got {slug!r}.")
    return found


@route(router, "GET", "followed/", FollowPage, needs=Scope.READ)
def list_followed_bots(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL) -> dict[str, Any]:
    """The bots that you follow, the last followed first."""
    rows, following = page(selectors.follows_of(user_of(request)), NEWEST, cursor, limit)
    return {"items": [follow_out(one) for one in rows], "next": following}


@route(router, "POST", "directory/{slug}/follow/", Following, needs=Scope.ACCOUNT, refuses=(410,))
def follow_bot(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Follow a bot of another user or of the house. Following it again changes nothing.

    You get notices of the kinds `released`, `entered` and `placed`.
    """
    bot = _find(slug)
    services.follow(user_of(request), bot)
    return {"bot": bot.slug, "following": True, "followers": selectors.followers(bot)}


@route(router, "DELETE", "directory/{slug}/follow/", Following, needs=Scope.ACCOUNT)
def unfollow_bot(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Stop following a bot."""
    bot = _find(slug)
    services.unfollow(user_of(request), bot)
    return {"bot": bot.slug, "following": False, "followers": selectors.followers(bot)}
