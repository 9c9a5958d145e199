"""Assignments: what a class is to do until a date."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext

from engine import VARIANTS
from people.classes.errors import ClassRefused
from people.classes.models import Assignment, Classroom

if TYPE_CHECKING:
    from collections.abc import Mapping

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
