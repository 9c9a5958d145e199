"""Carries out a person's actions at the table. If one is refused, nothing changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from analysis.errors import StaleAttempt
from arena.web.database import database_clock
from engine import IllegalMove, TurnGame
from friendlies.games.refusals import ActionRefused
from friendlies.games.turns import Awaits, PersonTable
from friendlies.models import Friendly
from friendlies.tables.illegal import why_not
from friendlies.tables.store import load_turns, save, thought_ms
from referee.endings import Termination

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from engine import TurnPosition

TRIES = 5
MOST_MS = 3_600_000
MOST_CARDS = 13

Action = dict[str, Any]


def act(game: UUID, action: Action, seen: tuple[int | None, int | None] | None = None) -> str:
    """Carry out an action of the player; return why it was refused, or an empty string.

    `seen` is how many events of which epoch the player saw when they chose it. On any other state it is
    refused: a request that is sent twice is carried out once, and one from an old tab never.

    Raises StaleAttempt if others keep changing the game in the meantime.
    """
    for _ in range(TRIES):
        row = Friendly.objects.select_related("version__bot").get(pk=game)
        table = load_turns(row)
        if seen is not None and seen != (len(table.events), row.epoch):
            return gettext("The game has moved on since then. Look at the table, then choose again.")
        ms = _tick(row, table)
        before = len(table.events)
        if table.result is None:
            if row.rated and action.get("do") == "undo":
                return gettext("You can’t undo in a rated game.")
            refused = carry_out(table, action, ms)
            if refused:
                return refused
        more: dict[str, Any] = {"acted_at": database_clock.now()}
        if len(table.events) < before:
            more["epoch"] = row.epoch + 1
        if save(row, table, **more):
            return ""
    raise StaleAttempt(f"expected to change friendly {game} within {TRIES} tries, it changed each time")


def carry_out(table: PersonTable, action: Action, ms: int = 0) -> str:
    """Carry out an action of the person at a table; return why it was refused, or an empty string."""
    try:
        _do(table, action, ms)
    except IllegalMove as error:
        return _why(table, action, error)
    except ActionRefused as error:
        return refusal_text(error)
    return ""


def refusal_text(refusal: ActionRefused) -> str:
    """A refusal in the language of the person whom it is told."""
    words = gettext(refusal.sentence)
    return words % refusal.values if refusal.values else words


def expire(row: Friendly) -> bool:
    """End a game if the person's clock has run out; return whether it had."""
    table = load_turns(row)
    _tick(row, table)
    return table.result is not None and save(row, table)


def _tick(row: Friendly, table: PersonTable) -> int:
    """Take the person's thinking so far off their clock, which may end the game; return its milliseconds."""
    ms = max(0, thought_ms(row, database_clock.now()))
    left = table.clocks[row.seat]
    if left is not None and table.awaits is Awaits.PERSON:
        table.clocks[row.seat] = max(0, left - ms)
        if ms >= left:
            table.forfeit(row.seat, Termination.TIMEOUT, "The person's clock ran out.")
    return min(ms, MOST_MS)


def _do(table: PersonTable, action: Action, ms: int) -> None:
    """Carry the action out. Raises Refused, IllegalMove."""
    plain: dict[str, Callable[[], None]] = {
        "undo": table.undo,
        "go": table.go_on,
        "offer": table.offer_draw,
        "resign": table.resign,
        "stop": table.call_stop,
        "accept": lambda: table.answer_draw(accept=True),
        "decline": lambda: table.answer_draw(accept=False),
    }
    kind = action.get("do")
    if isinstance(kind, str) and kind in plain:
        plain[kind]()
        return
    move, cards = action.get("move"), action.get("cards", 1)
    if kind != "move" or not isinstance(move, str) or len(move) > 12 or type(cards) is not int:
        raise ActionRefused(f"Expected a move or one of {', '.join(plain)}, got {str(action)[:80]!r}.")
    source, _, target = move.partition("-")
    if 1 < cards <= MOST_CARDS:
        table.run(source, target, cards, ms)
    else:
        table.play([move], ms)


def _why(table: PersonTable, action: Action, error: IllegalMove) -> str:
    """Explain to people why a move is illegal."""
    position, move = table.game.position, str(action.get("move", ""))
    cards = action.get("cards", 1)
    if cards == 1:
        return why_not(position, move)
    source, _, target = move.partition("-")
    pile = position.houses[int(source[1:]) - 1]
    if not cards <= len(pile):
        return gettext("That house has only %(count)s cards.") % {"count": len(pile)}
    # The lowest card of the run is the one that must fit.
    houses = list(position.houses)
    houses[int(source[1:]) - 1] = pile[: len(pile) - cards + 1]
    return _fits(position, tuple(houses), f"{source}-{target}") or gettext(
        "These cards are not in sequence: %(error)s."
    ) % {"error": error}


def _fits(position: TurnPosition, houses: tuple[tuple[str, ...], ...], move: str) -> str:
    """What forbids the lowest card of a run to move, were the others gone; empty if nothing does."""
    alone = TurnGame(replace(position, houses=houses))
    return "" if move in alone.legal_moves() else why_not(alone.position, move)
