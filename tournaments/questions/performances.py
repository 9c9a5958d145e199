"""How well each entrant did in one event: worked out by an analysis process, shown with what it counted.

The figures of an event are one row of `Analysis`. A page shows those that are there, with how many pairs they
are of, and asks for new ones when pairs were played since: while the event goes on, after a rest.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import CharField
from django.utils import timezone

from arena.web.database.prepared_sql import Param, PreparedQuery
from tournaments.events.standings import counted_pairs
from tournaments.game_messages import think_on_commit
from tournaments.models import Analysis, Tournament
from tournaments.questions import question_types
from tournaments.questions.requests import AGAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from analysis.formats.standings import Meeting
    from tournaments.models import Entry

Performed = tuple[float, float | None, float | None]
"""An entrant's Elo and the ends of its 95 % interval; an end is None if the games leave it open."""


MOST_COMPARED: Final = 40
"""Entrants of an event that are compared: a page has as many lines."""
REST: Final = timedelta(seconds=10)
"""How long the figures of a running event stand at least. Each computation takes a core some milliseconds and
has every open page of the event made again."""


@dataclass(frozen=True, slots=True)
class Performances:
    """Performances by entry, from an event's first pairs; `behind` counts the pairs played since."""

    rows: Mapping[int, Performed]
    pairs: int
    behind: int


def event_performances(
    tournament: Tournament, played: Sequence[Meeting], entries: Iterable[Entry]
) -> Performances | None:
    """What is known of how each entrant did in an event alone, in which these meetings were played.

    None in events with more entrants than are compared, and on ladders of several seats, which have ratings.
    """
    ladder = tournament.format == Tournament.Format.LADDER
    compared = sum(not (ladder and one.withdrawn) for one in entries)
    if compared > MOST_COMPARED or (ladder and tournament.players > 2):
        return None
    return performances(tournament, counted_pairs(tournament, played))


def performances(tournament: Tournament, pairs: int) -> Performances | None:
    """What is known of an event in which so many pairs count, or None; asks for what is missing."""
    if not pairs:
        return None
    asked = question_types.performance(tournament.pk)
    row = _row.first(key=asked.key)
    found = json.loads(zlib.decompress(row.answer)) if row is not None and row.answer else None
    resting = (
        tournament.status == Tournament.Status.RUNNING
        and row is not None
        and row.finished_at is not None
        and row.finished_at > timezone.now() - REST
    )
    if found is None or (found["pairs"] != pairs and not resting):
        _ask(asked, row)
    if found is None:
        return None
    rows = {int(entry): tuple(one) for entry, one in found["rows"].items()}
    return Performances(rows, found["pairs"], pairs - found["pairs"])


@PreparedQuery
def _row() -> QuerySet[Analysis]:
    return Analysis.objects.filter(pk=Param("key", CharField())).order_by()


def _ask(asked: question_types.Question, row: Analysis | None) -> None:
    """Queue the question unless it is being worked on; what failed is tried again after a while."""
    now = timezone.now()
    if row is not None and not (row.status == Analysis.Status.DONE or _failed_long_ago(row, now)):
        return
    fresh = {"status": Analysis.Status.WAITING, "rank": asked.rank, "asked_at": now, "attempts": 0}
    with transaction.atomic():
        if row is None:
            one = Analysis(key=asked.key, kind=asked.kind, arguments=dict(asked.arguments), **fresh)
            Analysis.objects.bulk_create([one], ignore_conflicts=True)
        else:
            same = Analysis.objects.filter(pk=row.pk, status=row.status, finished_at=row.finished_at)
            same.update(**fresh, cause="", error="", finished_at=None)
        think_on_commit()


def _failed_long_ago(row: Analysis, now: datetime) -> bool:
    failed = row.status == Analysis.Status.FAILED
    return failed and (row.finished_at is None or row.finished_at < now - AGAIN)
