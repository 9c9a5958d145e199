"""People follow bots, and are told what these do: little by little, by a task, and each thing once.

What happened is noted as one row, in the transaction in which it happens; nobody who uploads, or delivers a
result, waits for however many followers there are.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.notices.models import Kind, Notice
from arena.notices.sending import tell
from arena.web.i18n.phrases import fill
from arena.web.worker_messages import send
from bots.errors import FollowRefused
from bots.locks import lock_owner
from bots.models import Bot, Follow, News, Version, prefetch_co_owners
from bots.port import Saying, port

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from arena.accounts.models import User

log = logging.getLogger(__name__)

SPREAD: Final = "bots.spread_news"
MOST_FOLLOWED: Final = 100
"""Bots that one account follows."""
MOST_A_DAY: Final = 30
"""Notices of one kind; whoever starts one event after the other fills nobody's list with them."""
MOST_OF_ONE: Final = 5
"""New versions of one bot: its author does not use up what followers are told of others."""
AT_ONCE: Final = 200
"""Followers told in one transaction."""
STEPS: Final = 10
"""Transactions of one task; the next one goes on."""
KEPT: Final = timedelta(days=90)
NOTES_SHOWN: Final = 160
"""Letters of the release notes in a notice."""
FOLLOWED_KINDS: Final = {
    News.What.RELEASED: Kind.RELEASED,
    News.What.STARTED: Kind.ENTERED,
    News.What.OVER: Kind.PLACED,
}
"""What followers are told of what happens."""


@transaction.atomic
def follow(user: User, bot: Bot) -> None:
    """Be told what a bot does; nothing happens to who follows it already.

    Raises FollowRefused or OwnerGone.
    """
    lock_owner(user)
    if bot.is_owned_by(user):
        raise FollowRefused(gettext("This is your own bot: you are notified about it anyway."))
    own = Follow.objects.filter(user=user)
    if own.filter(bot=bot).exists():
        return
    # Its owner may delete the account at this moment, which would leave a row that follows nothing.
    in_play = Bot.objects.select_for_update(of=("self",)).in_play().filter(active_version__isnull=False)
    if not in_play.filter(pk=bot.pk).exists():
        raise FollowRefused(gettext("You can’t follow this bot: it is withdrawn or has no active version."))
    if own.count() >= MOST_FOLLOWED:
        raise FollowRefused(
            gettext("You already follow %(most)s bots, the most one account can.") % {"most": MOST_FOLLOWED}
        )
    Follow.objects.create(user=user, bot=bot)


def unfollow(user: User, bot: Bot) -> bool:
    """Be told no more; False if the user did not follow the bot."""
    return bool(Follow.objects.filter(user=user, bot=bot).delete()[0])


def note_release(version: Version) -> None:
    """Note that a version became active, in the transaction in which it did."""
    note_news(News.What.RELEASED, version.pk, Bot.objects.filter(pk=version.bot_id))


def note_news(what: News.What, key: int, bots: QuerySet[Bot]) -> None:
    """Note what happened to these bots, if anybody follows one; their followers are told after the commit."""
    if not Follow.objects.filter(bot__in=bots).exists():
        return
    News.objects.bulk_create([News(what=what, key=key)], ignore_conflicts=True)
    transaction.on_commit(_ask)


def _ask() -> None:
    send(SPREAD)


def spread_news() -> bool:
    """Tell some followers what has happened; whether there is more to tell. Several may run at once."""
    for _ in range(STEPS):
        found = News.objects.filter(done_at=None).order_by("pk").first()
        if found is None:
            return False
        try:
            _spread(found)
        except (OperationalError, InterfaceError):
            raise
        except Exception:  # one that cannot be told must not hold up the others
            log.exception("news of %s could not be told", found)
            News.objects.filter(pk=found.pk).update(done_at=timezone.now())
    return True


