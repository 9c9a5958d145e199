"""Which of many lines is best: how samples and time are divided."""

from collections.abc import Sequence
from itertools import repeat

import engine
from engine.policies.halving import Tried, halved
from engine.turns.core import Core

CORE = engine.TurnGame.deal("crapette", "00" * 32).core


def lines() -> list[Tried]:
    """Eight lines, each known by its only move; a higher one is better."""
    return [Tried(0.0, (number,)) for number in range(8)]


def worth(_: Core, moves: Sequence[int]) -> float:
    return moves[0] / 10


def test_the_best_lines_are_left_and_have_most_samples() -> None:
    tried = lines()
    left = halved(tried, repeat(CORE), worth, samples=240, keep=2)
    assert [each.moves for each in left] == [(7,), (6,)]
    assert [each.games for each in tried] == [10] * 4 + [30] * 4
    (best,) = halved(lines(), repeat(CORE), worth, samples=240)
    assert best.games == 70


def test_each_round_has_its_share_of_the_time() -> None:
    judged = 0

    def judge(core: Core, moves: Sequence[int]) -> float:
        nonlocal judged
        judged += 1
        return worth(core, moves)

    tried = lines()
    (best,) = halved(tried, repeat(CORE), judge, samples=10**6, spent=lambda: judged / 240)
    assert judged == 240
    assert best.moves == (7,)
    assert sorted(each.games for each in tried) == [10] * 4 + [30] * 2 + [70] * 2
