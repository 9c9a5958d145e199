"""The equations of many players, which are not solved by elimination."""

import numpy as np
import pytest

from analysis.ratings import match_arrays
from analysis.ratings.match_arrays import Match, MatchTable

PLAYERS = match_arrays.DENSE + 50


@pytest.mark.parametrize("hub", [False, True])
def test_many_players_are_rated_as_elimination_would(hub: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(6)
    couples = [(one, one + 2) for one in range(PLAYERS - 2)]
    if hub:
        couples = [(one, other) for one in range(8, PLAYERS) for other in range(8)]
        couples += [
            (int(one), int(one) + 1) for one in dice.choice(np.arange(8, PLAYERS - 1), 60, replace=False)
        ]
    odds = [0.1, 0.2, 0.4, 0.2, 0.1]
    matches = [Match(*couple, tuple(map(int, dice.multinomial(12, odds)))) for couple in couples]  # type: ignore[arg-type]
    found = MatchTable(range(PLAYERS), matches).ratings()
    monkeypatch.setattr(match_arrays, "DENSE", 10_000)
    assert found == pytest.approx(MatchTable(range(PLAYERS), matches).ratings(), abs=1e-9)
