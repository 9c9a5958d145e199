"""Bots that somebody follows."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from pydantic import Field

from arena.api.schemas.common import Schema, Slug

if TYPE_CHECKING:
    from bots.models import Follow


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
