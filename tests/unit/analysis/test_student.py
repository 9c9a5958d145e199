"""Student's t agrees with SciPy's."""

import pytest
from scipy.stats import t as student

from analysis.student import quantile, tail


@pytest.mark.parametrize("degrees", [1, 2, 3, 5, 9, 30, 200, 5_000, 400_000])
def test_tail_and_quantile_are_scipys(degrees: int) -> None:
    for t in (-4.0, -0.3, 0.0, 1e-6, 0.5, 1.96, 7.0, 40.0):
        assert tail(t, degrees) == pytest.approx(float(student.sf(t, degrees)), rel=1e-9, abs=1e-280)
    for probability in (0.5, 0.75, 0.975, 0.9999):
        expected = float(student.ppf(probability, degrees))
        assert quantile(probability, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-12)
