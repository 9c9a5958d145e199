"""What a game is worth: who won, and the parts of its points."""

from engine.points.outcome import Outcome, ranked
from engine.points.sheet import Holding, Part, Parts, parts, tick_parts, totals
from engine.points.table import EMPTIED, settled

__all__ = [
    "EMPTIED",
    "Holding",
    "Outcome",
    "Part",
    "Parts",
    "parts",
    "ranked",
    "settled",
    "tick_parts",
    "totals",
]
