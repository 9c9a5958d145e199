"""What an operator wants to know of the last hour, how large everything is, and what `/health` says of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db import OperationalError, connection
from django.db.models import Avg, Count, F, Min, Q
from django.utils import timezone

from bots.remote.connections import online_count, traffic
from tournaments.models import Alarm, Analysis, Attempt, Game, Result, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.questions.question_types import FOR_DEPTH

if TYPE_CHECKING:
    from collections.abc import Sequence


LATELY: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Ended:
    """How often games ended so on a host within the last hour."""

    host: str
    termination: str
    count: int


@dataclass(frozen=True, slots=True)
class RemoteFigures:
    """How many remote bots are online, the games with remote bots that wait and run, and the bytes that came
    from their connections and went there in all."""

    online: int
    waiting: int
    running: int
    bytes_in: int
    bytes_out: int


@seeing_hidden()
def remote() -> RemoteFigures:
    """Who plays from elsewhere now."""
    games = Game.objects.filter(tournament__admits_remote=True)
    return RemoteFigures(
        online_count(),
        games.filter(status=Game.Status.QUEUED, tournament__status=Tournament.Status.RUNNING).count(),
        games.filter(status=Game.Status.RUNNING).count(),
        *traffic(),
    )


@dataclass(frozen=True, slots=True)
class GivenBack:
    """How often games were begun on a host within the last hour and brought no result, by cause."""

    host: str
    cause: str
    count: int

    @property
    def words(self) -> str:
        """The cause for people."""
        return str(Attempt.Cause(self.cause).label)


@dataclass(frozen=True, slots=True)
class TableSize:
    """A table: its rows, about, and its bytes with indexes; None where the database cannot tell."""

    table: str
    rows: int | None
    bytes: int | None


def ended_lately() -> Sequence[Ended]:
    """Results of the last hour by host and end, forfeits among them, but not hidden ones."""
    since = timezone.now() - LATELY
    rows = (
        Result.objects.filter(game__status=Game.Status.FINISHED, game__finished_at__gt=since)
        .values_list("attempt__host", "termination")
        .annotate(count=Count("pk"))
        .order_by("attempt__host", "termination")
    )
    return [Ended(*row) for row in rows]


@seeing_hidden()
def given_back_lately() -> Sequence[GivenBack]:
    """Attempts of the last hour that brought no result and that nobody cancelled, by host and cause."""
    wanted = (Attempt.Cause.DELIVERED, Attempt.Cause.CANCELLED)
    rows = (
        Attempt.objects.filter(ended_at__gt=timezone.now() - LATELY)
        .exclude(cause__in=wanted)
        .values_list("host", "cause")
        .annotate(count=Count("pk"))
        .order_by("host", "cause")
    )
    return [GivenBack(*row) for row in rows]


@seeing_hidden()
def usual_wait() -> float:
    """The mean seconds between making a game and claiming it, of those claimed within the last hour."""
    started = Game.objects.filter(started_at__gt=timezone.now() - LATELY)
    found = started.aggregate(wait=Avg(F("started_at") - F("created_at")))["wait"]
    return float(found.total_seconds()) if found else 0.0


@seeing_hidden()
def oldest_waiting() -> float:
    """The age in seconds of the oldest game that waits in a running tournament."""
    waiting = Game.objects.filter(
        status=Game.Status.QUEUED, tournament__status=Tournament.Status.RUNNING
    ).aggregate(at=Min("created_at"))["at"]
    return max(0.0, (timezone.now() - waiting).total_seconds()) if waiting else 0.0


def sizes() -> Sequence[TableSize]:
    """Every table of the site, largest first."""
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    found = _postgresql_sizes() if connection.vendor == "postgresql" else _sqlite_sizes(sorted(tables))
    ours = [size for size in found if size.table in tables]
    return sorted(ours, key=lambda one: (-(one.bytes or 0), -(one.rows or 0), one.table))


def _postgresql_sizes() -> list[TableSize]:
    """By PostgreSQL's own statistics: counting a million rows would take seconds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, greatest(n_live_tup, 0), pg_total_relation_size(relid) FROM pg_stat_user_tables"
        )
        return [TableSize(*row) for row in cursor.fetchall()]


def _sqlite_sizes(tables: Sequence[str]) -> list[TableSize]:
    """By the pages of each table, where SQLite was built to tell."""
    with connection.cursor() as cursor:
        try:
            cursor.execute(
                "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_master s ON s.name = d.name"
                " WHERE d.aggregate = TRUE GROUP BY s.tbl_name"
            )
            pages = dict(cursor.fetchall())
        except OperationalError:
            pages = {}
        found = []
        for table in tables:
            cursor.execute(f'SELECT count(*) FROM "{table}"')  # noqa: S608 (names of our own models)
            found.append(TableSize(table, cursor.fetchone()[0], pages.get(table)))
    return found


ANALYSIS_LATE_SECONDS = 15 * 60


def open_alarms() -> list[Alarm]:
    """Alarms that nobody has cleared, newest first."""
    return list(Alarm.objects.filter(cleared_at=None))


@seeing_hidden()
def queue() -> dict[str, Any]:
    """What waits and what is being played; `oldest_seconds` is the age of the longest running game."""
    live = Q(tournament__status=Tournament.Status.RUNNING)
    # Only these: there may be a million finished ones.
    games = Game.objects.filter(status__in=(Game.Status.QUEUED, Game.Status.RUNNING))
    found = games.aggregate(
        queued=Count("pk", filter=live & Q(status=Game.Status.QUEUED)),
        running=Count("pk", filter=Q(status=Game.Status.RUNNING)),
    )
    oldest = Attempt.objects.filter(ended_at=None).aggregate(at=Min("started_at"))["at"]
    age = (timezone.now() - oldest).total_seconds() if oldest else 0.0
    return {**found, "oldest_seconds": round(age, 1)}


def competition() -> dict[str, Any]:
    """The competition's part of `/health`: red while an alarm is open, with its sentence."""
    alarms = open_alarms()
    part: dict[str, Any] = {"ok": not alarms, **queue()}
    if alarms:
        part["reason"] = "; ".join(f"{alarm.get_kind_display()}: {alarm.detail}" for alarm in alarms[:5])
    return part


def analysis() -> dict[str, Any]:
    """Analysis' part of `/health`: red when a question that is still wanted has waited for long.

    Whole games to be judged by oracle may: each takes minutes, and they are answered one after the other.
    """
    now = timezone.now()
    wanted = Q(wanted_until=None) | Q(wanted_until__gt=now)
    waits = Analysis.objects.filter(wanted, status__in=(Analysis.Status.WAITING, Analysis.Status.RUNNING))
    found = waits.aggregate(waiting=Count("pk"), oldest=Min("asked_at", filter=Q(rank__lt=FOR_DEPTH)))
    age = (now - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    part: dict[str, Any] = {
        "ok": age <= ANALYSIS_LATE_SECONDS,
        "waiting": found["waiting"],
        "oldest_seconds": round(age, 1),
    }
    if not part["ok"]:
        part["reason"] = f"a question has waited {age:.0f} s for an analysis process"
    return part
