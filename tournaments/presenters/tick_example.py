"""The example of the game in ticks for its page of rules: a whole game, with a word on what happens first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

from engine import TickGame

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.utils.functional import _StrPromise

    from engine import Tick

SEED = f"{259:064x}"
"""A short game in which both want the same foundation early on."""
TICKS = 400
WISHES = ("r-f", "s1-f", "s2-f", "s3-f", "s4-f", "d-f", "turn")
"""What a sensible seat does, if it can: the reserve is to be emptied."""

FIRSTS: tuple[tuple[_StrPromise, Callable[[Tick], bool]], ...] = (
    (
        gettext_lazy("No card can go up, so the top of the hand is turned onto the discard."),
        lambda tick: "turn" in tick.actions,
    ),
    (
        gettext_lazy("A slot’s card goes up, and the slot is filled from the reserve at once."),
        lambda tick: any(done.refill for done in tick.done),
    ),
    (
        gettext_lazy(
            "Both wanted this place. The player with priority gets it, and the other card goes back."
        ),
        lambda tick: any(done.missed for done in tick.done),
    ),
    (
        gettext_lazy("The hand was empty, so the discard is turned over first."),
        lambda tick: any(done.flip is not None for done in tick.done),
    ),
    (
        gettext_lazy("A king completes the foundation: 10 points."),
        lambda tick: any(done.completed for done in tick.done),
    ),
    (
        gettext_lazy("The reserve is empty and this player has more points: “Stop, crapette!”"),
        lambda tick: tick.stopper is not None,
    ),
)
"""What is explained where it happens first."""


def play_example() -> tuple[str, list[dict[str, Any]]]:
    """The line of the start, and the events."""
    game = TickGame.deal("vitesse", SEED)
    start = str(game.position)
    events: list[dict[str, Any]] = []
    waiting = list(FIRSTS)
    while not game.finished and game.ply < TICKS:
        tick = game.push(sensible_choice(game, 0), sensible_choice(game, 1))
        said = [words for words, happens in waiting if happens(tick)]
        waiting = [(words, happens) for words, happens in waiting if words not in said]
        event = {**tick.as_dict(), "n": len(events), "ply": game.ply}
        events.append({**event, "comments": [" ".join(map(str, said)), None]} if said else event)
    return start, events


def sensible_choice(game: TickGame, seat: int) -> str:
    """What a sensible seat chooses: a stop that wins, a card to a foundation, else a card of the hand."""
    legal = game.legal(seat)
    if "stop" in legal and _points(game, seat) + 20 > _points(game, 1 - seat):
        return "stop"
    return next((wish for wish in WISHES if wish in legal), "wait")


def _points(game: TickGame, seat: int) -> int:
    """The points of a seat as the table lies (RULES 7)."""
    return 10 * game.position.completed[seat] + 52 - game.position.seats[seat].left
