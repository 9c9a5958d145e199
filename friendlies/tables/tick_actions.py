"""What a person does in the game in ticks (RULES 7); the server's clock says when a tick is over.

A page says which tick it means and what the person chose, or that the tick's time is up. Where no page says
anything, nothing goes on: the tick stays open, and after `ABANDONED_MS` it counts as a pause.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, gettext_noop

from analysis.errors import StaleAttempt
from arena.web.database import database_clock
from engine import IllegalMove
from friendlies.games.refusals import ActionRefused
from friendlies.models import Friendly
from friendlies.tables.illegal import why_not_in_ticks
from friendlies.tables.state import is_paused, over_by_ms
from friendlies.tables.store import load_ticks, save
from friendlies.tables.turn_actions import MOST_MS, TRIES, Action, refusal_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from uuid import UUID

    from friendlies.games.ticks import PersonTickTable

GRACE_MS = 250
"""So long after the end of a tick an answer still counts: it was on its way."""
SLOWEST_MS = 10_000
FASTEST_MS = 1000
PAUSED = gettext_noop("The game is paused. Continue first.")


def act(game: UUID, action: Action) -> str:
    """Carry out an action of the person who plays; return why it was refused, or nothing.

    Raises StaleAttempt if others changed the game again and again meanwhile.
    """
    for _ in range(TRIES):
        row = Friendly.objects.select_related("version__bot").get(pk=game)
        table = load_ticks(row)
        now = database_clock.now()
        try:
            words, changes = _do(row, table, action, now)
        except IllegalMove:
            return why_not_in_ticks(table.game.position, row.seat, str(action.get("action")))
        except ActionRefused as error:
            return refusal_text(error)
        if changes is None or save(row, table, acted_at=now, **changes):
            return words
    raise StaleAttempt(f"expected to change friendly {game} within {TRIES} tries, it changed each time")


Changes = tuple[str, dict[str, Any] | None]
"""What to tell the person, and fields of the row that change; None if nothing does."""


def _do(row: Friendly, table: PersonTickTable, action: Action, now: datetime) -> Changes:
    """Carry the action out. Raises Refused, IllegalMove."""
    known: dict[str, Callable[[], Changes]] = {
        "tick": lambda: _choose(row, table, action, now),
        "close": lambda: _close(row, table, action, now),
        # Said twice, neither may give the open tick more time.
        "pause": lambda: ("", None if row.clock_from is None else {"clock_from": None}),
        "go": lambda: ("", {"clock_from": now} if is_paused(row, now) else None),
        "pace": lambda: _pace(row, action, now),
        "resign": lambda: _resign(table),
    }
    kind = action.get("do")
    if not isinstance(kind, str) or kind not in known:
        raise ActionRefused(f"Expected one of {', '.join(known)}, got {str(action)[:80]!r}.")
    if row.is_over:
        raise ActionRefused(gettext_noop("The game is over."))
    return known[kind]()


def _choose(row: Friendly, table: PersonTickTable, action: Action, now: datetime) -> Changes:
    """The person's answer for a tick, unless it comes too late."""
    if is_paused(row, now):
        raise ActionRefused(PAUSED)
    if over_by_ms(row, now) > GRACE_MS and action.get("tick") == table.game.tick:
        table.be_late()
        return gettext("Too late: the tick is over."), {}
    chosen, tick = action.get("action"), action.get("tick")
    if not isinstance(chosen, str) or type(tick) is not int:
        raise ActionRefused(f"Expected the number of a tick and an action, got {str(action)[:80]!r}.")
    table.choose(tick, chosen, _thought_ms(row, now))
    return "", {}


def _close(row: Friendly, table: PersonTickTable, action: Action, now: datetime) -> Changes:
    """The page says that a tick's time is up; it is believed if the server's clock says so too."""
    open_still = is_paused(row, now) or over_by_ms(row, now) < 0 or action.get("tick") != table.game.tick
    if open_still or table.chosen is not None:
        return "", None
    table.be_late()
    return "", {}


def _pace(row: Friendly, action: Action, now: datetime) -> Changes:
    """How long a tick lasts from now on; 0 waits for the person."""
    ms = action.get("ms")
    if type(ms) is not int or (ms and not FASTEST_MS <= ms <= SLOWEST_MS):
        raise ActionRefused(f"Expected 0 or {FASTEST_MS} to {SLOWEST_MS} milliseconds a tick, got {ms!r}.")
    return "", {"tick_ms": ms, "clock_from": None if is_paused(row, now) else now}


def _resign(table: PersonTickTable) -> Changes:
    table.resign()
    return "", {}


def _thought_ms(row: Friendly, now: datetime) -> int:
    """For how long the tick has been open, in milliseconds."""
    if row.clock_from is None:
        return 0
    return min(MOST_MS, max(0, int((now - row.clock_from).total_seconds() * 1000)))
