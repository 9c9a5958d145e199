"""The core as one module: what `setup.py` compiles of the parts beside it, if there is a C compiler."""

from __future__ import annotations

from engine.turns.core.batch import Batch
from engine.turns.core.completions import Completions
from engine.turns.core.core import Core
from engine.turns.core.dealing import Dealer
from engine.turns.core.learning import self_play
from engine.turns.core.observing import size_of
from engine.turns.core.solving import Solver
from engine.turns.core.tables import (
    COMPILED,
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
)
from engine.turns.core.valuing import Valuer

__all__ = [
    "COMPILED",
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
    "Solver",
    "Valuer",
    "self_play",
    "size_of",
]
