"""Explains to people why an action is illegal in the game with ticks (RULES 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.questions.whynot import name

if TYPE_CHECKING:
    from engine import TickPosition


def why_not(position: TickPosition, seat: int, action: str) -> str:
    """Return why an action is illegal for a seat."""
    own = position.seats[seat]
    if action == "stop":
        return "You can call stop once your reserve is empty."
    if action == "turn":
        if own.hand or own.discard:
            return "A card of your reserve or slots can go to a foundation. You can turn only when none can."
        return "Your hand and discard are empty. There is nothing to turn."
    piles = {"r-f": own.reserve[-1:], "d-f": own.discard[-1:]}
    for number, card in enumerate(own.slots, start=1):
        piles[f"s{number}-f"] = (card,) if card else ()
    cards = piles.get(action)
    if cards is None:
        return f"Expected one of {', '.join(sorted(piles))}, stop, turn or wait, got {action[:20]!r}."
    if not cards:
        return "There is no card to play there."
    return f"{name(cards[0])} does not fit on a foundation now."
