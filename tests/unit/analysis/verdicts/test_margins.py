"""Who is better by margins."""

import math

from analysis.verdicts.margins import verdict


def test_a_clear_margin_names_the_better_one() -> None:
    first = verdict(100, 300.0, 100 * (9 + 16))
    assert first is not None
    assert first.better == 1
    second = verdict(100, -300.0, 100 * (9 + 16))
    assert second is not None
    assert second.better == -1


def test_there_is_no_verdict_before_ten_pairs() -> None:
    early, first, later = verdict(9, 27.0, 81.0), verdict(10, 30.0, 90.0), verdict(20, 60.0, 180.0)
    assert early is not None
    assert first is not None
    assert later is not None
    assert (early.mean, early.low, early.high) == (3.0, -math.inf, math.inf)
    assert (early.early, early.better, first.early) == (True, 0, False)
    # Ten may be the head of a skewed distribution; twenty of a kind are a verdict.
    assert (first.better, later.better) == (0, 1)


def test_level_pairs_prove_nothing_and_no_pairs_are_no_verdict() -> None:
    few, many = verdict(20, 0.0, 0.0), verdict(2_000, 0.0, 0.0)
    assert few is not None
    assert many is not None
    assert few.low < -1 < 1 < few.high
    assert many.low < 0 < many.high < few.high / 10
    assert verdict(0, 0.0, 0.0) is None
