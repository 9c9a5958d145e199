"""Remote bots: who is online, and a bot for a program that is to connect."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ninja import Body, Router
from pydantic import Field

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, number, page
from arena.api.schemas.common import Board, Schema, Slug, Url
from bots.models import Scope
from bots.models.bot import NAME_LENGTH
from bots.remote import connections
from bots.remote.creation import find_or_create
from bots.versions import active_on
from tournaments.challenges.models import Terms

if TYPE_CHECKING:
    from django.http import HttpRequest

    from bots.models import Bot

router = Router()
BY_KEY = (Key("pk", number, descending=False),)
TakesName = Literal["asked", "automatic", "none"]
assert set(Terms.Takes.values) == {"asked", "automatic", "none"}  # noqa: S101


class OnlineBot(Schema):
    """A remote bot whose program is connected."""

    bot: Slug = Field(description="Its name in addresses.", examples=["adas-gpu"])
    name: str
    owner: str | None
    since: datetime = Field(description="Since when it has been online.")
    boards: list[Board] = Field(description="What it plays, as its program says.")
    games: int = Field(description="How many games it plays at once.", examples=[4])
    people: bool = Field(description="Whether people may play against it.")
    challenges: TakesName = Field(description="How it takes challenges of other bots.")
    leaving: bool = Field(description="Whether it takes no new games.")
    url: Url


class OnlineBots(Schema):
    """Remote bots that are online, in the order in which they were created."""

    items: list[OnlineBot]
    next: str | None


class NewRemoteBot(Schema):
    """A remote bot to be created."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH, examples=["Ada’s GPU"])


class RemoteBotOut(Schema):
    """A remote bot of yours; `bot` is what its program says when it connects."""

    bot: Slug
    name: str
    created: bool = Field(description="Whether it is new.")
    url: Url


def _online(bot: Bot) -> dict[str, Any]:
    presence = bot.presence
    terms = getattr(bot, "terms", None)
    return {
        "bot": bot.slug,
        "name": bot.name,
        "owner": bot.owner.get_username() if bot.owner else None,
        "since": presence.online_since,
        "boards": list(active_on(bot)),
        "games": presence.games,
        "people": presence.people,
        "challenges": terms.takes if terms else Terms.Takes.ASKED.value,
        "leaving": presence.leaving,
        "url": bot.get_absolute_url(),
    }


@route(router, "GET", "remote/", OnlineBots)
def list_online_bots(request: HttpRequest, cursor: Cursor = "", limit: Limit = USUAL) -> dict[str, Any]:
    """The remote bots that are online now.

    Their programs run on their authors' machines and may remember every game. They play on the open boards.
    """
    rows, following = page(connections.online_bots().select_related("terms"), BY_KEY, cursor, limit)
    return {"items": [_online(bot) for bot in rows], "next": following}


@route(router, "POST", "remote/", RemoteBotOut, needs=Scope.REMOTE, refuses=(410,))
def create_remote_bot(request: HttpRequest, wish: Body[NewRemoteBot]) -> dict[str, Any]:
    """Create a remote bot, or find the one of this name that you have.

    Nothing is uploaded: its program connects to `/api/v1/remote/` by websocket, as the documentation says.
    """
    bot, made = find_or_create(user_of(request), wish.name)
    return {"bot": bot.slug, "name": bot.name, "created": made, "url": bot.get_absolute_url()}
