"""Challenges: asked for, answered, and on what terms bots take them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from ninja import Body, Path, Query, Router, Status
from pydantic import Field

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.schemas.common import Key as RowKey
from arena.api.schemas.common import Schema, Slug, Variant
from bots.models import Bot, Scope, Version, VersionQuerySet
from tournaments.api.tournaments_schemas import ClockOut, Entrant
from tournaments.challenges import answers, requests
from tournaments.challenges.errors import ChallengeRefused
from tournaments.challenges.models import Challenge, Terms
from tournaments.challenges.requests import MOST_PER_DAY
from tournaments.events.creation import BANK_MS, INCREMENT_MS, MOST_PAIRS

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.api.tournaments_schemas import Entrant
    from tournaments.challenges.models import Challenge

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


router = Router()
NEWEST = (Key("created_at", moment), Key("pk", number))


def _named(versions: VersionQuerySet, one: Entrant, field: str, board: str) -> int:
    """The key of a version named by bot and number; without a number, of the one that plays the game."""
    found = versions.filter(bot__slug=one.bot)
    found = found.active_on(board) if one.version is None else found.filter(number=one.version)
    chosen = found.first()
    if chosen is None:
        what = f"{one.bot!r} version {one.version}" if one.version else repr(one.bot)
        whose = "a version of yours that plays" if field == "mine" else "a version that takes challenges"
        raise ChallengeRefused(f"Expected {whose}, got {what}.", field)
    return chosen.pk


def _find(request: HttpRequest, key: int) -> tuple[Challenge, User]:
    """A challenge of the caller, on either side, and the caller."""
    user = user_of(request)
    found = requests.challenges_of(user).filter(pk=key).first()
    if found is None:
        raise Http404(f"Expected a challenge of yours, got {key}.")
    return found, user


@route(router, "GET", "challenges/", ChallengePage, needs=Scope.READ)
def list_challenges(
    request: HttpRequest, side: Side | None = Query(None), cursor: Cursor = "", limit: Limit = USUAL
) -> dict[str, Any]:
    """The challenges that you asked for or received, newest first."""
    user = user_of(request)
    found = requests.challenges_of(user)
    if side is not None:
        found = found.filter(asker=user) if side == "asked" else found.exclude(asker=user)
    rows, following = page(found, NEWEST, cursor, limit)
    return {"items": [challenge_out(one, user) for one in rows], "next": following}


@route(router, "POST", "challenges/", ChallengeOut, needs=Scope.COMPETE, status=201, refuses=(410,))
def create_challenge(request: HttpRequest, wish: Body[ChallengeWish]) -> Status[Any]:
    """Challenge somebody else's bot.

    House bots, and bots whose owners allow it, accept at once. Otherwise the owner is asked, and has seven
    days to answer. Challenges are never rated.
    """
    user = user_of(request)
    challenge = requests.ask(
        user,
        requests.Wish(
            mine=_named(requests.challengers(user), wish.mine, "mine", wish.variant),
            theirs=_named(
                Version.objects.fit_for(remote=True).select_related("bot"),
                wish.theirs,
                "theirs",
                wish.variant,
            ),
            variant=wish.variant,
            pairs=wish.pairs,
            bank_ms=wish.bank_ms,
            increment_ms=wish.increment_ms,
        ),
    )
    return Status(201, challenge_out(challenge, user))


@route(router, "GET", "challenges/{challenge}/", ChallengeOut, needs=Scope.READ)
def get_challenge(request: HttpRequest, challenge: Path[RowKey]) -> dict[str, Any]:
    """A challenge that you asked for or received."""
    return challenge_out(*_find(request, challenge))


@route(
    router,
    "POST",
    "challenges/{challenge}/{answer}/",
    ChallengeOut,
    needs=Scope.COMPETE,
    refuses=(409,),
)
def answer_challenge(request: HttpRequest, challenge: Path[RowKey], answer: Path[Answer]) -> dict[str, Any]:
    """Accept or decline a challenge that you received, or withdraw one of yours."""
    found, user = _find(request, challenge)
    if not found.may_be_answered(answer, user):
        raise PermissionDenied
    if answer == "accept":
        answers.accept(found, user)
    elif answer == "decline":
        answers.decline(found)
    else:
        answers.withdraw(found)
    return challenge_out(found, user)


def _own(request: HttpRequest, slug: str) -> Bot:
    bot = Bot.objects.of(user_of(request)).filter(slug=slug).first()
    if bot is None:
        raise Http404(f"Expected a bot of yours, got {slug!r}.")
    return bot


@route(router, "GET", "bots/{slug}/terms/", TermsOut, needs=Scope.READ)
def get_terms(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """How your bot takes challenges."""
    return terms_out(requests.terms_of(_own(request, slug)))


@route(router, "PATCH", "bots/{slug}/terms/", TermsOut, needs=Scope.COMPETE)
def set_terms(request: HttpRequest, slug: Path[Slug], changes: Body[TermsIn]) -> dict[str, Any]:
    """Set how your bot handles challenges: you are asked, it accepts by itself, or it accepts none."""
    bot = _own(request, slug)
    before = requests.terms_of(bot)
    takes = before.takes if changes.takes is None else changes.takes
    per_day = before.per_day if changes.per_day is None else changes.per_day
    return terms_out(requests.set_terms(bot, takes, per_day, by=user_of(request)))


@route(router, "GET", "blocks/", Blocks, needs=Scope.ACCOUNT)
def list_blocks(request: HttpRequest) -> dict[str, Any]:
    """Whom you have blocked from challenging you."""
    return {"items": [block_out(one) for one in requests.blocks_of(user_of(request))]}


@route(router, "POST", "blocks/", BlockOut, needs=Scope.ACCOUNT, status=201)
def add_block(request: HttpRequest, block: Body[BlockIn]) -> Status[Any]:
    """Block somebody from challenging you.

    Their open challenges to you count as declined.
    """
    other = get_user_model().objects.filter(username=block.user).first()
    if other is None:
        raise ChallengeRefused(f"Expected the name of a user, got {block.user[:150]!r}.", "user")
    return Status(201, block_out(answers.block(user_of(request), other)))


@route(router, "DELETE", "blocks/{user}/", needs=Scope.ACCOUNT, status=204)
def remove_block(request: HttpRequest, user: Path[str]) -> Status[Any]:
    """Let somebody challenge you again."""
    if not requests.unblock(user_of(request), user):
        raise Http404("Expected somebody whom you have blocked.")
    return Status(204, None)
