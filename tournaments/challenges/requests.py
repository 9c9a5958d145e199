"""Asks for a challenge: who may ask whom, how often, on what terms, and where nobody need be asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, ngettext_lazy

from arena.accounts.confirmation import assert_confirmed
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.audit_log import add_audit_entry
from arena.web.database import database_clock
from arena.web.i18n.phrases import fill
from arena.web.variants import lazy_board_title
from bots.errors import LimitReached
from bots.locks import lock_bot, lock_owner
from bots.models import Bot, BotAuditEntry, CoOwner, Version, VersionQuerySet, prefetch_co_owners
from tournaments.challenges.answers import begin, event_of
from tournaments.challenges.errors import ChallengeRefused
from tournaments.challenges.models import Block, Challenge, Terms
from tournaments.events.creation import check_request
from tournaments.models import Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.accounts.models import User


MOST_PER_DAY: Final = 50


@transaction.atomic
def set_terms(bot: Bot, takes: str, per_day: int, *, by: User | None = None) -> Terms:
    """Say how a bot takes challenges from now on; `by` is the one of its owners who does so.

    Raises ChallengeRefused, and OwnerGone if the bot is no longer theirs.
    """
    if takes not in Terms.Takes.values:
        raise ChallengeRefused(gettext("Choose one of the answers."), "takes")
    if not 1 <= per_day <= MOST_PER_DAY:
        raise ChallengeRefused(
            gettext("A bot can accept 1 to %(most)s challenges a day by itself.") % {"most": MOST_PER_DAY},
            "per_day",
        )
    if by is not None:
        lock_bot(bot, by)
    add_audit_entry(bot.audit_log, by, BotAuditEntry.What.TERMS)
    return Terms.objects.update_or_create(bot=bot, defaults={"takes": takes, "per_day": per_day})[0]


def unblock(user: User, name: str) -> bool:
    """Let somebody challenge the user again; False if they were not blocked."""
    return bool(Block.objects.filter(owner=user, blocked__username=name).delete()[0])


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
        .prefetch_related(prefetch_co_owners("theirs__bot__"))
    )


def waiting_for(user: User) -> QuerySet[Challenge]:
    """The open challenges that the user has to answer, oldest first."""
    mine = Challenge.objects.filter(theirs__bot__in=Bot.objects.of(user), asked__isnull=False)
    waiting = challenges_of(user).filter(pk__in=mine, status=Challenge.Status.OPEN).exclude(asker=user)
    return waiting.filter(expires_at__gt=database_clock.now()).order_by("created_at")


def going(user: User) -> QuerySet[Challenge]:
    """The challenges of an asker that are not answered yet, or still played."""
    now = database_clock.now()
    unanswered = Q(status=Challenge.Status.OPEN, expires_at__gt=now)
    played = Q(status=Challenge.Status.ACCEPTED, tournament__isnull=False) & ~Q(tournament__status__in=OVER)
    return Challenge.objects.filter(unanswered | played, asker=user)


def accepted_today(bot: Bot) -> int:
    """How many challenges a bot has accepted by itself in the last 24 hours."""
    lately = Challenge.objects.filter(
        theirs__bot=bot, automatic=True, created_at__gt=database_clock.now() - DAY
    )
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


LASTS: Final = timedelta(days=7)
"""How long a challenge waits for its answer."""
MOST_GOING: Final = 5
"""Challenges of one asker that are open or being played."""
MOST_TO_ONE: Final = 2
"""Open challenges from one owner to another, until the other has `MOST_WAITING`; then one."""
MOST_TO_ONE_A_DAY: Final = 5
MOST_A_DAY: Final = 20
MOST_WAITING: Final = 30
"""Open challenges to one owner, from which on each asker has one. Whoever has none is never refused, or
others could keep them from asking."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A challenge as it is asked for. `mine` and `theirs` are keys of `bots.Version`."""

    mine: int
    theirs: int
    variant: str = "crapaud"
    pairs: int = 10
    bank_ms: int = 60_000
    increment_ms: int = 500


@transaction.atomic
def ask(user: User, wish: Wish) -> Challenge:
    """Store a challenge, and tell the other owner, or begin it at once where the bot's terms say so.

    Raises AddressNotConfirmed, ChallengeRefused, InvalidTournament or LimitReached; then nothing was stored.
    """
    assert_confirmed(user)
    lock_owner(user)
    mine, theirs = _versions(user, wish)
    other = theirs.bot.owner
    automatic = _automatic(theirs, wish.variant)
    _assert_below_limits(user, other)
    now = database_clock.now()
    challenge = Challenge(
        asker=user,
        asked=other,
        mine=mine,
        theirs=theirs,
        variant=wish.variant,
        pairs=wish.pairs,
        bank_ms=wish.bank_ms,
        increment_ms=wish.increment_ms,
        automatic=automatic,
        created_at=now,
        expires_at=now + LASTS,
    )
    check_request(event_of(challenge), user)
    challenge.save()
    if automatic:
        begin(challenge)
    elif other is not None:
        # Only names that the reader knows or needs: a stranger's bot could be called anything.
        tell(
            theirs.bot.owner_keys,
            Kind.CHALLENGED,
            f"challenge {challenge.pk}",
            fill(
                ngettext_lazy(
                    "%(name)s challenges %(bot)s: %(pairs)s pair of %(game)s.",
                    "%(name)s challenges %(bot)s: %(pairs)s pairs of %(game)s.",
                    wish.pairs,
                ),
                name=user.get_username(),
                bot=theirs,
                pairs=wish.pairs,
                game=lazy_board_title(wish.variant),
            ),
            f"{reverse('challenges:list')}#c{challenge.pk}",
        )
    return challenge


