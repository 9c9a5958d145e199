"""Fit the shares of `vitesse`: what part of the luck seen in each phase of a game is to be taken away.

`train` does so for the games of turns; this is its part for the one in ticks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from analysis.luck.ticks import tick_luck_parts
from analysis.training.luck_shares import WAYS, quiet
from analysis.training.selfplay import play
from analysis.training.value_network import lesson_seed
from analysis.values.function_ticks import PHASES, TickValues
from analysis.values.published import FITTED_VERSION
from engine import TickPosition
from engine.ticks.position import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from engine.policies.tick_greedy import TickPolicy

    Floats = NDArray[np.float64]


NOISE: Final = 0.1
"""Half of `shares.NOISE`: a game in ticks is played on in less than half the time of one of turns."""


def fit(
    numbers: Sequence[int],
    contenders: Callable[[str, int], Sequence[TickPolicy]],
    ways: tuple[int, ...] = WAYS,
) -> dict[str, Any]:
    """The published file's contents, by least squares over such games; `ways` are tried in turn."""
    played = []
    for number in numbers:
        start = TickPosition.deal(NAME, lesson_seed(NAME, number))
        played.append((start, play(start, contenders(NAME, number))))

    def see(ways: int, seed: int) -> Floats:
        values = TickValues(ways=ways, seed=seed)
        found = [tick_luck_parts(start, game.words, values) for start, game in played]
        first = np.arange(len(PHASES))[:, None] == 0
        return np.asarray([parts.cards + first * parts.deal for parts in found])

    found = quiet(np.asarray([(game.result, game.margin) for _, game in played]), see, ways, NOISE)
    return {
        "variant": NAME,
        "version": FITTED_VERSION,
        "games": len(numbers),
        **found.as_dict(),
        "phases": PHASES,
        "shares": found.shares.tolist(),
    }
