"""Hands questions to workers by conditional update. A dead worker's lease expires.

A row's `attempts` fences: whoever was given it later alone may answer.
"""

from __future__ import annotations

import zlib
from collections import deque
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.db.models import CharField, DateTimeField, F, PositiveSmallIntegerField, Q
from django.utils import timezone

from analysis.event_log import canonical
from arena.web.database import prepared_sql
from arena.web.database.prepared_sql import Param, PreparedQuery, PreparedUpdate
from tournaments.models import Analysis
from tournaments.questions.question_types import FOR_DEPTH, FOR_SHARING, FOR_THE_ARENA

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

LEASE: Final = timedelta(seconds=10)
ATTEMPTS: Final = 3
"""How many times a question may end the process that works on it."""
KEPT: Final = timedelta(days=1)
DEEP_KEPT: Final = timedelta(days=60)
"""How long an answer is kept that nobody reads; one that took long is kept longer."""
MOST_KEPT: Final = 20_000
PASSAGES_KEPT: Final = timedelta(days=30)
MOST_PASSAGES: Final = 400
"""Pictures of passages, of at most a megabyte each: links to them stand on other sites. With more, those go
first for which somebody asked who has most."""
TRIES: Final = 5
NOW: Final = Param("now", DateTimeField())


class Unwanted(Exception):
    """Nobody waits for the answer any more, or another worker was given the question."""


def claim(worker: str, *, arena: bool, deep: bool = False) -> Analysis | None:
    """The next question for this worker, people's before the arena's own (left out unless `arena`).

    Whole games to be judged by oracle are for a worker that does nothing else (`deep`).
    """
    for _ in range(TRIES):
        now = timezone.now()
        ends = {"now": now, "ahead": now + 2 * LEASE}
        row = _next(arena, deep).first(**ends)
        if row is None:
            return None
        if row.attempts >= ATTEMPTS:
            fail(row, Analysis.Cause.CRASH, f"It ended {ATTEMPTS} workers.")
            continue
        named = {"key": row.pk, "attempts": row.attempts, "worker": worker[:120], "until": now + LEASE}
        if _take(**ends, **named):
            row.attempts += 1
            return row
    return None


@cache
def _next(arena: bool, deep: bool) -> PreparedQuery[Analysis]:
    """What `claim` takes."""

    def made() -> QuerySet[Analysis]:
        wanted = Q(wanted_until=None) | Q(wanted_until__gt=NOW)
        found = Analysis.objects.filter(_free(), wanted)
        if deep:
            found = found.filter(rank=FOR_DEPTH)
        else:
            found = found.filter(rank__lt=FOR_DEPTH if arena else FOR_THE_ARENA)
        return found.defer("answer").order_by("rank", "asked_at")[:1]

    return PreparedQuery(made)


@PreparedUpdate
def _take() -> tuple[QuerySet[Analysis], dict[str, Any]]:
    attempts = Param("attempts", PositiveSmallIntegerField())
    found = Analysis.objects.filter(_free(), pk=Param("key", CharField()), attempts=attempts)
    return found, {
        "status": Analysis.Status.RUNNING,
        "worker": Param("worker", CharField()),
        "lease_until": Param("until", DateTimeField()),
        "attempts": F("attempts") + 1,
        "progress": 0,
    }


def renew(row: Analysis) -> None:
    """Renew the lease on a question. Raises Unwanted if another worker has it or nobody wants it."""
    now = timezone.now()
    wanted = Q(wanted_until=None) | Q(wanted_until__gt=now)
    if not _held(row).filter(wanted).update(lease_until=now + LEASE):
        raise Unwanted(f"{row} is not wanted any more")


def report(row: Analysis, share: float) -> None:
    """Note what share of the work is done, for whoever waits."""
    _held(row).update(progress=min(100, int(100 * share)))


def finish(row: Analysis, answer: Any | None) -> bool:
    """Keep the answer; what is kept elsewhere (None) needs no row any more."""
    if answer is None:
        held = {"pk": row.pk, "status": Analysis.Status.RUNNING, "attempts": row.attempts}
        return bool(prepared_sql.delete(Analysis, held))
    done = _held(row).update(
        status=Analysis.Status.DONE,
        answer=zlib.compress(canonical(answer)),
        finished_at=timezone.now(),
        lease_until=None,
    )
    return bool(done)


