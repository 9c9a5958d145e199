"""The time by the database's clock, which is the same for every process of a site.

One host writes leases, waits and results, and others read them. If each went by its own clock, a host whose
clock is wrong would have games taken back everywhere. A worker process compares its clock with the database's
at every heartbeat, and in between goes by a clock that nobody can set, so a jump does no harm either.
"""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import connection
from django.utils import timezone

from arena.web.cache.values import forget_with

if TYPE_CHECKING:
    from datetime import datetime

RIGHT_SECONDS: Final = 1.0
"""A clock no further off is left as it is: asking the database takes time too."""
COMPARED_SECONDS: Final = 10.0
"""How long it is before the database is asked again."""


class _Compared:
    """What the database's clock was ahead of the one that runs since the machine was started, and when that
    was asked, in seconds."""

    ahead: float | None = None
    at = 0.0

    @classmethod
    def forget(cls) -> None:
        """Go by this machine's own clock."""
        cls.ahead = None


forget_with(_Compared.forget)


def now() -> datetime:
    """The time by the database's clock in a process that compares; by this machine's own in others."""
    told = timezone.now()
    wrong = _wrong(told)
    return told if abs(wrong) <= RIGHT_SECONDS else told - timedelta(seconds=wrong)


def compare() -> float:
    """Ask the database what time it is, unless it was asked a moment ago; return by how many seconds this
    machine's clock is ahead of it.

    A database in a file has no clock of its own.
    """
    begun = _since_start()
    if connection.vendor == "postgresql" and (
        _Compared.ahead is None or begun - _Compared.at > COMPARED_SECONDS
    ):
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
            there = float(cursor.fetchone()[0])
        _Compared.at = _since_start()
        _Compared.ahead = there - (begun + _Compared.at) / 2
    return _wrong(timezone.now())


def _wrong(told: datetime) -> float:
    """By how many seconds this time is ahead of the database's; 0 where they were not compared."""
    ahead = _Compared.ahead
    return 0.0 if ahead is None else told.timestamp() - _since_start() - ahead


def _since_start() -> float:
    """Seconds since the machine was started, those in which it slept too."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
