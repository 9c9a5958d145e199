"""Converts between the row of a friendly and its game, and announces changes.

They are announced to the pages of the game, and to the worker that answers for the bot.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import transaction

from analysis.event_log import pack, unpack
from arena.web.database import database_clock
from arena.web.live.publisher import publisher
from arena.web.worker_messages import send
from friendlies.games.ticks import PersonTickTable
from friendlies.games.turns import BOTS_TURN, Awaits, PersonTable
from friendlies.models import Friendly
from friendlies.questions import want_rating

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

AnyTable = PersonTable | PersonTickTable
Kind = TypeVar("Kind", PersonTable, PersonTickTable)


def load(row: Friendly) -> AnyTable:
    """Return the game stored in the row."""
    return load_ticks(row) if row.in_ticks else load_turns(row)


def load_turns(row: Friendly) -> PersonTable:
    """A game of turns as it stands in the row."""
    return _load(PersonTable, row)


def load_ticks(row: Friendly) -> PersonTickTable:
    """A game in ticks as it stands in the row."""
    return _load(PersonTickTable, row)


def _load(kind: type[Kind], row: Friendly) -> Kind:
    return kind(
        start=row.start,
        person=row.seat,
        events=unpack(bytes(row.events)) if row.events else [],
        awaits=Awaits(row.awaits),
        pending=list(row.pending),
        offer=row.offer,
        clocks=list(row.clocks),
        increment_ms=row.increment_ms,
        polls=row.polls,
        bot_cpu_ms=row.bot_cpu_ms,
    )


def save(row: Friendly, table: AnyTable, **more: Any) -> bool:
    """Write the game back if the row is still what was read; False if another was first.

    News goes out and the bot is asked once the change is committed. ``more`` are further fields.
    """
    now = database_clock.now()
    shown = sum(event.get("seat") != row.seat for event in table.events[_count(row) :])
    fields: dict[str, Any] = {
        "revision": row.revision + 1,
        "events": pack(table.events),
        "awaits": table.awaited,
        "pending": table.pending,
        "offer": table.offer,
        "clocks": table.clocks,
        "polls": table.polls,
        "bot_cpu_ms": table.bot_cpu_ms,
        "clock_from": table.clock_from(row.clock_from, shown, now),
        **more,
    }
    if table.result is not None:
        fields |= {
            "status": Friendly.Status.FINISHED,
            "result": table.result.as_dict(),
            "finished_at": now,
            "trouble": "",
        }
    with transaction.atomic():
        if not Friendly.objects.filter(pk=row.pk, revision=row.revision).update(**fields):
            return False
        transaction.on_commit(partial(publish_friendly, row.pk))
        if table.awaits in BOTS_TURN:
            answer_on_commit(row.pk)
        if table.result is not None and row.rated:
            want_rating(row)
    for name, value in fields.items():
        setattr(row, name, value)
    return True


def thought_ms(row: Friendly, now: datetime) -> int:
    """Milliseconds that the person has thought about the move that is awaited.

    Below zero while the bot's moves are still being shown.
    """
    if row.awaits != Awaits.PERSON or row.clock_from is None:
        return 0
    return math.floor((now - row.clock_from).total_seconds() * 1000)


def _count(row: Friendly) -> int:
    """How many events the row has."""
    return len(unpack(bytes(row.events))) if row.events else 0


def friendly_group(friendly: UUID | str) -> str:
    """The group of the pages that show a person's game."""
    return f"friendly.{friendly}"


def publish_friendly(friendly: UUID | str) -> None:
    """Announce that a person's game has changed. The page then asks for what it may know."""
    publisher().send(friendly_group(friendly), {"type": "friendly.changed"})


ANSWER = "friendlies.answer"


def answer_on_commit(friendly: UUID) -> None:
    """Ask for the bot's answer in a person's game, once the transaction is committed."""
    transaction.on_commit(partial(send, ANSWER, str(friendly)))