def fail(row: Analysis, cause: Analysis.Cause, error: str) -> bool:
    """Note why there is no answer."""
    failed = Analysis.objects.filter(pk=row.pk, attempts=row.attempts).exclude(
        status__in=(Analysis.Status.DONE, Analysis.Status.FAILED)
    )
    done = failed.update(
        status=Analysis.Status.FAILED,
        cause=cause,
        error=error[:300],
        finished_at=timezone.now(),
        lease_until=None,
    )
    return bool(done)


def give_back(row: Analysis) -> None:
    """Give a question back for another worker, because this one was told to end."""
    _held(row).update(status=Analysis.Status.WAITING, lease_until=None, worker="", attempts=F("attempts") - 1)


def drop(row: Analysis) -> None:
    """Forget a question that nobody waits for."""
    _held(row).filter(wanted_until__lte=timezone.now()).delete()


def sweep() -> None:
    """Forget questions that were left before a worker came to them, and answers that nobody reads."""
    now = timezone.now()
    Analysis.objects.filter(status=Analysis.Status.WAITING, wanted_until__lt=now - KEPT / 24).delete()
    over = Analysis.objects.filter(status__in=(Analysis.Status.DONE, Analysis.Status.FAILED))
    over.filter(finished_at__lt=now - KEPT, rank__lt=FOR_DEPTH).exclude(_a_picture()).delete()
    over.filter(_a_picture(), finished_at__lt=now - PASSAGES_KEPT).delete()
    over.filter(finished_at__lt=now - DEEP_KEPT).delete()
    _keep_newest(over.exclude(_a_picture()), MOST_KEPT)
    forget_passages()


def forget_passages() -> None:
    """Forget pictures, so that there are never many: of whoever asked for most, the longest not looked at.

    So nobody can have enough drawn to make everybody else's disappear.
    """
    rows = Analysis.objects.filter(_a_picture(), finished_at__isnull=False).order_by("finished_at", "pk")
    kept: dict[str, deque[str]] = {}
    for key, asker in rows.values_list("pk", "asker"):
        kept.setdefault(asker, deque()).append(key)
    surplus = sum(map(len, kept.values())) - MOST_PASSAGES
    # Of two with equally many, the one with the oldest comes first in `kept`.
    gone = [max(kept.values(), key=len).popleft() for _ in range(surplus)]
    if gone:
        Analysis.objects.filter(_a_picture(), pk__in=gone).delete()


def _a_picture() -> Q:
    """Pictures of passages that were drawn; where that failed, nothing has to be kept for long."""
    return Q(rank=FOR_SHARING, status=Analysis.Status.DONE)


def _keep_newest(over: QuerySet[Analysis], most: int) -> None:
    oldest = over.order_by("-finished_at").values_list("finished_at", flat=True)[most : most + 1]
    for limit in oldest:
        over.filter(finished_at__lte=limit).delete()


def _free() -> Q:
    """Questions that nobody works on `NOW`; a lease longer than any is of a time when the clock was ahead."""
    lost = Q(lease_until__lt=NOW) | Q(lease_until__gt=Param("ahead", DateTimeField()))
    return Q(status=Analysis.Status.WAITING) | Q(lost, status=Analysis.Status.RUNNING)


def _held(row: Analysis) -> QuerySet[Analysis]:
    """The row as long as it is this attempt's."""
    return Analysis.objects.filter(pk=row.pk, status=Analysis.Status.RUNNING, attempts=row.attempts)


class _Waker:
    """Who is woken when a message reaches this process."""

    listeners: tuple[Callable[[], object], ...] = ()


def listen(wake: Callable[[], object]) -> None:
    """Have something called with every message."""
    _Waker.listeners = (*_Waker.listeners, wake)


def wake() -> None:
    """Pass a message on."""
    for each in _Waker.listeners:
        each()
