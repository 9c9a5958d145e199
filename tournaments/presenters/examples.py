"""Worked examples for the pages of rules: short records made by the engine, with a word on each move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.utils.translation import gettext, gettext_lazy

import engine
from analysis import game_record
from tournaments.presenters import tick_example

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.utils.functional import _StrPromise
    from django_stubs_ext import StrOrPromise

    from analysis.game_record import GameRecord
    from referee.messages import RecordEvent

DIAGRAM = (
    "crapaud 0 play - KCQHJS/TD9S8H7C6D/QCJD/2D/KSQD/9C8H7C/7S/8D 8,3/5,2/7,0/6,1 4H/5C/TD 6S/5S/9D "
    "0,0,0,.,. 0,0/./."
)
"""The position that RULES 4 works through."""

WORKED: dict[str, tuple[str, tuple[tuple[str, _StrPromise], ...]]] = {
    "crapaud": (
        DIAGRAM,
        (
            ("t8-f", gettext_lazy("The eight goes up and leaves an empty house: now there is room.")),
            (
                "t7-r1",
                gettext_lazy(
                    "With room, the seven loads the six on the other reserve. That empties a second house."
                ),
            ),
            ("d-t1", gettext_lazy("The ten from the discard goes on the jack.")),
            (
                "t6-t7",
                gettext_lazy(
                    "With two empty houses, three cards can move one by one: the seven to the first,"
                ),
            ),
            ("t6-t8", gettext_lazy("the eight to the second,")),
            ("t6-t1", gettext_lazy("the nine to its new place,")),
            ("t8-t1", gettext_lazy("and back on top: the eight,")),
            ("t7-t1", gettext_lazy("and the seven. Now three houses are empty.")),
        ),
    ),
}
SEED = "c0ffee" + "0" * 58
PLIES = 60


def record(variant: str) -> GameRecord:
    """The example of a variant as a record: the worked one, else the beginning of a sensible game."""
    if engine.variant(variant).in_ticks:
        start, events = tick_example.play_example()
    elif variant in WORKED:
        start, steps = WORKED[variant]
        events = _events(engine.TurnGame(engine.TurnPosition.parse(start)), steps)
    else:
        game = engine.TurnGame.deal(variant, SEED)
        start = str(game.position)
        events = _events(game, ())
        while not game.finished and game.ply < PLIES:
            events += _events(game, ((sensible(game), ""),), len(events))
    head = game_record.head(
        game=f"example-{variant}",
        variant=variant,
        seats=[game_record.seat_head(gettext("Player %(number)s") % {"number": number}) for number in (1, 2)],
        start=start,
        status="finished",
    )
    return game_record.whole(head, cast("list[RecordEvent]", events))


def sensible(game: engine.TurnGame) -> str:
    """A regular move: to a foundation, on an opponent's pile, to a house from an own pile, or on with it."""
    legal = [move for move in game.legal_moves() if not game.irregular(move)]
    for wanted in ("f", "r", "d1" if game.turn == 0 else "d0"):
        for move in legal:
            if move.partition("-")[2].startswith(wanted):
                return move
    for move in legal:
        if "-t" in move and not move.startswith("t"):
            return move
    return next((move for move in legal if move in ("draw", "h-d", "pass")), legal[0])


def _events(
    game: engine.TurnGame, steps: Sequence[tuple[str, StrOrPromise]], known: int = 0
) -> list[dict[str, Any]]:
    found = []
    for number, (move, words) in enumerate(steps, start=known):
        event = {**game.push(move).as_dict(), "n": number, "ply": game.ply}
        found.append({**event, "comment": str(words)} if words else event)
    return found
