"""What a seat may know of hidden cards: what was seen, how the game began, and positions that fit both."""

from engine.turns.knowledge.rewind import rewind
from engine.turns.knowledge.sampling import cores, sample
from engine.turns.knowledge.tracker import Tracker

__all__ = ["Tracker", "cores", "rewind", "sample"]
