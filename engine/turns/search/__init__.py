"""Ways through a turn, and moves that belong together."""

from engine.turns.search.plans import Plan, plans
from engine.turns.search.stacks import expand

__all__ = ["Plan", "expand", "plans"]
