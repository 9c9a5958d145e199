"""The game in which both seats act at once, in ticks (RULES 7)."""

from engine.protocol import GameKind
from engine.ticks.deal import deal
from engine.ticks.events import ActionOutcome, Tick
from engine.ticks.game import TickGame
from engine.ticks.position import ACTIONS, TickPosition, TickSeat
from engine.ticks.tracker import TickTracker

__all__ = ["ACTIONS", "KIND", "ActionOutcome", "Tick", "TickGame", "TickPosition", "TickSeat", "TickTracker"]

KIND = GameKind(deal, TickPosition, TickGame, TickTracker)
"""How `engine.protocol` finds them."""
