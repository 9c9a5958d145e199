"""Challenges for their two sides, and who can be challenged."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from django.utils import timezone

from bots.models import Bot, CoOwner, Version, VersionQuerySet
from bots.selectors import co_owners
from tournaments.challenges.models import Block, Challenge, Terms
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.accounts.models import User

DAY: Final = timedelta(hours=24)
OVER: Final = (Tournament.Status.FINISHED, Tournament.Status.CANCELLED)


def challenges_of(user: User) -> QuerySet[Challenge]:
    """What the user asked for or was asked, also for bots that they own with others; newest first."""
    theirs = Challenge.objects.filter(theirs__bot__in=Bot.objects.of(user), asked__isnull=False)
    either = (
        Challenge.objects.filter(asker=user)
        .order_by()
        .values("pk")
        .union(Challenge.objects.filter(asked=user).order_by().values("pk"), theirs.order_by().values("pk"))
    )
    return (
        Challenge.objects.filter(pk__in=either)
        .select_related("asker", "asked", "mine__bot", "theirs__bot", "tournament")
        .prefetch_related(co_owners("theirs__bot__"))
    )


def waiting_for(user: User) -> QuerySet[Challenge]:
    """The open challenges that the user has to answer, oldest first."""
    mine = Challenge.objects.filter(theirs__bot__in=Bot.objects.of(user), asked__isnull=False)
    waiting = challenges_of(user).filter(pk__in=mine, status=Challenge.Status.OPEN).exclude(asker=user)
    return waiting.filter(expires_at__gt=timezone.now()).order_by("created_at")


def going(user: User) -> QuerySet[Challenge]:
    """The challenges of an asker that are not answered yet, or still played."""
    now = timezone.now()
    unanswered = Q(status=Challenge.Status.OPEN, expires_at__gt=now)
    played = Q(status=Challenge.Status.ACCEPTED, tournament__isnull=False) & ~Q(tournament__status__in=OVER)
    return Challenge.objects.filter(unanswered | played, asker=user)


def accepted_today(bot: Bot) -> int:
    """How many challenges a bot has accepted by itself in the last 24 hours."""
    lately = Challenge.objects.filter(theirs__bot=bot, automatic=True, created_at__gt=timezone.now() - DAY)
    return lately.count()


def terms_of(bot: Bot) -> Terms:
    """How a bot takes challenges; not stored if its owner never said."""
    return Terms.objects.filter(bot=bot).first() or Terms(bot=bot)


def challengers(user: User) -> VersionQuerySet:
    """The user's own versions that may play, by bot, newest first."""
    own = Version.objects.fit_for(remote=True).filter(bot__in=Bot.objects.of(user))
    return own.select_related("bot").order_by("bot__name", "-number")


def challengeable(user: User) -> QuerySet[Version]:
    """Versions of others that the user may ask for: the house’s first, then by name."""
    others = (
        Version.objects.fit_for(remote=True)
        .exclude(bot__in=Bot.objects.of(user))
        .exclude(bot__terms__takes=Terms.Takes.NONE)
    )
    blockers = Block.objects.filter(blocked=user).values("owner")
    reachable = Q(bot__is_house=True) | (Q(bot__owner__is_active=True) & ~Q(bot__owner__in=blockers))
    blocked = CoOwner.objects.filter(user__in=blockers, status=CoOwner.Status.ACCEPTED).values("bot")
    return (
        others.filter(reachable)
        .exclude(bot__in=blocked)
        .select_related("bot__owner")
        .order_by("-bot__is_house", "bot__name", "-number")
    )


def blocks_of(user: User) -> QuerySet[Block]:
    """Whom the user has blocked, by name."""
    return Block.objects.filter(owner=user).select_related("blocked")
