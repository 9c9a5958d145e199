"""What a person's game in ticks shows to them: the open tick, and nothing of what the bot chose in it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from friendlies.tables.state import common

if TYPE_CHECKING:
    from datetime import datetime

    from friendlies.games.ticks import PersonTickTable
    from friendlies.models import Friendly

ABANDONED_MS = 3000
"""A tick that no page has closed so long after its end was left by the person: the game has paused."""


def over_by_ms(row: Friendly, now: datetime) -> float:
    """For how many milliseconds the open tick is over; below zero while it lasts or waits for the person."""
    if row.clock_from is None or not row.tick_ms:
        return -1.0
    return (now - row.clock_from - timedelta(milliseconds=row.tick_ms)).total_seconds() * 1000


def is_paused(row: Friendly, now: datetime) -> bool:
    """Whether no tick runs: the person paused the game, or has left it."""
    return row.clock_from is None or over_by_ms(row, now) > ABANDONED_MS


def state(row: Friendly, table: PersonTickTable, length: int, epoch: int, now: datetime) -> dict[str, Any]:
    """What the page of the person lacks who has ``length`` events of ``epoch``, and what may be done now.

    ``left_ms`` is how long the tick still lasts, above ``tick_ms`` while the last one is being shown; null if
    nothing presses. ``chosen`` is what the person has chosen in it.
    """
    paused = is_paused(row, now)
    running = not paused and row.tick_ms and not row.is_over
    return {
        **common(row, table, length, epoch),
        "tick": table.game.tick,
        "tick_ms": row.tick_ms,
        "left_ms": round(-over_by_ms(row, now)) if running else None,
        "paused": paused,
        "chosen": table.chosen,
        "legal": list(table.game.legal(row.seat)),
    }
