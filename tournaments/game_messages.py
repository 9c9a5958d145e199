"""Messages to workers. A message only says "look there": what is to be done, the database knows.

So a lost message is sent again by the sweep, and one that comes twice finds nothing to do.
"""

from __future__ import annotations

from functools import partial

from django.db import transaction

from arena.web.processes.capacity import games_at_once
from arena.web.worker_messages import send

PLAY = "tournaments.play_game"
ADVANCE = "tournaments.advance"
BENCH = "tournaments.bench"
COMPARE = "tournaments.compare"
RATE = "tournaments.rate"
FIELD_CHANGED = "tournaments.field_changed"
THINK = "tournaments.think"


def play_on_commit(games: int) -> None:
    """Wake as many sleeping players as there are games for, once the transaction is committed."""
    transaction.on_commit(partial(wake_players, games))


def wake_players(games: int) -> None:
    """Wake players for that many games: each message wakes one, and no more can be awake than there are."""
    for _ in range(min(games, games_at_once())):
        send(PLAY)


def advance_on_commit(tournament_id: int) -> None:
    """Ask for a tournament's next pairings and games, once the transaction is committed."""
    transaction.on_commit(partial(send, ADVANCE, tournament_id))


def rate_on_commit(variant: str, delay_seconds: float) -> None:
    """Ask for a variant's ratings, once the transaction is committed."""
    transaction.on_commit(partial(send, RATE, variant, delay_seconds=delay_seconds))


def think_on_commit() -> None:
    """Wake a sleeping analysis worker, once the transaction is committed."""
    transaction.on_commit(partial(send, THINK))


def bench_on_commit(version_id: int) -> None:
    """Have a version looked at that has just crashed, once the transaction is committed."""
    transaction.on_commit(partial(send, BENCH, version_id))
