"""The record of a game: what a replay is made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine import RULES_VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.referee.job import Job
    from tournaments.referee.pool import Finished

FORMAT: Final = 1


def record(game: str, job: Job, finished: Finished, seats: Sequence[tuple[str, bool]]) -> dict[str, Any]:
    """Return the record of a game that was played here; ``seats`` are names and whether they are of the
    house."""
    return {
        "format": FORMAT,
        "rules": RULES_VERSION,
        "game": game,
        "variant": job.variant,
        "players": len(job.seats),
        "seats": [
            {"bot": name, "version": 1, "owner": None, "house": house, "url": None} for name, house in seats
        ],
        "start": job.start,
        "events": finished.events,
        "result": finished.message["result"],
        "clock": {"bank_ms": job.clock.bank_ms, "increment_ms": job.clock.increment_ms},
        "status": "finished",
    }
