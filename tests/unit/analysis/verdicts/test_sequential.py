"""Sequential tests on luck-adjusted results and margins."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from analysis.verdicts.bets import bets
from analysis.verdicts.sequential import (
    FIRST,
    FIRST_MARGINS,
    UNLIKE,
    by_margins,
    by_results,
    effect_ratios,
)
from analysis.verdicts.sprt import Hypotheses, Verdict, judge

ASKED = Hypotheses(0, 20)


def test_the_ratio_of_effects_is_that_of_the_two_likeliest_normal_distributions() -> None:
    values = np.random.default_rng(2).normal(3, 9, 60)

    def likeliest(effect: float) -> float:
        found = minimize_scalar(
            lambda deviation: -float(norm.logpdf(values, effect * deviation, deviation).sum()),
            bounds=(1, 50),
            method="bounded",
            options={"xatol": 1e-9},
        )
        return -float(found.fun)

    assert effect_ratios(values, 0.0, 0.2)[-1] == pytest.approx(likeliest(0.2) - likeliest(0.0), abs=1e-6)


def test_bets_are_the_likelihood_ratio_of_two_means_in_ordinary_play() -> None:
    values = np.random.default_rng(1).normal(0.03, 0.2, 2_000)
    variance = float(values.var())
    mean0, mean1 = 0.0, 0.02
    expected = 2_000 * (mean1 - mean0) * (float(values.mean()) - (mean0 + mean1) / 2) / variance
    assert bets(values, (mean0, mean1), 1.0)[-1] == pytest.approx(expected, rel=0.1)
    # A bet depends on earlier pairs alone.
    changed = np.concatenate([values[:60], -values[60:100]])
    found, other = (bets(one, (0.0, 0.02), 1.0)[:60] for one in (values[:100], changed))
    assert found == pytest.approx(other)


def test_the_first_pair_beyond_a_bound_decides_but_none_of_the_first_ones() -> None:
    won = by_results([0.5] * 200, Hypotheses(0, 100))
    assert (won.decision, won.pairs) == ("H1", FIRST)
    assert len(won.ratios) == FIRST
    ahead = by_margins([10.0, 11.0] * 100, Hypotheses(0, 100))
    assert (ahead.decision, ahead.pairs) == ("H1", FIRST_MARGINS)
    assert by_margins([-10.0, -11.0] * 100, Hypotheses(0, 100)).decision == "H0"
    assert by_results([], ASKED).decision == ""


@pytest.mark.parametrize("ends", [(-10, 0), (0, 20), (-5, 5), (0, 5), (0, 100)])
def test_level_pairs_decide_nothing_however_many_there_are(ends: tuple[float, float]) -> None:
    for unlike, normalised, test in product(
        ([], [0.5], [0.5, -0.5], [-0.5] * (UNLIKE - 1)), (False, True), (by_results, by_margins)
    ):
        found = test([*unlike, *[0.0] * 1_000], Hypotheses(*ends, normalised=normalised))
        assert (found.decision, found.pairs, found.unlike) == ("", 1_000 + len(unlike), len(unlike))
        assert np.isfinite(found.ratios).all()
        assert found.early == (not found.lower < found.llr < found.upper)


def by_wins(values: list[float], asked: Hypotheses) -> Verdict:
    return judge([round(4 * value) + 2 for value in values], asked)


@pytest.mark.parametrize(
    ("test", "ends", "share", "won"),
    [(by_results, (0, 20), 0.1, 0.5), (by_margins, (-10, 0), 0.05, 0.409), (by_wins, (0, 20), 0.1, 0.5)],
)
def test_versions_that_hardly_differ_are_as_seldom_judged_wrongly_as_asked_for(
    test: Any, ends: tuple[float, float], share: float, won: float
) -> None:
    """So many pairs are unlike, and of these so many won: at a bound or past it. More of them: ``./crapette
    bench truth --only near``."""
    dice, shape = np.random.default_rng(6), (60, 1_000)
    values = np.where(dice.random(shape) < share, np.where(dice.random(shape) < won, 0.5, -0.5), 0.0)
    found = [test(row.tolist(), Hypotheses(*ends)) for row in values]
    # Mean 3 of 60 at most; more than 8 has a chance below 1 in 100.
    assert sum(one.decision == "H1" for one in found) <= 8
    assert test is by_wins or all(one.unlike >= UNLIKE for one in found if one.decision)
