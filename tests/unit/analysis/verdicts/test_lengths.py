"""How long a sequential test will be."""

import pytest

from analysis.verdicts.lengths import forecast, length
from analysis.verdicts.sprt import Hypotheses


def test_a_long_test_ends_as_seldom_wrongly_as_asked_for() -> None:
    at0, between, at1 = forecast(Hypotheses(0, 40, 0.05, 0.1), 100_000)
    assert at0.accepted == pytest.approx(0.05, abs=1e-6)
    assert at1.accepted + at1.undecided == pytest.approx(0.9, abs=1e-6)
    assert between.pairs > max(at0.pairs, at1.pairs)
    assert at0.undecided == pytest.approx(0, abs=1e-9)


def test_normalised_bounds_take_as_long_however_much_pairs_vary() -> None:
    normalised = Hypotheses(0, 30, normalised=True)
    assert length(normalised, 0, 1_000, 0.05).pairs == pytest.approx(length(normalised, 0, 1_000, 0.12).pairs)
    plain = Hypotheses(0, 30)
    assert length(plain, 0, 1_000, 0.05).pairs < 0.6 * length(plain, 0, 1_000, 0.12).pairs
