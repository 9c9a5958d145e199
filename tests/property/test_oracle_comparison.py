"""The engine and the oracle play the same games; `python -m tests.oracle.compare` does so at length."""

from __future__ import annotations

import pytest

from engine import core
from tests.oracle.compare import compare
from tests.oracle.rulesets import RULESETS, TABLES

GAMES = 80 if str(core.__file__).endswith(".py") else 2000
"""Games of each variant; fewer uncompiled, where it is the same source and slower."""
CHUNKS = 8


def _chunks() -> list[tuple[str, int, range]]:
    found = []
    for variant, players in TABLES:
        games = -(-GAMES // len(RULESETS[variant].players))
        size = -(-games // CHUNKS)
        found += [
            (variant, players, range(start, min(start + size, games))) for start in range(0, games, size)
        ]
    return found


@pytest.mark.parametrize(("variant", "players", "numbers"), _chunks())
def test_engine_and_oracle_agree_at_every_ply(variant: str, players: int, numbers: range) -> None:
    compared = compare(variant, players, numbers)
    assert compared.games == len(numbers)
    assert compared.plies > 100 * len(numbers)


def test_every_variant_is_compared_over_all_its_games() -> None:
    counted = dict.fromkeys(RULESETS, 0)
    for variant, _, numbers in _chunks():
        counted[variant] += len(numbers)
    assert min(counted.values()) >= GAMES
