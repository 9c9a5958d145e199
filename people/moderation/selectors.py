"""Things that can be reported, what was reported, and what was decided."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.auth import get_user_model
from django.db.models import Count, Q
from django.utils import timezone

from arena.web.hidden import HIDDEN
from bots.models import Bot, Version
from people.classes.classrooms import class_for
from people.classes.models import Classroom
from people.moderation.models import AbuseReport, Act, Subject
from tournaments.models import Announcement, Tournament
from tournaments.series.models import EventSeries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from arena.accounts.models import User

MOST_READ: Final = 5_000
"""Open reports that the queue is made of, the newest."""
DISMISSED_BEFORE_DOUBT: Final = 3
"""Whoever had so many reports dismissed, and more than were upheld, moves nothing up the queue."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with texts that its owner wrote; `owner` is None for the house's own, and for a series whose
    organiser deleted their account.

    `others` are the accounts that own it with them.
    """

    subject: str
    key: int
    title: str
    url: str
    owner: User | None
    texts: dict[str, str]
    others: frozenset[int] = frozenset()

    @property
    def left_behind(self) -> bool:
        """Whether its owner is gone, so that nobody is told of decisions: the house has no series."""
        return self.owner is None and self.subject == Subject.SERIES


@dataclass(frozen=True, slots=True)
class Reporter:
    """How often somebody's reports were right."""

    upheld: int = 0
    dismissed: int = 0

    @property
    def counts(self) -> bool:
        """Whether their reports move a thing up the queue."""
        return self.dismissed < DISMISSED_BEFORE_DOUBT or self.dismissed <= self.upheld


@dataclass(frozen=True, slots=True)
class Reported:
    """A thing with open reports."""

    subject: str
    key: int
    thing: Thing | None
    reports: list[AbuseReport]
    weight: int
    newest: datetime


def thing(subject: str, key: int) -> Thing | None:
    """The thing that a report is about; None if there is none."""
    find = FINDERS.get(subject)
    return find(key) if find else None


def _bot(key: int) -> Thing | None:
    bot = Bot.objects.select_related("owner").filter(pk=key).first()
    if bot is None:
        return None
    notes = Version.objects.filter(bot=bot).exclude(release_notes="").order_by("number")
    texts = {
        "name": bot.name,
        **{field: getattr(bot, field) for field in Bot.TEXTS},
        "release_notes": "\n".join(f"v{one.number}: {one.release_notes}" for one in notes),
    }
    others = frozenset(bot.owner_keys) - {bot.owner_id}
    return Thing(Subject.BOT, key, bot.name, bot.get_absolute_url(), bot.owner, texts, others)


def _account(key: int) -> Thing | None:
    user = get_user_model().objects.filter(pk=key).first()
    if user is None:
        return None
    name = user.get_username()
    return Thing(Subject.ACCOUNT, key, name, user.get_absolute_url(), user, {"name": name})


def _tournament(key: int) -> Thing | None:
    found = Tournament.objects.select_related("owner").filter(pk=key).first()
    if found is None:
        return None
    texts = {"name": found.name, "description": found.description}
    return Thing(Subject.TOURNAMENT, key, found.name, found.get_absolute_url(), found.owner, texts)


def _announcement(key: int) -> Thing | None:
    found = Announcement.objects.select_related("author", "tournament").filter(pk=key).first()
    if found is None:
        return None
    event = found.tournament
    return Thing(
        Subject.ANNOUNCEMENT, key, event.name, event.get_absolute_url(), found.author, {"text": found.text}
    )


def may_report(user: User, subject: str, key: int) -> bool:
    """Whether somebody sees a thing, and so may report it: of classes, only their members know."""
    return subject != Subject.CLASS or class_for(user, key) is not None


def _class(key: int) -> Thing | None:
    found = Classroom.objects.select_related("teacher").filter(pk=key).first()
    if found is None:
        return None
    texts = {"name": found.name}
    return Thing(Subject.CLASS, key, found.name, found.get_absolute_url(), found.teacher, texts)


def _series(key: int) -> Thing | None:
    found = EventSeries.objects.select_related("owner").filter(pk=key).first()
    if found is None:
        return None
    texts = {"name": found.name, "description": found.description}
    return Thing(Subject.SERIES, key, found.name, found.get_absolute_url(), found.owner, texts)


FINDERS: Final[dict[str, Callable[[int], Thing | None]]] = {
    Subject.BOT: _bot,
    Subject.ACCOUNT: _account,
    Subject.TOURNAMENT: _tournament,
    Subject.ANNOUNCEMENT: _announcement,
    Subject.CLASS: _class,
    Subject.SERIES: _series,
}


def in_force() -> QuerySet[Act]:
    """Decisions that hold now."""
    return Act.objects.filter(Q(until=None) | Q(until__gt=timezone.now()), ended_at=None)


def decided_parts(subject: str, key: int) -> frozenset[str]:
    """The texts of a thing that moderators replaced."""
    found = in_force().filter(subject=subject, key=key).exclude(kind=Act.Kind.BAN)
    return frozenset(part for put in found.values_list("put", flat=True) for part in put)


def shown_notes(bot: int) -> QuerySet[Version]:
    """The versions of a bot with release notes that are not hidden."""
    return Version.objects.filter(bot=bot).exclude(release_notes__in=("", HIDDEN))


def ban_of(user: int) -> Act | None:
    """What keeps an account from signing in, if moderators do."""
    return Act.objects.filter(person=user, kind=Act.Kind.BAN, ended_at=None).first()


def decisions_about(user: User) -> QuerySet[Act]:
    """Decisions that concern a user, newest first."""
    return Act.objects.filter(person=user)


def records_of(reporters: Iterable[int]) -> defaultdict[int, Reporter]:
    """How often the reports of these users were right, by their keys."""
    counted = (
        AbuseReport.objects.filter(reporter__in=set(reporters))
        .order_by()
        .values("reporter")
        .annotate(
            upheld=Count("pk", filter=Q(status=AbuseReport.Status.UPHELD)),
            dismissed=Count("pk", filter=Q(status=AbuseReport.Status.DISMISSED)),
        )
    )
    found: defaultdict[int, Reporter] = defaultdict(Reporter)
    found.update({one["reporter"]: Reporter(one["upheld"], one["dismissed"]) for one in counted})
    return found


def queue(most: int) -> list[Reported]:
    """Things with open reports: those that most people reported first, then the newest."""
    grouped: defaultdict[tuple[str, int], list[AbuseReport]] = defaultdict(list)
    for report in AbuseReport.objects.filter(status=AbuseReport.Status.OPEN)[:MOST_READ]:
        grouped[report.subject, report.key].append(report)
    records = records_of(report.reporter_id for reports in grouped.values() for report in reports)
    weighed = [
        (sum(records[one.reporter_id].counts for one in reports), reports[0].at, place, reports)
        for place, reports in grouped.items()
    ]
    weighed.sort(key=lambda one: one[:2], reverse=True)
    return [
        Reported(*place, thing(*place), reports, weight, newest)
        for weight, newest, place, reports in weighed[:most]
    ]


def count_work() -> dict[str, int]:
    """How much waits for moderators."""
    return {
        "reports": AbuseReport.objects.filter(status=AbuseReport.Status.OPEN).count(),
        "appeals": open_appeals().count(),
    }


def open_appeals() -> QuerySet[Act]:
    """Decisions whose appeal nobody has answered, the oldest appeal first."""
    return (
        Act.objects.filter(appealed_at__isnull=False, answered_at=None)
        .select_related("person", "by")
        .order_by("appealed_at")
    )
