"""What a page is told of a table that nobody stores: the page says each time what was moved so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from friendlies.games.turns import Awaits

if TYPE_CHECKING:
    from friendlies.games.turns import PersonTable


def page_state(table: PersonTable, known: int = 0, refused: str = "") -> dict[str, Any]:
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
