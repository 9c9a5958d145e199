"""Fit the shares of `vitesse`: what part of the luck seen in each phase of a game is to be taken away.

`train` does so for the games of turns; this is its part for the one in ticks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.vitesse import NAME, deal
from tournaments.domain.race_luck import race_luck
from tournaments.domain.values.function import VERSION
from tournaments.domain.values.learning import lesson_seed
from tournaments.domain.values.race_function import PHASES, RaceValues
from tournaments.domain.values.race_rollouts import GAMES
from tournaments.domain.values.race_selfplay import play
from tournaments.domain.values.shares import fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.domain.values.race_policies import RacePolicy


def fit(
    numbers: Sequence[int], contenders: Callable[[str, int], Sequence[RacePolicy]], games: int = GAMES
) -> dict[str, Any]:
    """The published file's contents, by least squares over games of such numbers; for each card `games` are
    played on."""
    raw, seen = [], []
    for number in numbers:
        start = deal(lesson_seed(NAME, number))
        played = play(start, contenders(NAME, number))
        raw.append((played.result, played.margin))
        seen.append(race_luck(start, played.words, RaceValues(games=games)).phases)
    shares, left = fitted(np.asarray(raw), np.asarray(seen))
    return {
        "variant": NAME,
        "version": VERSION,
        "games": len(numbers),
        "games_played": games,
        "phases": PHASES,
        "shares": shares.tolist(),
        "left": left.round(3).tolist(),
    }
