"""Ways through a turn, moves that belong together, and endings solved."""

from engine.turns.search.endings import Ending, ending
from engine.turns.search.plans import Plan, plans
from engine.turns.search.stacks import expand

__all__ = ["Ending", "Plan", "ending", "expand", "plans"]
