"""Glicko-2 against the worked example of its author, and what every rating must do."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.ratings.glicko import Glicko


def test_the_example_of_the_paper() -> None:
    met = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
    after = Glicko(1500, 200).after(met)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.02)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    alone = Glicko(1700, 50).after([])
    assert alone.rating == 1700
    assert 50 < alone.deviation < 52, "who meets nobody gets less certain"


ratings = st.builds(Glicko, st.floats(200, 3200), st.floats(30, 350), st.floats(0.03, 0.1))


# How long an example takes says how busy the machine is.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ratings, ratings)
def test_a_win_never_lowers_and_a_loss_never_raises(one: Glicko, other: Glicko) -> None:
    won, lost = one.after([(other, 1.0)]), one.after([(other, 0.0)])
    assert lost.rating <= one.rating <= won.rating
    assert all(0 < after.deviation < 360 and 0 < after.volatility < 1 for after in (won, lost))
