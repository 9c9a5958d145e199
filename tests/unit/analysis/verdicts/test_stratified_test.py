"""More events here than elsewhere, kind by kind."""

import numpy
import pytest
from scipy import stats

from analysis.verdicts.stratified_test import Stratum, excess


def test_one_kind_is_the_chi_squared_test_with_one_trial_less() -> None:
    one = Stratum(here=14, of_here=60, elsewhere=9, of_elsewhere=180)
    found = excess([one])
    table = numpy.array([[14, 46], [9, 171]])
    expected = stats.contingency.expected_freq(table)[0, 0]
    plain = stats.chi2_contingency(table, correction=True).statistic
    assert found.expected == pytest.approx(expected)
    assert found.chi_squared == pytest.approx(plain * 239 / 240)
    assert found.p == pytest.approx(stats.chi2.sf(found.chi_squared, 1))


def test_kinds_are_compared_within_themselves() -> None:
    # The slow kind was played here, the quick one elsewhere: nothing follows for the place.
    assert excess([Stratum(20, 30, 4, 6), Stratum(0, 6, 0, 30)]).p > 0.5
    # Thrown together they would look like a difference.
    assert excess([Stratum(20, 36, 4, 36)]).p < 0.001
