"""Asks questions. People who ask the same question share one search and its answer.

The queue is limited, and so is what one person or address may ask, because searching is the most expensive
thing that strangers can request. A stored answer costs nothing and is never refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.translation import gettext

from analysis.values import measures_luck
from arena.web.database import database_clock
from arena.web.http import rate_limits
from tournaments.game_messages import think_on_commit
from tournaments.models import Analysis, Game, Pair, Tournament
from tournaments.questions.question_types import (
    FOR_DEPTH,
    FOR_PAGES,
    FOR_PEOPLE,
    FOR_SHARING,
    FOR_THE_ARENA,
    WHEN_IDLE,
    luck,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from tournaments.questions.question_types import Question

WANTED: Final = timedelta(seconds=10)
DEEP_WANTED: Final = timedelta(seconds=30)
SHARED_WANTED: Final = timedelta(minutes=1)
"""This long after the last request, nobody waits any more; a page in the background asks less often. Whoever
looks at a shared picture, perhaps a program that makes a preview, asks once."""
DEEP_WAITING: Final = 8
DEEP_AT_ONCE: Final = 1
DEEP_AN_HOUR: Final = 20
"""Games to be judged by oracle that wait or are worked on; of these from one asker; and new ones an hour."""
PASSAGES_WAITING: Final = 12
PASSAGES_AN_HOUR: Final = 30
"""Passages to be drawn that wait or are worked on; and new ones of one asker an hour."""
MOST_WAITING: Final = 100
"""Questions of people that wait or are worked on."""
AT_ONCE: Final = 4
"""Of these from one asker."""
A_MINUTE: Final = 90
"""New questions of one asker, and four times as many from one address."""
ADDRESS_FACTOR: Final = 4
ADDRESS_SHARE: Final = 2
"""One address, with all its accounts, gets half of the places in each queue: others find one."""
AGAIN: Final = timedelta(minutes=1)
FOR_GOOD: Final = (Analysis.Cause.RECORD, Analysis.Cause.GONE)
"""A failed question is not tried again for this long."""
KEPT_FRESH: Final = timedelta(hours=1)

UNFINISHED: Final = (Analysis.Status.WAITING, Analysis.Status.RUNNING)


class Busy(Exception):
    """Too many questions. The text is for a person; `seconds` is how long to wait."""

    def __init__(self, sentence: str, seconds: int) -> None:
        super().__init__(sentence)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: an account or the keyed hash of an address, and that hash in any case."""

    name: str
    address: str


def ask(question: Question, asker: Asker) -> Analysis:
    """Return the row of a question, with its answer if known. Otherwise queue it and wake a worker.

    Raises Busy.
    """
    now = database_clock.now()
    row = Analysis.objects.filter(pk=question.key).first()
    if row is not None and _stands(row, now):
        return row
    if question.rank == FOR_DEPTH:
        # Also for one that all had left: whoever leaves one game after the other and asks for all of them
        # again would have the worker for themselves.
        _expect_room_for_depth(asker, now)
    elif row is None or row.is_over:
        _expect_room(asker, now)
        if question.rank == FOR_SHARING:
            _expect_room_for_passages(asker, now)
    # What this asker has under way already comes after everybody's first question.
    mine = _unfinished(now).filter(asker=asker.name).count()
    fresh = {
        "status": Analysis.Status.WAITING,
        "rank": max(question.rank, FOR_PEOPLE + min(mine, AT_ONCE)),
        "asker": asker.name,
        "address": asker.address,
        "asked_at": now,
        "wanted_until": now + _wanted(question.rank),
        "progress": 0,
        "attempts": 0,
        "cause": "",
        "error": "",
        "finished_at": None,
    }
    with transaction.atomic():
        if row is None:
            asked = {"kind": question.kind, "arguments": dict(question.arguments)}
            Analysis.objects.bulk_create(
                [Analysis(key=question.key, **asked, **fresh)], ignore_conflicts=True
            )
        else:
            # Left by all who wanted it, or failed a while ago.
            Analysis.objects.filter(pk=row.pk, status=row.status, attempts=row.attempts).update(**fresh)
        think_on_commit()
    return Analysis.objects.get(pk=question.key)


def want_luck(tournament: Tournament, pairs: Iterable[int]) -> None:
    """Ask for the luck of the finished games of pairs. Call in the transaction that finishes them."""
    if not measures_luck(tournament.variant, tournament.players):
        return
    rank = FOR_THE_ARENA if tournament.subtracts_luck else WHEN_IDLE
    want(luck(pair, rank) for pair in pairs)


def want(questions: Iterable[Question]) -> None:
    """Ask for what the arena itself needs, whoever else waits: a worker looks for it by itself."""
    now = database_clock.now()
    Analysis.objects.bulk_create(
        (
            Analysis(key=one.key, kind=one.kind, arguments=one.arguments, rank=one.rank, asked_at=now)
            for one in questions
        ),
        ignore_conflicts=True,
    )


def want_again(questions: Iterable[Question]) -> None:
    """Ask for what the arena itself still needs, also if it failed a while ago."""
    asked = list(questions)
    failed = Analysis.objects.filter(key__in=[one.key for one in asked], status=Analysis.Status.FAILED)
    failed.filter(finished_at__lt=database_clock.now() - AGAIN).delete()
    want(asked)


def luck_still_comes(tournament: Tournament) -> bool:
    """Whether the luck of a tournament's finished games will be measured; asks again for what failed.

    False if a game's record cannot be measured, now or ever.
    """
    counted = Game.objects.filter(tournament=tournament, pair__status=Pair.Status.ACCEPTED)
    missing = sorted(set(counted.filter(luck=None).values_list("pair", flat=True)))
    rows = Analysis.objects.filter(key__in=[luck(pair).key for pair in missing])
    if rows.filter(status=Analysis.Status.FAILED, cause__in=FOR_GOOD).exists():
        return False
    want_again(map(luck, missing))
    return True


