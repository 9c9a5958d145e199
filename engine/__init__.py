"""The rules of Crapette and its relatives: deals, positions, legal moves, games, and a core that is fast.

>>> import engine
>>> game = engine.Game.deal("crapaud", "00" * 32)
>>> str(game.push("t6-f").target)
'fD0'
"""

from importlib import import_module
from typing import TYPE_CHECKING

from engine.cards import SUIT_RELABELLINGS
from engine.deal import deal
from engine.errors import EngineError, HiddenCard, IllegalMove, NotationError, Unfinished, UnknownVariant
from engine.events import Event
from engine.game import Game, Replay
from engine.moves import Move
from engine.observation import Observation
from engine.parts import Counters, SeatPiles, Tally
from engine.position import Position
from engine.score import Outcome, outcome, score
from engine.variants import ALL_VARIANTS, VARIANTS, VITESSE, Variant, any_variant, variant

if TYPE_CHECKING:
    from engine.race import RaceGame, Tick
    from engine.starts import any_deal, any_position
    from engine.vitesse import Race

RULES_VERSION = 1
"""The version of the rules, stored with every game."""

__all__ = [
    "ALL_VARIANTS",
    "RULES_VERSION",
    "SUIT_RELABELLINGS",
    "VARIANTS",
    "VITESSE",
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
    "Race",
    "RaceGame",
    "Replay",
    "SeatPiles",
    "Tally",
    "Tick",
    "Unfinished",
    "UnknownVariant",
    "Variant",
    "any_deal",
    "any_position",
    "any_variant",
    "deal",
    "outcome",
    "score",
    "variant",
]

_LATER = {
    "Race": "vitesse",
    "RaceGame": "race",
    "Tick": "race",
    "any_deal": "starts",
    "any_position": "starts",
}
"""What is imported when it is first asked for: a seventh of the time that a bot of the other games needs."""


def __getattr__(name: str) -> object:
    """Import what `_LATER` says.

    >>> import engine
    >>> engine.Race.__name__
    'Race'
    """
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"engine.{_LATER[name]}"), name)
    globals()[name] = found
    return found
