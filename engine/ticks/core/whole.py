"""The core as one module: what `setup.py` compiles of the parts beside it, if there is a C compiler."""

from __future__ import annotations

from engine.ticks.core.completions import TickCompletions
from engine.ticks.core.core import TickCore
from engine.ticks.core.tables import DISCARD, HAND, HIDDEN, NOTHING, RESERVE, STOP, TURN, WAIT

__all__ = [
    "DISCARD",
    "HAND",
    "HIDDEN",
    "NOTHING",
    "RESERVE",
    "STOP",
    "TURN",
    "WAIT",
    "TickCompletions",
    "TickCore",
]
