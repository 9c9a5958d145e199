"""Who is better by margins."""

import math

from analysis.verdicts.margins import MarginVerdict, verdict


def judged(*sums: float) -> MarginVerdict:
    found = verdict(int(sums[0]), *sums[1:])
    assert found is not None
    return found


def test_a_clear_margin_names_the_better_one_once_there_are_enough_pairs() -> None:
    assert [judged(100, sign * 300.0, 100 * (9 + 16)).better for sign in (1, -1)] == [1, -1]
    early, first, later = judged(9, 27.0, 81.0), judged(10, 30.0, 90.0), judged(20, 60.0, 180.0)
    assert (early.mean, early.low, early.high) == (3.0, -math.inf, math.inf)
    assert (early.early, early.better, first.early) == (True, 0, False)
    # Ten may be the head of a skewed distribution; twenty of a kind are a verdict.
    assert (first.better, later.better) == (0, 1)


def test_level_pairs_prove_nothing_and_no_pairs_are_no_verdict() -> None:
    few, many = judged(20, 0.0, 0.0), judged(2_000, 0.0, 0.0)
    assert few.low < -1 < 1 < few.high
    assert many.low < 0 < many.high < few.high / 10
    assert verdict(0, 0.0, 0.0) is None
