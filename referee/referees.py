"""Chooses the referee for a game: with turns, or with ticks in which both are asked at once."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from engine import TickGame, TickPosition, TurnPosition
from referee.protocol import nonces
from referee.ticks.loop import TickReferee
from referee.turns.loop import Referee
from referee.turns.whole import RefereeTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Position
    from referee.job import Job
    from referee.player import Player


@singledispatch
def referee_of(
    start: Position, players: Sequence[Player], job: Job, *, idle: Callable[[], object] = lambda: None
) -> Referee | TickReferee:
    """Return the referee of a game from this position on, by the job's clocks."""
    raise TypeError(f"expected a position that a referee plays from, got {start!r}")


@referee_of.register(TurnPosition)
def _(
    start: TurnPosition, players: Sequence[Player], job: Job, *, idle: Callable[[], object] = lambda: None
) -> Referee:
    ids = nonces(job.nonce_seed)
    return Referee(RefereeTable(start), players, job.rules, ids, start_seconds=job.start_seconds, idle=idle)


@referee_of.register(TickPosition)
def _(
    start: TickPosition, players: Sequence[Player], job: Job, *, idle: Callable[[], object] = lambda: None
) -> TickReferee:
    ids = nonces(job.nonce_seed)
    return TickReferee(TickGame(start), players, job.rules, ids, start_seconds=job.start_seconds, idle=idle)
