"""The games in which seats take turns (RULES 1 to 6)."""

from engine.protocol import GameKind
from engine.turns.deal import deal
from engine.turns.events import Event
from engine.turns.game import TurnGame
from engine.turns.knowledge import Tracker, cores, rewind, sample
from engine.turns.moves import Move, numbers, texts
from engine.turns.position import TurnPosition
from engine.turns.position_parts import Counters, SeatPiles, Tally
from engine.turns.search import Ending, ending, expand, plans

__all__ = [
    "KIND",
    "Counters",
    "Ending",
    "Event",
    "Move",
    "SeatPiles",
    "Tally",
    "Tracker",
    "TurnGame",
    "TurnPosition",
    "cores",
    "ending",
    "expand",
    "numbers",
    "plans",
    "rewind",
    "sample",
    "texts",
]

KIND = GameKind(deal, TurnPosition, TurnGame, Tracker)
"""How `engine.protocol` finds them."""
