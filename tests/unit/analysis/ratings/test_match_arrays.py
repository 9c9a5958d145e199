"""The equations of many players, which are not solved by elimination."""

import numpy as np
import pytest

from analysis.ratings import match_arrays
from analysis.ratings.match_arrays import Match, MatchTable

PLAYERS = match_arrays.DENSE + 50


def around_a_hub(dice: np.random.Generator) -> list[tuple[int, int]]:
    """Everybody meets a few well-known bots, and somebody else now and then."""
    return [
        *((one, other) for one in range(8, PLAYERS) for other in range(8)),
        *((int(one), int(one) + 1) for one in dice.choice(np.arange(8, PLAYERS - 1), 60, replace=False)),
    ]


def in_two_chains(dice: np.random.Generator) -> list[tuple[int, int]]:
    """Everybody meets the next one only, and nobody leads from the one chain to the other."""
    del dice
    return [(one, one + 2) for one in range(PLAYERS - 2)]


@pytest.mark.parametrize("meet", [around_a_hub, in_two_chains])
def test_many_players_are_rated_as_elimination_would(meet: object, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(6)
    assert callable(meet)
    matches = [
        Match(one, other, tuple(map(int, dice.multinomial(12, [0.1, 0.2, 0.4, 0.2, 0.1]))))  # type: ignore[arg-type]
        for one, other in meet(dice)
    ]
    found = MatchTable(range(PLAYERS), matches).ratings()
    monkeypatch.setattr(match_arrays, "DENSE", 10_000)
    assert found == pytest.approx(MatchTable(range(PLAYERS), matches).ratings(), abs=1e-9)
