"""A game in progress as integers: compiled where there is a C compiler, else the same source as it stands."""

from engine.turns.core.whole import (
    DISCARD,
    DRAWN,
    HAND,
    HOUSE,
    NOBODY,
    PASSES,
    PLAYING,
    RESERVE,
    STALL,
    WIN,
    Batch,
    Completions,
    Core,
    Dealer,
    size_of,
)

__all__ = [
    "DISCARD",
    "DRAWN",
    "HAND",
    "HOUSE",
    "NOBODY",
    "PASSES",
    "PLAYING",
    "RESERVE",
    "STALL",
    "WIN",
    "Batch",
    "Completions",
    "Core",
    "Dealer",
    "size_of",
]
