"""The value function of `vitesse` as it was published in `weights/`: how many games it plays on."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.vitesse import NAME
from tournaments.domain.values.function import VERSION, WEIGHTS
from tournaments.domain.values.race_rollouts import GAMES, card_luck

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.racecore import RaceCore
    from tournaments.domain.values.race_table import Turned

    Floats = NDArray[np.float64]

PHASES: Final = (60, 24, -1)
"""A game is in the first of these phases in which more cards than that are unseen, those of both together."""


@dataclass(frozen=True, slots=True)
class RaceValues:
    """`shares` are what part of the luck that is seen is taken away, by phase, of result and margin."""

    shares: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * len(PHASES)
    games: int = GAMES
    """About so many are played for a card."""

    def luck(self, core: RaceCore, turned: Turned, number: int) -> Floats:
        """What is taken to be the luck of a card turned up, as `card_luck` has it."""
        return np.asarray(self.shares[phase(turned)]) * card_luck(core, turned, number, self.games)


def phase(turned: Turned) -> int:
    """The phase in which a card was turned up, counted from 0; of a deal's open cards always the first."""
    unseen = sum(map(len, turned.unseen))
    return next(number for number, fewest in enumerate(PHASES) if unseen > fewest)


@cache
def load(version: int = VERSION) -> RaceValues:
    """The published value function. Raises FileNotFoundError if that version is none."""
    found: dict[str, Any] = json.loads((WEIGHTS / f"{NAME}-{version}.json").read_text("utf-8"))
    return RaceValues(tuple((result, margin) for result, margin in found["shares"]), found["games_played"])
