"""Bots that the caller follows: what is answered, and the routes."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest
from ninja import Path, Router
from pydantic import Field

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.schemas.common import Schema, Slug
from bots import follows
from bots.follows import count_followers, follows_of
from bots.models import Bot, Scope

if TYPE_CHECKING:
    from bots.models import Follow


router = Router()
NEWEST = (Key("at", moment), Key("pk", number))


class FollowOut(Schema):
    """A bot that you follow."""

    bot: Slug = Field(description="The bot's slug, as in URLs.", examples=["planner"])
    name: str
    active_version: int | None = Field(description="The version that plays on most boards.")
    withdrawn: bool
    since: datetime = Field(description="When you began to follow it.")


class FollowPage(Schema):
    """Bots that you follow, the last followed first."""

    items: list[FollowOut]
    next: str | None


class Following(Schema):
    """Whether you follow a bot, and how many people do."""

    bot: Slug = Field(examples=["planner"])
    following: bool
    followers: int


def follow_out(one: Follow) -> dict[str, Any]:
    """A bot that its reader follows."""
    bot = one.bot
    return {
        "bot": bot.slug,
        "name": bot.name,
        "active_version": bot.active_version.number if bot.active_version else None,
        "withdrawn": bot.is_withdrawn,
        "since": one.at,
    }


def _find(slug: str) -> Bot:
    found = Bot.objects.filter(slug=slug).first()
    if found is None:
        raise Http404(f"Expected a bot, got {slug!r}.")
    return found


@route(router, "GET", "followed/", FollowPage, needs=Scope.READ)
def list_followed_bots(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL) -> dict[str, Any]:
    """The bots that you follow, the last followed first."""
    rows, following = page(follows_of(user_of(request)), NEWEST, cursor, limit)
    return {"items": [follow_out(one) for one in rows], "next": following}


@route(router, "POST", "directory/{slug}/follow/", Following, needs=Scope.ACCOUNT, refuses=(410,))
def follow_bot(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Follow a bot of another user or of the house. Following it again changes nothing.

    You get notices of the kinds `released`, `entered` and `placed`.
    """
    bot = _find(slug)
    follows.follow(user_of(request), bot)
    return {"bot": bot.slug, "following": True, "followers": count_followers(bot)}


@route(router, "DELETE", "directory/{slug}/follow/", Following, needs=Scope.ACCOUNT)
def unfollow_bot(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Stop following a bot."""
    bot = _find(slug)
    follows.unfollow(user_of(request), bot)
    return {"bot": bot.slug, "following": False, "followers": count_followers(bot)}