def _stands(row: Analysis, now: datetime) -> bool:
    """Whether a row can be used as it is: answered, failed just now, or in progress for people who wait."""
    if row.status == Analysis.Status.DONE:
        if row.finished_at is not None and row.finished_at < now - KEPT_FRESH:
            # Kept by when it was last read, within the hour.
            Analysis.objects.filter(pk=row.pk).update(finished_at=now)
        return True
    if row.status == Analysis.Status.FAILED:
        return row.cause in FOR_GOOD or (row.finished_at is not None and row.finished_at > now - AGAIN)
    if row.wanted_until is None:
        return True
    # Given up between two questions: it goes to the end of the queue, as a new one.
    return bool(
        Analysis.objects.filter(pk=row.pk, status__in=UNFINISHED, wanted_until__gt=now).update(
            wanted_until=now + _wanted(row.rank)
        )
    )


def _unfinished(now: datetime) -> QuerySet[Analysis]:
    """Questions of people who still wait."""
    return Analysis.objects.filter(status__in=UNFINISHED, rank__lt=FOR_PAGES, wanted_until__gt=now)


def _wanted(rank: int) -> timedelta:
    return {FOR_DEPTH: DEEP_WANTED, FOR_SHARING: SHARED_WANTED}.get(rank, WANTED)


def find(question: Question) -> Analysis | None:
    """The row of a question if it is answered, asked by nobody; nothing is queued."""
    row = Analysis.objects.filter(pk=question.key, status=Analysis.Status.DONE).first()
    return row if row is not None and _stands(row, database_clock.now()) else None


def ahead(row: Analysis) -> int:
    """How many questions of its rank come before a waiting one."""
    waiting = Analysis.objects.filter(
        rank=row.rank, wanted_until__gt=database_clock.now(), asked_at__lt=row.asked_at
    )
    return waiting.filter(status__in=UNFINISHED).count()


def _expect_room_for_depth(asker: Asker, now: datetime) -> None:
    """Raise Busy if the asker, their address or all together ask oracle for too many games."""
    waiting = Analysis.objects.filter(status__in=UNFINISHED, rank=FOR_DEPTH, wanted_until__gt=now)
    if waiting.filter(asker=asker.name).count() >= DEEP_AT_ONCE:
        raise Busy(gettext("Oracle is still working on another game for you. Try again when it is done."), 20)
    _expect_share(waiting, asker, DEEP_WAITING, 60)
    if waiting.count() >= DEEP_WAITING:
        raise Busy(
            gettext("%(most)s games are already waiting for Oracle. Try again in a minute.")
            % {"most": DEEP_WAITING},
            60,
        )
    sentence = gettext(
        "You asked Oracle about %(most)s games in the last hour. Try again in %(minutes)s min."
    )
    _spend_hourly("depths", asker, DEEP_AN_HOUR, sentence)


def _expect_room_for_passages(asker: Asker, now: datetime) -> None:
    """Raise Busy if the asker, their address or all together ask for too many passages."""
    waiting = _unfinished(now).filter(rank=FOR_SHARING)
    _expect_share(waiting, asker, PASSAGES_WAITING, 60)
    if waiting.count() >= PASSAGES_WAITING:
        raise Busy(gettext("Many passages are being drawn right now. Try again in a minute."), 60)
    sentence = gettext("You asked for %(most)s passages in the last hour. Try again in %(minutes)s min.")
    _spend_hourly("passages", asker, PASSAGES_AN_HOUR, sentence)


def _spend_hourly(what: str, asker: Asker, limit: int, sentence: str) -> None:
    """Count a question for the asker and for their address. Raises Busy, in these words, above the limit."""
    for name, most in ((asker.name, limit), (f"address-{asker.address}", limit * ADDRESS_FACTOR)):
        used, seconds = rate_limits.spend(f"{what}/{name}", 3600)
        if used > most:
            raise Busy(sentence % {"most": most, "minutes": -(-seconds // 60)}, seconds)


def _expect_share(waiting: QuerySet[Analysis], asker: Asker, places: int, seconds: int) -> None:
    """Raise Busy if the asker's address has its share of the places in a queue, from whatever accounts."""
    if waiting.filter(address=asker.address).count() >= max(1, places // ADDRESS_SHARE):
        raise Busy(
            gettext("Many people on your network are using the analysis right now. Try again in a moment."),
            seconds,
        )


def _expect_room(asker: Asker, now: datetime) -> None:
    """Raise Busy if the asker, their address or all together ask too much."""
    waiting = _unfinished(now)
    if waiting.filter(asker=asker.name).count() >= AT_ONCE:
        raise Busy(
            gettext("We are still working on %(most)s questions of yours. Try again soon.")
            % {"most": AT_ONCE},
            2,
        )
    _expect_share(waiting, asker, MOST_WAITING, 5)
    if waiting.count() >= MOST_WAITING:
        raise Busy(gettext("Many people are using the analysis right now. Try again in a few seconds."), 5)
    for name, most in ((asker.name, A_MINUTE), (f"address-{asker.address}", A_MINUTE * ADDRESS_FACTOR)):
        used, seconds = rate_limits.spend(f"analyses/{name}", 60)
        if used > most:
            raise Busy(
                gettext("You asked for %(most)s analyses in the last minute. Try again in %(seconds)s s.")
                % {"most": most, "seconds": seconds},
                seconds,
            )
