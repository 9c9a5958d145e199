"""What a position is worth: the published value functions, one per variant, with a version.

V(public position, seat to move) is the expected result and the expected margin. It is learned offline by
`python -m analysis.training.train` from self-play on its own deals, and never from the games that it
corrects. It serves `analysis.luck.measurement`; no rating depends on it.

Version 1 was a network alone; its networks still value the deal's open cards and the positions that pages
show. Version 2 valued the last 24 cards by playing on, in new deals for each. Version 3 plays on from the
first card, in the same ways for all (`function.Rollouts`); its files hold the version of their network, how
many ways and the fitted shares. Version 4 uses these files and plays each seat on as its bot plays
(`seat_policies`), where the greedy bot played for everybody before. For `vitesse` (`TickValues`) there is no
network. Results keep the version that they were measured by.

This package itself says which functions are published. It loads none of them, so pages may ask.
"""

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
"""By variant, how much more or less sharply a value is told than it says (`function.Sharpness`)."""


def covers(variant: str, players: int = 2) -> bool:
    """Whether there is a value function for every position of such games: for those of turns."""
    return measures_luck(variant, players) and not engine.variant(variant).in_ticks


def measures_luck(variant: str, players: int = 2) -> bool:
    """Whether a value function tells the luck of such games, of turns or in ticks."""
    return players == 2 and variant in engine.VARIANTS and weights_of(variant, FITTED_VERSION).exists()


def weights_of(variant: str, version: int) -> Path:
    """The file of a variant's value function."""
    return WEIGHTS / f"{variant}-{version}.json"
