"""Messages to workers. A message only says "look there": what is to be done, the database knows.

So a lost message is sent again by the sweep, and one that comes twice finds nothing to do.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from celery import current_app
from django.db import transaction

if TYPE_CHECKING:
    from uuid import UUID

PLAY = "tournaments.play_game"
ADVANCE = "tournaments.advance"
RATE = "tournaments.rate"
CHECK = "tournaments.check_version"
LUCK = "tournaments.luck"
FRIENDLY = "tournaments.friendly"


def play_on_commit(games: int, delay_seconds: float = 0) -> None:
    """Ask that many times for a game to be played, once the transaction is committed."""
    for _ in range(games):
        transaction.on_commit(partial(_send, PLAY, (), delay_seconds))


def advance_on_commit(tournament_id: int) -> None:
    """Ask for a tournament's next pairings and games, once the transaction is committed."""
    transaction.on_commit(partial(_send, ADVANCE, (tournament_id,), 0))


def rate_on_commit(variant: str, delay_seconds: float) -> None:
    """Ask for a variant's ratings, once the transaction is committed."""
    transaction.on_commit(partial(_send, RATE, (variant,), delay_seconds))


def luck_on_commit(pair_id: int) -> None:
    """Ask for the luck in an accepted pair's games, once the transaction is committed."""
    transaction.on_commit(partial(_send, LUCK, (pair_id,), 0))


def friendly_on_commit(friendly: UUID) -> None:
    """Ask for the bot's answer in a person's game, once the transaction is committed."""
    transaction.on_commit(partial(_send, FRIENDLY, (str(friendly),), 0))


def _send(name: str, arguments: tuple[object, ...], delay_seconds: float) -> None:
    current_app.send_task(name, args=list(arguments), countdown=delay_seconds or None)
