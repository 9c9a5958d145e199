"""A game in progress as integers: compiled where there is a C compiler, else the same source as it stands."""

from engine.ticks.core.whole import (
    DISCARD,
    HAND,
    HIDDEN,
    NOTHING,
    RESERVE,
    STOP,
    TURN,
    WAIT,
    TickCompletions,
    TickCore,
)

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
