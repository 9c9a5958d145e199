"""Ratings and their errors, and which pair a ladder plays next."""

import math
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import multinomial

from analysis.ratings import match_arrays, profile_intervals
from analysis.ratings.elo import SCALE, expectation, fit
from analysis.ratings.glicko import Glicko
from analysis.ratings.match_arrays import Match, MatchTable
from analysis.ratings.plackett_luce import fit as plackett_luce_fit
from analysis.ratings.profile_intervals import ends
from analysis.ratings.scheduling import FIRST_PAIRS, Candidate, Field, choose
from analysis.ratings.shared_deals import DealtPair, with_errors_by_deal


def test_three_points_of_four_are_191_elo_and_equal_scores_equal_ratings() -> None:
    # 400 log10(3) = 190.85; the imagined draws weigh nothing among so many pairs.
    fitted = fit([Match(1, 2, (0, 0, 0, 100_000, 0))], anchors={2: 1500.0})
    assert fitted.estimate(1).elo - fitted.estimate(2).elo == pytest.approx(400 * math.log10(3), abs=0.02)
    assert (fitted.estimate(2).elo, fitted.estimate(2).error) == pytest.approx((1500, 0))
    equal = fit([Match(1, 2, (0, 0, 10, 0, 0)), Match(2, 3, (5, 0, 0, 0, 5))], anchors={1: 1500.0})
    assert [estimate.elo for estimate in equal.estimates] == pytest.approx([1500, 1500, 1500])
    assert all(estimate.anchored for estimate in equal.estimates)
    assert equal.superiority(1, 3) == pytest.approx(0.5)


def test_anchors_stay_where_they_are_put_whatever_is_thrown_to_one_of_them() -> None:
    honest = [Match(1, 2, (0, 0, 40, 0, 20)), Match(2, 3, (3, 0, 30, 0, 27)), Match(1, 3, (0, 5, 20, 5, 30))]
    anchors = {1: 1600.0, 2: 1500.0}
    fitted = fit(honest, anchors)
    for player, elo in anchors.items():
        assert fitted.estimate(player).elo == pytest.approx(elo)
        assert fitted.estimate(player).error == pytest.approx(0)
    thrown = fit([*honest, *(Match(1, number, (0, 0, 0, 0, 200)) for number in range(10, 20))], anchors)
    # But for the imagined draws, which are spread over the games of both.
    assert thrown.estimate(3).elo == pytest.approx(fitted.estimate(3).elo, abs=1)
    assert thrown.estimate(12).elo < 900


def test_without_a_chain_of_games_to_the_anchor_a_bot_is_marked_and_without_games_unrated() -> None:
    fitted = fit([Match(1, 2, (0, 0, 2, 0, 3)), Match(3, 4, (0, 0, 0, 4, 0))], anchors={2: 1500.0})
    assert [fitted.estimate(one).anchored for one in (1, 3)] == [True, False]
    assert fitted.estimate(3).elo + fitted.estimate(4).elo == pytest.approx(3000)
    assert fit([Match(1, 2, (0, 0, 0, 0, 0))]).players == ()
    with pytest.raises(KeyError, match="1"):
        fit([]).estimate(1)


def test_without_luck_the_same_pairs_tell_more_and_never_more_than_all_of_them_won() -> None:
    penta = (10, 0, 20, 0, 30)
    plain, alike = (fit([Match(1, 2, penta, fair=fair)], {2: 1500.0}) for fair in (None, (80.0, 140.0)))
    assert alike.estimate(1) == plain.estimate(1), "these are the sums of the results themselves"
    told = fit([Match(1, 2, penta, fair=(70.0, 100.0))], {2: 1500.0}).estimate(1)
    assert told.elo < plain.estimate(1).elo - 40
    assert told.error < plain.estimate(1).error * 0.8
    won = fit([Match(1, 2, (0, 0, 0, 0, 60))], {2: 1500.0}).estimate(1)
    assert fit([Match(1, 2, penta, fair=(130.0, 300.0))], {2: 1500.0}).estimate(1).elo == won.elo


def test_the_fit_is_where_expected_and_made_points_agree() -> None:
    pentas = {(1, 2): (10, 20, 300, 420, 250), (2, 3): (50, 0, 800, 0, 150), (1, 3): (9, 9, 9, 9, 900)}
    fitted = fit([Match(*couple, penta) for couple, penta in pentas.items()], anchors={3: 1500.0})
    surplus = dict.fromkeys((1, 2, 3), 0.0)
    for (one, other), penta in pentas.items():
        chance = expectation(fitted.estimate(one).elo - fitted.estimate(other).elo)
        more = sum(k / 2 * count for k, count in enumerate(penta)) - 2 * sum(penta) * chance
        surplus[one] += more
        surplus[other] -= more
    # What is left over is the imagined draws' pull.
    assert all(abs(left) < 2 for left in surplus.values())


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


