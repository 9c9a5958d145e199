"""What a game is worth: who won, and the parts of its points."""

from engine.points.outcome import Outcome, rank_seats
from engine.points.sheet import Holding, Part, Parts, parts, tick_parts, totals
from engine.points.table import EMPTIED, settle

__all__ = [
    "EMPTIED",
    "Holding",
    "Outcome",
    "Part",
    "Parts",
    "parts",
    "rank_seats",
    "settle",
    "tick_parts",
    "totals",
]
