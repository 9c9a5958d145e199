"""Who is better by margins."""

import pytest
from scipy import stats

from tournaments.domain.margins import verdict


def test_the_verdict_is_students_t_test() -> None:
    margins = [3.0, -1.5, 4.0, 7.5, 0.0, 2.0, -3.0, 6.0]
    found = verdict(len(margins), sum(margins), sum(margin**2 for margin in margins))
    assert found is not None
    expected = stats.ttest_1samp(margins, 0)
    interval = expected.confidence_interval(0.95)
    assert found.mean == pytest.approx(2.25)
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert found.better == 0


def test_a_clear_margin_names_the_better_one() -> None:
    first = verdict(100, 300.0, 100 * (9 + 16))
    assert first is not None
    assert first.better == 1
    second = verdict(100, -300.0, 100 * (9 + 16))
    assert second is not None
    assert second.better == -1


def test_equal_margins_without_spread_need_six_pairs() -> None:
    found = [verdict(pairs, 2.0 * pairs, 4.0 * pairs) for pairs in (2, 5, 6)]
    assert [one.better for one in found if one is not None] == [0, 0, 1]
    level = verdict(50, 0.0, 0.0)
    assert level is not None
    assert (level.p, level.better) == (1.0, 0)


def test_one_pair_proves_nothing() -> None:
    assert verdict(1, 5.0, 25.0) is None
