"""Celery tasks of tournaments. A message only says "look there", and may come twice.

A task that a database restart interrupts is sent again at once instead of waiting for the sweep, which runs
again anyway.
"""

from __future__ import annotations

from arena.celery import shared_task
from arena.web.tasks import RESENT
from arena.web.worker_messages import send
from tournaments.events import registration
from tournaments.game_messages import COMPARE
from tournaments.games import archive, datasets, slots
from tournaments.operation import hosts, recovery, retention
from tournaments.operation.benchings import look_at
from tournaments.pairing import hidden_results_reveal, progress
from tournaments.questions import leases
from tournaments.ratings import audit, ladder, open_boards, ratings
from tournaments.ratings import twin_search as twins


@shared_task(name="tournaments.play_game")
def play_game() -> None:
    """Wake a player: a game waits."""
    slots.wake()


@shared_task(name="tournaments.advance", **RESENT)
def advance(tournament_id: int) -> None:
    """Make a tournament's next games, or finish it."""
    progress.advance(tournament_id)


@shared_task(name="tournaments.rate", **RESENT)
def rate(variant: str) -> None:
    """Compute a variant's ratings if pairs have changed."""
    if ratings.compute_ratings(variant):
        open_boards.tell_ratings(variant)


@shared_task(name="tournaments.bench", **RESENT)
def bench(version_id: int) -> None:
    """Bench a version that has crashed too often."""
    look_at(version_id)


@shared_task(name="tournaments.compare", **RESENT)
def compare() -> None:
    """Compare the next version that plays with the others, one after the other."""
    if twins.compare_next():
        send(COMPARE)


@shared_task(name="tournaments.field_changed", **RESENT)
def field_changed() -> None:
    """Bring the entrants of every ladder up to date, and compare who is new among them."""
    ladder.advance_ladders()
    send(COMPARE)


@shared_task(name="tournaments.sweep")
def sweep() -> None:
    """Take back expired leases, repeat lost requests, start events and reveal results whose time has come."""
    recovery.sweep()
    registration.start_due()
    hidden_results_reveal.reveal_due()


@shared_task(name="tournaments.look_at_hosts", **RESENT)
def look_at_hosts() -> None:
    """Set aside hosts on which bots lose on time more often than elsewhere."""
    hosts.look_at_hosts()


@shared_task(name="tournaments.remove_old", **RESENT)
def remove_old() -> None:
    """Remove what is too old to be kept."""
    retention.remove_all()


@shared_task(name="tournaments.archive_records", **RESENT)
def archive_records() -> None:
    """Move the records of old games to the archive, and see whether all of it is there."""
    archive.archive_nightly()


@shared_task(name="tournaments.want_datasets", **RESENT)
def want_datasets() -> None:
    """Ask for the files of public data that are missing or too old."""
    datasets.want_datasets()


@shared_task(name="tournaments.think")
def think() -> None:
    """Wake the analysis workers of this process."""
    leases.wake()


@shared_task(name="tournaments.forget_analyses")
def forget_analyses() -> None:
    """Forget questions and answers that nobody asks for any more."""
    leases.sweep()


@shared_task(name="tournaments.audit", **RESENT)
def audit_all() -> None:
    """Compute everything again from the results, and compare."""
    audit.audit_all()