def _versions(user: User, wish: Wish) -> tuple[Version, Version]:
    """The asker's version and the other one, which its owner lets them ask for."""
    mine = challengers(user).filter(pk=wish.mine).first()
    if mine is None:
        raise ChallengeRefused(gettext("Choose a version of your own that has passed its check."), "mine")
    theirs = Version.objects.fit_for(remote=True).select_related("bot__owner").filter(pk=wish.theirs).first()
    if theirs is None:
        raise ChallengeRefused(gettext("This version no longer plays. Choose another."), "theirs")
    other = theirs.bot.owner
    if other is None:
        return mine, theirs
    owners = theirs.bot.owner_keys
    if user.pk in owners:
        raise ChallengeRefused(
            gettext("Both bots are yours. Start a tournament or a test instead: nobody has to agree."),
            "theirs",
        )
    if set(mine.bot.owner_keys) & set(owners):
        raise ChallengeRefused(gettext("Both bots have an owner in common. Choose another."), "theirs")
    if not other.is_active:
        raise ChallengeRefused(
            gettext("%(name)s does not accept challenges.") % {"name": other.get_username()}, "theirs"
        )
    blocking = Block.objects.filter(owner__in=owners, blocked=user).select_related("owner").first()
    if blocking is not None:
        raise ChallengeRefused(
            gettext("%(name)s does not accept challenges from you.")
            % {"name": blocking.owner.get_username()},
            "theirs",
        )
    return mine, theirs


def _automatic(theirs: Version, variant: str) -> bool:
    """Whether nobody need be asked. Raises ChallengeRefused if the bot takes no challenges.

    Only the version that plays the game for its bot accepts by itself. The row is locked, so that its number
    a day holds when many ask at once.
    """
    if theirs.bot.is_house:
        return True
    terms = Terms.objects.select_for_update().filter(bot=theirs.bot).first()
    if terms is not None and terms.takes == Terms.Takes.NONE:
        raise ChallengeRefused(
            gettext("%(bot)s does not accept challenges.") % {"bot": theirs.bot.name}, "theirs"
        )
    if terms is None or terms.takes != Terms.Takes.AUTOMATIC:
        return False
    return theirs.active_on.filter(board=variant).exists() and accepted_today(theirs.bot) < terms.per_day


def _assert_below_limits(user: User, other: User | None) -> None:
    """Raise LimitReached if the asker has asked enough, or the other has enough to answer."""
    if going(user).count() >= MOST_GOING:
        raise LimitReached(
            gettext(
                "You already have %(most)s challenges that are open or being played, the most one account "
                "can have. Wait for one to end, or withdraw one."
            )
            % {"most": MOST_GOING}
        )
    now = database_clock.now()
    lately = Challenge.objects.filter(asker=user, created_at__gt=now - DAY)
    too_many = gettext("You challenged others %(most)s times in 24 hours, the most you can. Try again later.")
    _assert_below(too_many % {"most": MOST_A_DAY}, MOST_A_DAY, lately)
    if other is None:
        return
    name = other.get_username()
    too_many = gettext(
        "You challenged %(name)s %(most)s times in 24 hours, the most you can. Try again later."
    )
    words = too_many % {"name": name, "most": MOST_TO_ONE_A_DAY}
    _assert_below(words, MOST_TO_ONE_A_DAY, lately.filter(asked=other))
    unanswered = going(user).filter(asked=other, status=Challenge.Status.OPEN)
    most = 1 if waiting_for(other).count() >= MOST_WAITING else MOST_TO_ONE
    if unanswered.count() >= most:
        raise LimitReached(
            gettext(
                "%(name)s already has %(most)s open challenges from you, the most you can send to one person."
            )
            % {"name": name, "most": most}
        )


def _assert_below(sentence: str, most: int, lately: QuerySet[Challenge]) -> None:
    times = list(lately.order_by("-created_at").values_list("created_at", flat=True)[:most])
    if len(times) < most:
        return
    wait = times[-1] + DAY - database_clock.now()
    raise LimitReached(
        sentence,
        retry_after=max(1, -(-wait // timedelta(seconds=1))),
    )
