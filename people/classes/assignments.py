"""Assignments: what a class is to do until a date, and how far its members are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext

from analysis.scores import FORFEITS
from bots.models import CoOwner, Trial, Version
from engine import VARIANTS
from friendlies.models import Friendly
from people.classes import ClassRefused
from people.classes.models import Assignment, Classroom

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from arena.accounts.models import User


MOST_ASSIGNMENTS: Final = 20
"""Assignments of a class, past ones included."""
MOST_GAMES: Final = 50
"""Games that an assignment may ask for."""
LONGEST: Final = timedelta(days=366)


@transaction.atomic
def assign(classroom: Classroom, sent: Mapping[str, str]) -> Assignment:
    """Give a class something to do: `kind`, `variant`, `count` and `due`, a date that lasts to its end in the
    teacher's time zone. Raises ClassRefused."""
    if not Classroom.objects.select_for_update(of=("self",)).filter(pk=classroom.pk).exists():
        raise ClassRefused(gettext("This class no longer exists."))
    if Assignment.objects.filter(classroom=classroom).count() >= MOST_ASSIGNMENTS:
        raise ClassRefused(
            gettext("A class has %(most)s assignments at most. Remove an old one first.")
            % {"most": MOST_ASSIGNMENTS}
        )
    kind, variant = sent.get("kind", ""), sent.get("variant", "")
    if kind not in Assignment.Kind.values or variant not in VARIANTS:
        raise ClassRefused(gettext("Choose what to do, and in which game."), "kind")
    count = sent.get("count", "1") if kind != Assignment.Kind.BOT else "1"
    if not (count.isascii() and count.isdecimal() and 1 <= int(count[:9]) <= MOST_GAMES):
        raise ClassRefused(gettext("Choose 1 to %(most)s games.") % {"most": MOST_GAMES}, "count")
    return Assignment.objects.create(
        classroom=classroom, kind=kind, variant=variant, count=int(count), due_at=_end_of(sent.get("due", ""))
    )


def take_back(classroom: Classroom, key: str) -> None:
    """Remove an assignment. What students did stays theirs. Raises ClassRefused."""
    known = key.isascii() and key.isdecimal() and len(key) < 19
    if not known or not Assignment.objects.filter(classroom=classroom, pk=int(key)).delete()[0]:
        raise ClassRefused(gettext("This assignment is no longer there."))


def _end_of(text: str) -> datetime:
    """The last second of a day from today on. Raises ClassRefused."""
    try:
        day: date | None = parse_date(text)
    except ValueError:
        day = None
    today = timezone.localdate()
    if day is None or not today <= day <= today + LONGEST:
        raise ClassRefused(gettext("Choose a day from today on, within a year."), "due")
    return timezone.make_aware(datetime.combine(day, time(23, 59, 59)))


Times = dict[int, list["datetime"]]


@dataclass(frozen=True, slots=True)
class MemberProgress:
    """What somebody has done of an assignment; `done_at` is when they had done all of it."""

    assignment: Assignment
    user: User
    done: int
    done_at: datetime | None

    @property
    def is_late(self) -> bool:
        """Whether it was done after the date."""
        return self.done_at is not None and self.done_at > self.assignment.due_at

    @property
    def is_missed(self) -> bool:
        """Whether the date has passed, and it is not done."""
        return self.done_at is None and self.assignment.is_over


@dataclass(frozen=True, slots=True)
class AssignmentLine:
    """An assignment with how far some members are, and how many have done it."""

    assignment: Assignment
    progress: list[MemberProgress]

    @property
    def finished(self) -> int:
        """How many have done all of it."""
        return sum(one.done_at is not None for one in self.progress)


def assignments_of(classroom: Classroom, people: Collection[User]) -> list[AssignmentLine]:
    """The assignments of a class, the next date first and past ones last, with how far these people are."""
    found = sorted(classroom.assignments.all(), key=lambda one: (one.is_over, one.due_at))
    return [AssignmentLine(one, _progress(one, people)) for one in found]


def _progress(assignment: Assignment, people: Collection[User]) -> list[MemberProgress]:
    keys = [one.pk for one in people]
    times = _uploads(assignment, keys) if assignment.kind == Assignment.Kind.BOT else _games(assignment, keys)
    lines = []
    for person in people:
        own = sorted(times.get(person.pk, ()))[: assignment.count]
        done_at = own[-1] if len(own) == assignment.count else None
        lines.append(MemberProgress(assignment, person, len(own), done_at))
    return lines


def _uploads(assignment: Assignment, people: Collection[int]) -> Times:
    """When each uploaded what passed its check for the game, alone or with others."""
    together = CoOwner.objects.filter(user__in=people, status=CoOwner.Status.ACCEPTED)
    passed = Trial.objects.filter(board=assignment.variant, verdict=Trial.Verdict.PASSED)
    versions = Version.objects.filter(
        Q(bot__owner__in=people) | Q(bot__in=together.order_by().values("bot")),
        pk__in=passed.values("version"),
    )
    others = defaultdict(list)
    for user, bot in together.values_list("user", "bot"):
        others[bot].append(user)
    found: Times = defaultdict(list)
    for owner, bot, at in versions.values_list("bot__owner", "bot", "created_at"):
        for user in {owner, *others[bot]}:
            found[user].append(at)
    return found


def _games(assignment: Assignment, people: Collection[int]) -> Times:
    """When each finished the games at the table that count: none that they gave up."""
    played = Friendly.objects.filter(
        owner__in=people,
        variant=assignment.variant,
        status=Friendly.Status.FINISHED,
        finished_at__gte=assignment.created_at,
    )
    found: Times = defaultdict(list)
    rows: Iterable[Any] = played.order_by().values_list("owner", "seat", "finished_at", "result")
    for owner, seat, at, result in rows:
        if _counts(assignment, seat, result or {}):
            found[owner].append(at)
    return found


def _counts(assignment: Assignment, seat: int, result: dict[str, Any]) -> bool:
    """Whether a game with this result counts for who sat there."""
    if assignment.kind == Assignment.Kind.WINS:
        return bool(result.get("ranking")) and result["ranking"][0] == [seat]
    return not (result.get("termination") in FORFEITS and result.get("seat") == seat)
