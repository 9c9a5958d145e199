"""Chooses the referee for a game: with turns, or with ticks in which both are asked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Race, RaceGame
from referee.nonces import nonces
from referee.ticks.loop import RaceReferee
from referee.turns.loop import Referee
from referee.turns.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Position
    from referee.job import Job
    from referee.player import Player


def referee_of(
    start: Position | Race, players: Sequence[Player], job: Job, *, idle: Callable[[], object] = lambda: None
) -> Referee | RaceReferee:
    """Return a referee that plays from this position with the job's clock."""
    ids = nonces(job.nonce_seed)
    if isinstance(start, Race):
        game = RaceGame(start)
        return RaceReferee(game, players, job.clock, ids, start_seconds=job.start_seconds, idle=idle)
    return Referee(Table(start), players, job.clock, ids, start_seconds=job.start_seconds, idle=idle)
