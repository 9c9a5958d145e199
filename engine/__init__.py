"""The rules of Crapette and its relatives: deals, positions, legal moves, games, and fast cores.

>>> import engine
>>> game = engine.Game.deal("crapaud", "00" * 32)
>>> str(game.apply("t6-f").target)
'fD0'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine.cards import SUIT_RELABELLINGS
from engine.errors import EngineError, HiddenCard, IllegalMove, NotationError, Unfinished, UnknownVariant
from engine.observation import Observation
from engine.points.outcome import Outcome
from engine.protocol import Game, Position, Replay, deal, outcome, score, words_of
from engine.turns import Counters, Event, Move, SeatPiles, Tally, TurnGame, TurnPosition
from engine.variants import VARIANTS, Variant, variant

if TYPE_CHECKING:
    from engine.ticks import Tick, TickGame, TickPosition

RULES_VERSION = 1
"""The version of the rules, stored with every game."""

__all__ = [
    "RULES_VERSION",
    "SUIT_RELABELLINGS",
    "VARIANTS",
    "Counters",
    "EngineError",
    "Event",
    "Game",
    "HiddenCard",
    "IllegalMove",
    "Move",
    "NotationError",
    "Observation",
    "Outcome",
    "Position",
    "Replay",
    "SeatPiles",
    "Tally",
    "Tick",
    "TickGame",
    "TickPosition",
    "TurnGame",
    "TurnPosition",
    "Unfinished",
    "UnknownVariant",
    "Variant",
    "deal",
    "outcome",
    "score",
    "variant",
    "words_of",
]

_TICKS = frozenset({"Tick", "TickGame", "TickPosition"})
"""What is imported when it is first asked for: a seventh of the time that a bot of the other games needs."""


def __getattr__(name: str) -> object:
    """Import what `_TICKS` names.

    >>> import engine
    >>> engine.TickPosition.__name__
    'TickPosition'
    """
    if name not in _TICKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(".ticks", __name__), name)
    globals()[name] = found
    return found
