"""Has files of public data made in time, by an analysis process."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils import timezone

from tournaments.models import Analysis
from tournaments.selectors.datasets import newest
from tournaments.selectors.public_data import files
from tournaments.services.analyses.asking import want
from tournaments.services.analyses.questions import dataset

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.selectors.public_data import File

DAILY: Final = timedelta(hours=20)
"""What still changes is made again after this long."""
LATER: Final = timedelta(days=30)
"""And a month that is over after this long: a pair may have been voided, or its luck measured."""
SETTLES: Final = timedelta(days=2)


def want_datasets() -> list[str]:
    """Ask for the files that are missing or too old; their names."""
    now = timezone.now()
    made = dict(newest().values_list("name", "made_at"))
    due = [one.name for one in files(now) if _is_due(one, made.get(one.name), now)]
    asked = [dataset(name) for name in due]
    with transaction.atomic():
        rows = Analysis.objects.filter(key__in=[one.key for one in asked])
        rows.filter(status=Analysis.Status.FAILED).delete()
        want(asked)
    return due


def _is_due(file: File, made_at: datetime | None, now: datetime) -> bool:
    if made_at is None:
        return True
    over = file.month is not None and made_at > file.month.next.begins + SETTLES
    return now - made_at > (LATER if over else DAILY)
