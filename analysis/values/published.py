"""Says which value functions are published. It loads none of them, so pages may ask."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import engine

VERSION: Final = 4
"""The version of all value functions; results keep it, and a new one never replaces an old one's file."""

FITTED_VERSION: Final = 3
"""The version that the files were fitted for: later ones only changed who plays the games on."""

WEIGHTS: Final = Path(__file__).parent / "weights"

SHARPNESS: Final = WEIGHTS / "sharpness.json"
"""By variant, what the log odds of a value are multiplied by before people are told (`training.sharpen`)."""


def covers(variant: str, players: int = 2) -> bool:
    """Whether there is a value function for every position of such games: for those of turns."""
    return measures_luck(variant, players) and not engine.variant(variant).in_ticks


def measures_luck(variant: str, players: int = 2) -> bool:
    """Whether a value function tells the luck of such games, of turns or in ticks."""
    return players == 2 and variant in engine.VARIANTS and weights_of(variant, FITTED_VERSION).exists()


def weights_of(variant: str, version: int) -> Path:
    """The file of a variant's value function."""
    return WEIGHTS / f"{variant}-{version}.json"