PLAYERS = match_arrays.DENSE + 50


@pytest.mark.parametrize("hub", [False, True])
def test_many_players_are_rated_as_elimination_would(hub: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(6)
    couples = [(one, one + 2) for one in range(PLAYERS - 2)]
    if hub:
        couples = [(one, other) for one in range(8, PLAYERS) for other in range(8)]
        couples += [
            (int(one), int(one) + 1) for one in dice.choice(np.arange(8, PLAYERS - 1), 60, replace=False)
        ]
    odds = [0.1, 0.2, 0.4, 0.2, 0.1]
    matches = [Match(*couple, tuple(map(int, dice.multinomial(12, odds)))) for couple in couples]  # type: ignore[arg-type]
    found = MatchTable(range(PLAYERS), matches).ratings()
    monkeypatch.setattr(match_arrays, "DENSE", 10_000)
    assert found == pytest.approx(MatchTable(range(PLAYERS), matches).ratings(), abs=1e-9)


def test_between_two_it_is_bradley_and_terrys_model_and_a_draw_counts_half_for_each() -> None:
    won, lost, drawn = [[[1], [2]]], [[[2], [1]]], [[[1, 2]]]
    for games, elo in (([won] * 30_000 + [lost] * 10_000, 400 * math.log10(3)), ([drawn] * 40, 0)):
        found = plackett_luce_fit(games, {2: 1500.0})
        assert found[1].elo - found[2].elo == pytest.approx(elo, abs=0.1)
        assert (found[2].elo, found[2].error) == pytest.approx((1500, 0))
    mixed = plackett_luce_fit([won] * 20_000 + [drawn] * 20_000, {2: 1500.0})
    assert mixed[1].elo - 1500 == pytest.approx(400 * math.log10(3), abs=0.1)


def test_who_lost_every_game_has_a_rating_and_without_games_nobody() -> None:
    found = plackett_luce_fit([[[[1], [2], [3]]]] * 10, {1: 1500.0})
    assert found[1].elo > found[2].elo > found[3].elo > 0
    assert plackett_luce_fit([]) == {}


def test_who_no_chain_of_games_leads_to_an_anchor_stands_apart() -> None:
    found = plackett_luce_fit(
        [[[[1], [2], [3]]], [[[2], [3], [1]]], [[[7], [8], [9]]]] * 5, {2: 1600.0, 3: 1400.0}
    )
    assert [found[one].anchored for one in (1, 2, 3, 7, 8, 9)] == [True] * 3 + [False] * 3
    assert (found[2].elo + found[3].elo) / 2 == pytest.approx(1500)
    assert (found[7].elo + found[8].elo + found[9].elo) / 3 == pytest.approx(1500)


def test_a_bot_that_won_or_lost_everything_is_better_or_worse_by_an_unknown_amount() -> None:
    low, high = interval((0, 0, 0, 0, 8))
    assert 1650 < low < 1900
    assert high == math.inf
    assert interval((8, 0, 0, 0, 0)) == pytest.approx((-math.inf, 3000 - low))
    match = Match(1, 2, (1, 2, 3, 2, 1))
    assert ends(fit([match], {2: 1500.0}), [match])[2] == (1500.0, 1500.0)
    assert ends(fit([]), []) == {}
    # Few pairs are told by Student's t and many by the normal distribution.
    assert fit([Match(1, 2, (2, 0, 4, 0, 2))]).reach > 2.05
    assert fit([Match(1, 2, (200, 0, 400, 0, 200))]).reach == pytest.approx(1.96, abs=0.002)


@cache
def interval(penta: tuple[int, ...]) -> tuple[float, float]:
    match = Match(1, 2, penta)  # type: ignore[arg-type]
    return ends(fit([match], {2: 1500.0}), [match])[1]


PAIRS = 8
RESULTS = [
    tuple(after - before - 1 for before, after in zip((-1, *bars), (*bars, PAIRS + 4), strict=True))
    for bars in combinations(range(PAIRS + 4), 4)
]
"""All numbers of pairs with 0 to 4 half points."""


@cache
def eight_pairs() -> np.typing.NDArray[np.float64]:
    return np.array([interval(penta) for penta in RESULTS]) - 1500


def covered(odds: np.typing.NDArray[np.float64], gap: float) -> float:
    """How often the interval of eight pairs holds the truth, if these are the odds of 0 to 4 half points."""
    low, high = eight_pairs().T
    return float(multinomial.pmf(RESULTS, PAIRS, odds)[(low <= gap) & (gap <= high)].sum())


@pytest.mark.parametrize(("kind", "gap"), [("plain", 400), ("like", 0), ("drawish", 200)])
def test_the_interval_of_eight_pairs_is_neither_too_narrow_nor_too_wide(kind: str, gap: int) -> None:
    found = []
    for true in range(gap - 45, gap + 46, 10):
        chance = expectation(true)
        drawn = min(0.6, 1.2 * min(chance, 1 - chance)) if kind == "drawish" else 0.0
        leg = [1 - chance - drawn / 2, drawn, chance - drawn / 2]
        odds = np.convolve(leg, leg)
        if kind == "like":
            least, best = min(chance, 1 - chance), max(chance, 1 - chance)
            same = [max(1 - 2 * chance, 0), 0, 2 * least, 0, max(2 * best - 1, 0) * (chance > 0.5)]
            odds = 0.4 * np.array(same) + 0.6 * odds
        found.append(covered(odds, true))
    assert 0.93 <= np.mean(found) <= 0.97


CHALLENGER = 0


def gauntlet(seed: int, deals: int, suits: float) -> list[DealtPair]:
    """A challenger against seven of its strength on shared deals, of which each may suit it or the others."""
    dice, pairs = np.random.default_rng(seed), []
    for deal in range(deals):
        chance = 1 / (1 + np.exp(-dice.normal(0, suits)))
        scores = 2 * dice.binomial(2, chance, 7)
        pairs += [DealtPair(deal, CHALLENGER, rival, int(score)) for rival, score in enumerate(scores, 1)]
    return pairs


def matches_of(pairs: list[DealtPair]) -> list[Match]:
    found: dict[tuple[int, int], Counter[int]] = {}
    for pair in pairs:
        found.setdefault((pair.first, pair.second), Counter())[pair.half_points] += 1
    return [Match(*couple, tuple(counts[one] for one in range(5))) for couple, counts in found.items()]  # type: ignore[arg-type]


def test_pairs_on_shared_deals_tell_less_than_independent_ones() -> None:
    held, naive = list[bool](), list[bool]()
    for seed in range(50):
        pairs = gauntlet(seed, 30, 1.5)
        matches = matches_of(pairs)
        plain = fit(matches)
        clustered = with_errors_by_deal(plain, matches, pairs)
        assert clustered.estimate(CHALLENGER).elo == plain.estimate(CHALLENGER).elo
        for found, fitted in ((naive, plain), (held, clustered)):
            low, high = profile_intervals.ends(fitted, matches)[CHALLENGER]
            found.append(low <= 1500 <= high)
    assert np.mean(naive) < 0.88
    assert np.mean(naive) + 0.04 < np.mean(held) <= 0.99


def test_a_new_version_comes_first_and_gets_the_most_informative_opponent() -> None:
    pool = [Candidate(1, 0, 1500, 20, 200), Candidate(2, 0, 900, 20, 200), Candidate(3, 7, 1600, 60, 30)]
    assert choose([*pool, Candidate(4, 8)], {8: 9999.0}, 1) == [(4, 1)], "an equal whose rating is well known"
    # Equals tell more than a foregone conclusion.
    pool = [Candidate(1, 1, 1500, 60, 50), Candidate(2, 0, 1520, 20, 50), Candidate(3, 0, 2100, 20, 50)]
    gains = Field(pool).gains(0)
    assert gains[1] > 3 * gains[2]
    # An opponent with correlated errors tells hardly anything.
    pool = [Candidate(1, 1, 1500, 60, 50), Candidate(2, 2, 1500, 60, 500), Candidate(3, 0, 1500, 60, 500)]
    shared = np.array([[3600.0, 3400.0, 0.0], [3400.0, 3600.0, 0.0], [0.0, 0.0, 100.0]])
    assert choose(pool, {}, 1, shared) == [(1, 3)]
    # A quick opponent is worth more than a slow one.
    slow, quick = (Candidate(key, 2, 1500, 40, 50, seconds=took) for key, took in ((2, 30.0), (3, 1.0)))
    assert choose([Candidate(1, 1), slow, quick], {}, 1) == [(1, 3)]


def test_the_gain_is_the_reduction_of_variance_by_bayes_rule() -> None:
    dice = np.random.default_rng(2)
    root = dice.normal(0, 40, (4, 4))
    covariance = root @ root.T + np.diag([900.0] * 4)
    errors = [float(one) for one in np.diag(covariance) ** 0.5]
    pool = [Candidate(one, 0, 1500.0, error, 50 + 200 * (one == 3)) for one, error in enumerate(errors)]
    told = 0.5 / SCALE**2
    for other in (1, 2, 3):
        apart = np.zeros(4)
        apart[0], apart[other] = 1, -1
        after = np.linalg.inv(np.linalg.inv(covariance) + told * np.outer(apart, apart))
        # Version 3 has had its pairs and asks for none.
        expected = np.trace((covariance - after)[:3, :3]) / 8
        assert Field(pool, covariance).gains(0)[other] == pytest.approx(expected)


def test_no_author_is_met_more_often_than_may_count() -> None:
    pool = [Candidate(1, 1, 1500, 90, 40), Candidate(2, 2, 1500, 20, 200), Candidate(3, 0, 1500, 30, 200)]
    assert choose(pool, {}, 1, met={(1, 0): 39, (1, 4): 1, (2, 0): 195})[0] == (1, 2)
    assert choose(pool, {}, 1, met={(1, 0): 39, (1, 2): 1, (2, 0): 195})[0] == (1, 3)
    # Nor all authors together.
    assert choose(pool, {}, 1, met={(1, 0): 37, (1, 4): 3, (2, 0): 195})[0] == (1, 3)


def test_owners_take_turns_by_what_their_versions_have_used() -> None:
    pool = [Candidate(1, 1, 1500, 90, 20), Candidate(2, 2, 1500, 90, 20), Candidate(9, 0, 1500, 20, 99)]
    assert choose(pool, {1: 500.0, 2: 10.0}, 1)[0][0] == 2
    # One owner has four versions, the other one: they are served about as often while both ask.
    many = choose([*pool, *(Candidate(n, 1, 1500, 90, 20) for n in (3, 4, 5))], {}, 40)
    served = Counter("first" if first in (1, 3, 4, 5) else first for first, _ in many)
    assert served[2] >= 6
    assert served["first"] - served[2] < 30


def test_versions_of_one_author_never_meet_but_those_of_the_house_do() -> None:
    assert choose([Candidate(1, 5), Candidate(2, 5)], {}, 3) == []
    assert set(choose([Candidate(1, 0), Candidate(2, 0)], {}, 3)) == {(1, 2)}


def test_the_house_is_measured_where_not_knowing_it_is_what_makes_errors_large() -> None:
    pool = [Candidate(1, 0, 1500, 0, 99), Candidate(2, 0, 1500, 60, 20), Candidate(7, 7, 1500, 61, 60)]
    known = np.array([[0.0, 0.0, 0.0], [0.0, 3600.0, 3590.0], [0.0, 3590.0, 3721.0]])
    met = {(1, 0): 99, (2, 0): 150, (7, 0): 60}
    field = Field(pool, known, met)
    assert field.gains(2)[0] > field.gains(2)[1] > 0
    assert choose(pool, {0: 1e6}, 1, known, met) == [(7, 1)]
    # Where the anchor is far away, the house finds out where its other bot stands.
    far = [replace(pool[0], elo=700.0), replace(pool[1], elo=1100.0), pool[2]]
    assert set(*choose(far, {0: 1e6}, 1, known, met)) == {1, 2}


def test_games_against_authors_tell_nothing_about_the_house() -> None:
    pool = [Candidate(1, 0, 1500, 60, 99), Candidate(7, 7, 1500, 300, 9)]
    field = Field(pool, met={(1, 0): 20, (7, 0): 9, (1, 7): 79})
    assert field.pool[0].known == 20
    for _ in range(2_000):
        field.play(1, 0)
    assert field.errors[0] == pytest.approx(60)
    # The author's bot is known no better than the house bot it met.
    assert field.errors[1] == pytest.approx(60, rel=0.01)
    assert np.linalg.eigvalsh(field.covariance).min() > -1e-6
    assert choose([pool[0], Candidate(8, 8, 1500, 20, 200)], {}, 3, met={(1, 0): 20, (8, 0): 200}) == []


def test_a_new_version_has_its_first_eight_pairs_in_a_row_and_one_that_waits_no_more() -> None:
    couples = choose([Candidate(1, 0, 1500, 20, 500), Candidate(7, 7, waits=True)], {}, 20)
    assert couples == [(7, 1)] * FIRST_PAIRS
    field = [Candidate(n, 0, 1100.0 + 200 * n, 60, 100) for n in range(1, 5)]
    first = [one for one, _ in choose([*field, Candidate(9, 3)], {3: 1e6}, 9)]
    assert first[:8] == [9] * 8
    assert first[8] != 9, "its owner, who has used so much, waits for the others"