@transaction.atomic
def _spread(one: News) -> None:
    """Tell the followers that come next, and say how far it came; nothing if another was first."""
    told = _told(one)
    following = Follow.objects.filter(bot__in=told, user__gt=one.told_to)
    people = list(following.order_by("user").values_list("user", flat=True).distinct()[:AT_ONCE])
    step = {"told_to": people[-1]} if len(people) == AT_ONCE else {"done_at": timezone.now()}
    if not News.objects.filter(pk=one.pk, done_at=None, told_to=one.told_to).update(**step):
        return
    kind = FOLLOWED_KINDS[News.What(one.what)]
    had_enough = _had_enough(people, kind, next((saying.url for saying in told.values()), ""))
    chosen: defaultdict[int, set[int]] = defaultdict(set)
    for user, bots in _follows(people, told).items():
        best = next(bot for bot in told if bot in bots)
        if user not in had_enough and user not in told[best].but:
            chosen[best].add(user)
    for bot, users in chosen.items():
        tell(users, kind, f"followed {one.what} {one.key}", told[bot].text, told[bot].url)


def _follows(people: list[int], told: dict[int, Saying]) -> dict[int, set[int]]:
    """Which of these bots each of these people follows."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for user, bot in Follow.objects.filter(user__in=people, bot__in=told).values_list("user", "bot"):
        found[user].add(bot)
    return found


def _had_enough(people: list[int], kind: str, url: str) -> set[int]:
    """Those of these people who were told a day's worth of this kind, or of the bot of this address."""
    lately = Notice.objects.filter(user__in=people, kind=kind, at__gt=timezone.now() - timedelta(days=1))
    of_this = Count("pk", filter=Q(url__startswith=url.partition("versions/")[0]))
    counted = lately.order_by().values("user").annotate(count=Count("pk"), of_this=of_this)
    enough = counted.filter(Q(count__gte=MOST_A_DAY) | Q(of_this__gte=MOST_OF_ONE))
    return set(enough.values_list("user", flat=True))


def _told(one: News) -> dict[int, Saying]:
    """What is told of which bot, as things are now, the best first; nothing if it holds no longer."""
    if one.what == News.What.RELEASED:
        return _released(one.key)
    return port().event_news(News.What(one.what), one.key)


def _released(key: int) -> dict[int, Saying]:
    """What is told of a version that is active in a bot in play."""
    active = Version.objects.active().filter(pk=key, bot__withdrawn_at=None)
    version = active.select_related("bot").first()
    if version is None:
        return {}
    notes = told_notes(version.release_notes)
    text = (
        fill(gettext_lazy("New version: %(version)s. %(notes)s"), version=version, notes=notes)
        if notes
        else fill(gettext_lazy("New version: %(version)s."), version=version)
    )
    return {version.bot_id: Saying(text, version.get_absolute_url())}


def told_notes(notes: str) -> str:
    """The beginning of release notes, on one line."""
    line = " ".join(notes.split())
    return line if len(line) <= NOTES_SHOWN else f"{line[: NOTES_SHOWN - 1].rstrip()}…"


def forget_old_news() -> None:
    """Delete the rows of what everybody was told three months ago."""
    News.objects.filter(done_at__lt=timezone.now() - KEPT).delete()


def count_followers(bot: Bot) -> int:
    """How many people follow a bot. Who they are is nobody's business."""
    return Follow.objects.filter(bot=bot, user__is_active=True).count()


def follows_of(user: User) -> QuerySet[Follow]:
    """What the user follows, by name."""
    rows = Follow.objects.filter(user=user).select_related("bot__owner", "bot__active_version")
    return rows.prefetch_related(prefetch_co_owners("bot__"))


def followed_among(viewer: Any, bots: Iterable[Bot]) -> frozenset[int]:
    """The keys of those of these bots that a visitor follows."""
    if not viewer.is_authenticated:
        return frozenset()
    found = Follow.objects.filter(user=viewer, bot__in=[bot.pk for bot in bots])
    return frozenset(found.order_by().values_list("bot", flat=True))
