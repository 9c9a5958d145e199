"""Challenges: asked for, answered, and on what terms bots take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from ninja import Body, Path, Query, Router, Status

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.schemas.common import Key as RowKey
from arena.api.schemas.common import Slug
from bots.models import Bot, Scope, Version, VersionQuerySet
from tournaments.challenges import answers, requests, selectors, terms
from tournaments.challenges.api_schemas import (
    Answer,
    BlockIn,
    BlockOut,
    Blocks,
    ChallengeOut,
    ChallengePage,
    ChallengeWish,
    Side,
    TermsIn,
    TermsOut,
    block_out,
    challenge_out,
    terms_out,
)
from tournaments.challenges.errors import ChallengeRefused

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.api.tournaments_schemas import Entrant
    from tournaments.challenges.models import Challenge

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
    found = selectors.challenges_of(user).filter(pk=key).first()
    if found is None:
        raise Http404(f"Expected a challenge of yours, got {key}.")
    return found, user


@route(router, "GET", "challenges/", ChallengePage, needs=Scope.READ)
def list_challenges(
    request: HttpRequest, side: Side | None = Query(None), cursor: Cursor = "", limit: Limit = USUAL
) -> dict[str, Any]:
    """The challenges that you asked for or received, newest first."""
    user = user_of(request)
    found = selectors.challenges_of(user)
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
            mine=_named(selectors.challengers(user), wish.mine, "mine", wish.variant),
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
    return terms_out(selectors.terms_of(_own(request, slug)))


@route(router, "PATCH", "bots/{slug}/terms/", TermsOut, needs=Scope.COMPETE)
def set_terms(request: HttpRequest, slug: Path[Slug], changes: Body[TermsIn]) -> dict[str, Any]:
    """Set how your bot handles challenges: you are asked, it accepts by itself, or it accepts none."""
    bot = _own(request, slug)
    before = selectors.terms_of(bot)
    takes = before.takes if changes.takes is None else changes.takes
    per_day = before.per_day if changes.per_day is None else changes.per_day
    return terms_out(terms.set_terms(bot, takes, per_day, by=user_of(request)))


@route(router, "GET", "blocks/", Blocks, needs=Scope.ACCOUNT)
def list_blocks(request: HttpRequest) -> dict[str, Any]:
    """Whom you have blocked from challenging you."""
    return {"items": [block_out(one) for one in selectors.blocks_of(user_of(request))]}


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
    if not terms.unblock(user_of(request), user):
        raise Http404("Expected somebody whom you have blocked.")
    return Status(204, None)
