"""Challenges between owners of bots."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from arena.api.schemas.common import Schema, Slug, Variant
from tournaments.api.tournaments_schemas import ClockOut, Entrant
from tournaments.challenges.models import Challenge, Terms
from tournaments.challenges.terms import MOST_PER_DAY
from tournaments.events.creation import BANK_MS, INCREMENT_MS, MOST_PAIRS

if TYPE_CHECKING:
    from bots.models import Version
    from tournaments.challenges.models import Block

    ChallengeStatus = str
    Takes = str
else:
    ChallengeStatus = Literal[tuple(Challenge.Status.values)]
    Takes = Literal[tuple(Terms.Takes.values)]
Answer = Literal["accept", "decline", "withdraw"]
Side = Literal["asked", "received"]


class ChallengeWish(Schema):
    """A challenge: one of your versions against somebody else's."""

    mine: Entrant
    theirs: Entrant
    variant: Variant = "crapaud"
    pairs: int = Field(10, ge=1, le=MOST_PAIRS)
    bank_ms: int = Field(60_000, ge=BANK_MS[0], le=BANK_MS[1])
    increment_ms: int = Field(500, ge=INCREMENT_MS[0], le=INCREMENT_MS[1])


class Challenger(Schema):
    """A version in a challenge, and whose it is."""

    bot: Slug
    name: str
    version: int
    owner: str | None = Field(description="Null for the house.")


class ChallengeOut(Schema):
    """A challenge. Only the two owners see it."""

    id: int
    status: ChallengeStatus
    side: Side = Field(description="Whether you asked, or received it.")
    mine: Challenger = Field(description="Of the one who asked.")
    theirs: Challenger
    variant: Variant
    pairs: int
    clock: ClockOut
    automatic: bool = Field(description="Whether it was accepted at once, because the bot's terms say so.")
    tournament: Slug | None = Field(
        description="The games' tournament, once it is accepted; also at `stream/`.", examples=["a-b"]
    )
    created_at: datetime
    expires_at: datetime
    answered_at: datetime | None


class ChallengePage(Schema):
    """Your challenges, newest first."""

    items: list[ChallengeOut]
    next: str | None


class TermsOut(Schema):
    """How your bot takes challenges."""

    bot: Slug
    takes: Takes
    per_day: int = Field(description="How many it accepts by itself in 24 hours, if it does.")


class TermsIn(Schema):
    """How you want your bot to take challenges."""

    takes: Takes | None = Field(None, examples=["automatic"])
    per_day: int | None = Field(None, ge=1, le=MOST_PER_DAY, examples=[5])


class BlockIn(Schema):
    """Somebody you want to block from challenging you."""

    user: str = Field(min_length=1, max_length=150, examples=["bob"])


class BlockOut(Schema):
    """Somebody who cannot challenge you."""

    user: str = Field(examples=["bob"])
    at: datetime


class Blocks(Schema):
    """Whom you have blocked, by name."""

    items: list[BlockOut]


def _challenger(version: Version, owner: Any) -> dict[str, Any]:
    return {
        "bot": version.bot.slug,
        "name": version.bot.name,
        "version": version.number,
        "owner": owner.get_username() if owner else None,
    }


def challenge_out(one: Challenge, user: Any) -> dict[str, Any]:
    """A challenge as one of its sides sees it. What nobody answered in time has expired."""
    expired = one.status == Challenge.Status.OPEN and not one.is_open
    return {
        "id": one.pk,
        "status": Challenge.Status.EXPIRED if expired else one.status,
        "side": "asked" if one.asker_id == user.pk else "received",
        "mine": _challenger(one.mine, one.asker),
        "theirs": _challenger(one.theirs, one.asked),
        "variant": one.variant,
        "pairs": one.pairs,
        "clock": {"bank_ms": one.bank_ms, "increment_ms": one.increment_ms},
        "automatic": one.automatic,
        "tournament": one.tournament.slug if one.tournament else None,
        "created_at": one.created_at,
        "expires_at": one.expires_at,
        "answered_at": one.answered_at,
    }


def terms_out(terms: Terms) -> dict[str, Any]:
    """How a bot takes challenges."""
    return {"bot": terms.bot.slug, "takes": terms.takes, "per_day": terms.per_day}


def block_out(block: Block) -> dict[str, Any]:
    """Somebody who is blocked."""
    return {"user": block.blocked.get_username(), "at": block.at}
