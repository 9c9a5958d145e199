"""What a person's game shows its page: no hidden cards while it is played, everything once it is over.

It is told over a websocket, and in the answer to each action. In ticks: the open tick, and nothing of what
the bot chose in it. Of a table that nobody stores it is told in every answer, as the page says each time
what was moved so far.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from django.utils import timezone
from django.utils.translation import gettext

import engine
from analysis import game_record
from analysis.event_log import unpack
from bots.versions import seat_head
from friendlies.games.turns import Awaits
from friendlies.models import Friendly
from friendlies.tables.store import load_ticks, load_turns, thought_ms

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from analysis.game_record import GameRecord, Head, SeatHead
    from friendlies.games.ticks import PersonTickTable
    from friendlies.games.turns import PersonTable
    from referee.messages import RecordEvent

SECRETS = ("comment", "eval", "comments", "evals")
"""What the bot says is for the time after the game."""


def find(friendly: UUID | str) -> Friendly | None:
    """Return the game with everything its pages need, or None."""
    games = Friendly.objects.select_related("version__bot__owner", "owner", "pair__pairing", "daily")
    return games.filter(pk=friendly).first()


def events(row: Friendly, after: int = 0) -> list[RecordEvent]:
    """Return the events from number ``after`` on, without the bot's comments while the game is played."""
    found = unpack(bytes(row.events))[after:] if row.events else []
    if row.is_over:
        return found
    return [
        cast("RecordEvent", {key: value for key, value in event.items() if key not in SECRETS})
        for event in found
    ]


def person_name(row: Friendly) -> str:
    """What the person is called."""
    return row.owner.username if row.owner is not None else gettext("Guest")


def opponent_name(row: Friendly) -> str:
    """What the bot is called, with its level if it plays below its strength."""
    bot = row.version.bot.label
    if row.level is None:
        return bot
    return gettext("%(bot)s (level %(level)s)") % {"bot": bot, "level": row.level}


def person_page(row: Friendly) -> str:
    """The page of who played; empty for a guest and while the account is suspended."""
    return row.owner.get_absolute_url() if row.owner is not None and row.owner.is_active else ""


def seats(row: Friendly) -> list[SeatHead]:
    """Who sits where, as a record names it."""
    bot = seat_head(row.version)
    if row.level is not None:
        bot["level"] = row.level
    person = game_record.seat_head(person_name(row))
    return [bot, person] if row.seat else [person, bot]


def head(row: Friendly) -> Head:
    """The record without its events; hidden cards are shown only once the game is over."""
    return game_record.head(
        game=str(row.pk),
        variant=row.variant,
        seats=seats(row),
        start=row.start
        if row.is_over and not row.keeps_its_cards
        else str(engine.Position.parse(row.start).public()),
        clock={"bank_ms": row.bank_ms, "increment_ms": row.increment_ms} if row.bank_ms else None,
        result=row.result,
        status=row.status,
        rules=row.rules,
    )


def record(row: Friendly) -> GameRecord:
    """The record of the game so far."""
    return game_record.whole(head(row), events(row))


def common(row: Friendly, table: PersonTable | PersonTickTable, length: int, epoch: int) -> dict[str, Any]:
    """What a page lacks that has ``length`` events of ``epoch``, whatever is played, and who is awaited."""
    count = len(table.events)
    # With each epoch one event at the end of the log was taken back.
    known = max(0, min(length - (row.epoch - epoch), count)) if epoch <= row.epoch else 0
    return {
        "revision": row.revision,
        "epoch": row.epoch,
        "from": known,
        "length": count,
        "events": events(row, known),
        "awaits": table.awaited,
        "trouble": bool(row.trouble),
        "result": row.result,
    }


def state(row: Friendly, table: PersonTable, length: int, epoch: int, thought_ms: int) -> dict[str, Any]:
    """What the page of the person lacks who has ``length`` events of ``epoch``, and what may be done now.

    ``thought_ms`` is how long the person's clock has been running, below zero if it does not run yet.
    """
    game, position = table.game, table.game.position
    mine = table.awaits is Awaits.PERSON
    legal = [{"move": str(move), "words": move.words(position)} for move in game.legal()] if mine else []
    return {
        **common(row, table, length, epoch),
        "legal": legal,
        "undo": _no_undo(table) if mine else "",
        "offer": table.offer,
        "mute": table.person in position.counters.mute if game.variant.stop_calls else False,
        "clock": {"ms": table.clocks[row.seat], "thought_ms": thought_ms},
        "hints": row.hints,
    }


def _no_undo(table: PersonTable) -> str:
    """Why the last move cannot be taken back, in the person's language; empty if it can."""
    reason = table.why_no_undo()
    return gettext(reason) if reason else ""


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


def state_in_ticks(
    row: Friendly, table: PersonTickTable, length: int, epoch: int, now: datetime
) -> dict[str, Any]:
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


def page_state(row: Friendly, length: object, epoch: object) -> dict[str, Any]:
    """The state for a page that has `length` events of `epoch`, as it says; with the record's head if it has
    nothing yet or the game is over."""
    have = number_of(length) or 0
    known = number_of(epoch)
    known = row.epoch if known is None else known
    now = timezone.now()
    if row.in_ticks:
        found = state_in_ticks(row, load_ticks(row), have, known, now)
    else:
        found = state(row, load_turns(row), have, known, thought_ms(row, now))
    return {**found, "record": head(row)} if length is None or row.is_over else found


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
