"""Hands questions to workers by conditional update. A dead worker's lease expires.

A row's `attempts` fences: whoever was given it later alone may answer.
"""

from __future__ import annotations

import zlib
from collections import deque
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db import connection, transaction
from django.db.models import CharField, DateTimeField, F, PositiveSmallIntegerField, Q

from analysis.event_log import canonical
from arena.web.database import database_clock
from arena.web.database.prepared_sql import Param, PreparedQuery, PreparedUpdate
from tournaments.models import Analysis
from tournaments.questions.question_types import FOR_DEPTH, FOR_SHARING, FOR_THE_ARENA, WHEN_IDLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
GATHERED: Final = 8
"""Questions that are answered together. A person's question may have to wait for them."""
NOW: Final = Param("now", DateTimeField())
AHEAD: Final = Param("ahead", DateTimeField())


class Unwanted(Exception):
    """Nobody waits for the answer any more, or another worker was given the question."""


class Patience(NamedTuple):
    """How long what the arena asks for itself waits for more of its kind: what counts, what is only shown.

    Many that came meanwhile cost the database as little as one.
    """

    counted: timedelta = timedelta(0)
    shown: timedelta = timedelta(0)


IMPATIENT: Final = Patience()


def claim(worker: str, *, arena: bool, deep: bool = False, patience: Patience = IMPATIENT) -> Analysis | None:
    """The next question for this worker, people's before the arena's own (left out unless `arena`).

    Whole games to be judged by oracle are for a worker that does nothing else (`deep`).
    """
    for _ in range(TRIES):
        now = database_clock.now()
        ends = {"now": now, "ahead": now + 2 * LEASE}
        row = _next(arena, deep).first(**ends, counted=now - patience.counted, shown=now - patience.shown)
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
        elif arena:
            counted, shown = _asked_by("counted"), _asked_by("shown")
            ripe = Q(counted, rank=FOR_THE_ARENA) | Q(shown, rank=WHEN_IDLE)
            found = found.filter(Q(rank__lt=FOR_THE_ARENA) | ripe)
        else:
            found = found.filter(rank__lt=FOR_THE_ARENA)
        return found.defer("answer").order_by("rank", "asked_at")[:1]

    return PreparedQuery(made)


def _asked_by(name: str) -> Q:
    """Asked before the moment of this name, or by a clock that was ahead."""
    return ~Q(asked_at__gt=Param(name, DateTimeField()), asked_at__lt=AHEAD)


_TAKEN: Final[Mapping[str, Any]] = {
    "status": Analysis.Status.RUNNING,
    "worker": Param("worker", CharField()),
    "lease_until": Param("until", DateTimeField()),
    "attempts": F("attempts") + 1,
    "progress": 0,
}


@PreparedUpdate
def _take() -> tuple[QuerySet[Analysis], Mapping[str, Any]]:
    attempts = Param("attempts", PositiveSmallIntegerField())
    found = Analysis.objects.filter(_free(), pk=Param("key", CharField()), attempts=attempts)
    return found, _TAKEN


def claim_alike(row: Analysis, worker: str) -> list[Analysis]:
    """Further questions of the kind of one that this worker was just given, those never tried before."""
    until = database_clock.now() + LEASE
    with transaction.atomic():  # which Django asks for where rows are locked
        found = _take_alike.returning(("key", "arguments"), kind=row.kind, worker=worker[:120], until=until)
    return [Analysis(key=key, kind=row.kind, arguments=asked, attempts=1) for key, asked in found]


@PreparedUpdate
def _take_alike() -> tuple[QuerySet[Analysis], Mapping[str, Any]]:
    fresh = Analysis.objects.filter(kind=Param("kind", CharField()), attempts=0, wanted_until=None)
    fresh = fresh.filter(status=Analysis.Status.WAITING).order_by("asked_at")
    if connection.features.has_select_for_update_skip_locked:
        fresh = fresh.select_for_update(skip_locked=True)
    return Analysis.objects.filter(pk__in=fresh.values("pk")[: GATHERED - 1]), _TAKEN


def renew(*rows: Analysis) -> None:
    """Renew the lease on questions. Raises Unwanted if another worker has one or nobody wants it."""
    now = database_clock.now()
    wanted = Q(wanted_until=None) | Q(wanted_until__gt=now)
    if _held(*rows).filter(wanted).update(lease_until=now + LEASE) < len(rows):
        raise Unwanted(f"{rows[0]} is not wanted any more")


def report(row: Analysis, share: float) -> None:
    """Note what share of the work is done, for whoever waits."""
    _held(row).update(progress=min(100, int(100 * share)))


def finish(*rows: Analysis, answer: Any | None = None) -> bool:
    """Keep the answer; what is kept elsewhere (None) needs no row any more."""
    if answer is None:
        return bool(_held(*rows).delete()[0])
    done = _held(*rows).update(
        status=Analysis.Status.DONE,
        answer=zlib.compress(canonical(answer)),
        finished_at=database_clock.now(),
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
        finished_at=database_clock.now(),
        lease_until=None,
    )
    return bool(done)


def give_back(*rows: Analysis, tried: bool = False) -> None:
    """Give questions back for another worker, because this one was told to end, or for each to be tried again
    alone."""
    attempts = F("attempts") - (0 if tried else 1)
    _held(*rows).update(status=Analysis.Status.WAITING, lease_until=None, worker="", attempts=attempts)


def drop(row: Analysis) -> None:
    """Forget a question that nobody waits for."""
    _held(row).filter(wanted_until__lte=database_clock.now()).delete()


def sweep() -> None:
    """Forget questions that were left before a worker came to them, and answers that nobody reads."""
    now = database_clock.now()
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
    lost = Q(lease_until__lt=NOW) | Q(lease_until__gt=AHEAD)
    return Q(status=Analysis.Status.WAITING) | Q(lost, status=Analysis.Status.RUNNING)


def _held(*rows: Analysis) -> QuerySet[Analysis]:
    """The rows, all tried equally often, as long as they are this attempt's."""
    keys = [row.pk for row in rows]
    return Analysis.objects.filter(pk__in=keys, status=Analysis.Status.RUNNING, attempts=rows[0].attempts)


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
