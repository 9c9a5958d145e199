"""Has files of public data made in time, by an analysis process."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models.functions import TruncMonth

from arena.web.database import database_clock
from tournaments.games.public_data import TABLES, Month, files, newest
from tournaments.models import Dataset
from tournaments.questions.question_types import dataset
from tournaments.questions.requests import want_again

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from tournaments.games.public_data import File
    from tournaments.models import Game

DAILY: Final = timedelta(hours=20)
"""What still changes is made again after this long."""
LATER: Final = timedelta(days=30)
"""And a month that is over after this long: a pair may have been voided, or its luck measured."""
SETTLES: Final = timedelta(days=2)


def want_datasets() -> list[str]:
    """Ask for the files that are missing or too old; their names."""
    now = database_clock.now()
    made = dict(newest().values_list("name", "made_at"))
    due = [one.name for one in files(now) if _is_due(one, made.get(one.name), now)]
    with transaction.atomic():
        want_again(map(dataset, due))
    return due


def drop_before(moment: datetime, games: QuerySet[Game]) -> int:
    """Delete files made before a moment that may name what was hidden then, and ask for new ones; how many.

    These are the files of all time, and those of the months in which these games were finished. One that was
    being made in that moment is there only later: call this again.
    """
    months = (
        games.filter(finished_at__isnull=False)
        .order_by()
        .annotate(month=TruncMonth("finished_at", tzinfo=UTC))
    )
    by_month = [name for name, table in TABLES.items() if table.by_month]
    names = [name for name in TABLES if name not in by_month]
    names += [
        f"{name}-{Month.of(begins)}"
        for begins in months.values_list("month", flat=True).distinct()
        for name in by_month
    ]
    gone = Dataset.objects.filter(name__in=names, made_at__lte=moment)
    count = gone.count()
    if count:
        gone.delete()
        want_datasets()
    return count


def _is_due(file: File, made_at: datetime | None, now: datetime) -> bool:
    if made_at is None:
        return True
    over = file.month is not None and made_at > file.month.next.begins + SETTLES
    return now - made_at > (LATER if over else DAILY)
