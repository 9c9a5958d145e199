"""What the page of a table is told.

Of a person's game: over its websocket, and in the answer to each action. Of a table that nobody stores: in
every answer, as the page says each time what was moved so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext

from friendlies.games.turns import Awaits
from friendlies.tables import state
from friendlies.tables.store import load_ticks, load_turns, thought_ms

if TYPE_CHECKING:
    from friendlies.games.turns import PersonTable
    from friendlies.models import Friendly


def page_state(row: Friendly, length: object, epoch: object) -> dict[str, Any]:
    """The state for a page that has `length` events of `epoch`, as it says; with the record's head if it has
    nothing yet or the game is over."""
    have = number_of(length) or 0
    known = number_of(epoch)
    known = row.epoch if known is None else known
    now = timezone.now()
    if row.in_ticks:
        found = state.state_in_ticks(row, load_ticks(row), have, known, now)
    else:
        found = state.state(row, load_turns(row), have, known, thought_ms(row, now))
    return {**found, "record": state.head(row)} if length is None or row.is_over else found


def number_of(said: object) -> int | None:
    """A number of events or epochs that a page names; None if it is none."""
    text = str(said)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def unstored_state(table: PersonTable, known: int = 0, refused: str = "") -> dict[str, Any]:
    """What a page lacks that has `known` events, and what may be done now, in the form of a person's game."""
    mine = table.awaits is Awaits.PERSON
    position = table.game.position
    return {
        "from": known,
        "events": [event for event in table.events if event["type"] in {"move", "stop"}][known:],
        "awaits": table.awaits if table.awaits in {Awaits.PERSON, Awaits.WINDOW} else Awaits.BOT,
        "legal": [{"move": str(move), "words": move.words(position)} for move in table.game.legal()]
        if mine
        else [],
        "undo": "" if table.events else gettext("There is no move to undo."),
        "offer": None,
        "trouble": False,
        "result": None,
        "clock": {"ms": None, "thought_ms": 0},
        "refused": refused,
    }
