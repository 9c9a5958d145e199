"""Sequential tests on luck-adjusted results and margins."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from analysis.ratings.elo import expectation
from analysis.verdicts.sequential import (
    FIRST,
    FIRST_MARGINS,
    by_margins,
    by_results,
    effect_ratios,
    effects,
    mean_ratios,
)
from analysis.verdicts.sprt import Hypotheses

ASKED = Hypotheses(0, 20)


def test_the_ratio_of_means_is_that_of_the_two_likeliest_normal_distributions() -> None:
    values = np.random.default_rng(1).normal(0.05, 0.3, 60)

    def likeliest(mean: float) -> float:
        deviation = math.sqrt(float(((values - mean) ** 2).mean()))
        return float(norm.logpdf(values, mean, deviation).sum())

    assert mean_ratios(values, 0.0, 0.04)[-1] == pytest.approx(likeliest(0.04) - likeliest(0.0))


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


def test_margins_in_another_unit_are_the_same_evidence() -> None:
    values = np.random.default_rng(3).normal(1, 8, 200)
    assert by_margins(list(values), ASKED).ratios == pytest.approx(by_margins(list(7 * values), ASKED).ratios)


def test_a_normalised_elo_is_an_elo_between_equals_who_never_draw() -> None:
    assert effects(Hypotheses(0, 10, normalised=True)) == pytest.approx(effects(Hypotheses(0, 10)), rel=1e-3)


def test_the_first_pair_beyond_a_bound_decides_but_none_of_the_first_ones() -> None:
    won = by_results([0.5] * 200, Hypotheses(0, 100))
    assert (won.decision, won.pairs) == ("H1", FIRST)
    assert len(won.ratios) == FIRST
    ahead = by_margins([10.0, 11.0] * 100, Hypotheses(0, 100))
    assert (ahead.decision, ahead.pairs) == ("H1", FIRST_MARGINS)
    assert by_margins([-10.0, -11.0] * 100, Hypotheses(0, 100)).decision == "H0"
    assert by_results([], ASKED).decision == ""


def test_margins_are_judged_more_cautiously_than_results() -> None:
    values = [0.1, -0.05] * 30
    assert by_margins(values, ASKED).upper > by_results(values, ASKED).upper == ASKED.upper


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, "H1"), (40.0, "H0")])
def test_luck_adjusted_tests_are_as_seldom_wrong_as_asked_for(elo: float, wrong: str) -> None:
    dice, asked = np.random.default_rng(5), Hypotheses(0, 40)
    ends = [
        by_results(list(dice.normal(expectation(elo) - 0.5, 0.2, 1_500)), asked).decision for _ in range(200)
    ]
    assert ends.count("") == 0
    # Mean 10 of 200; more than 18 has a chance below 1 in 100.
    assert ends.count(wrong) <= 18
