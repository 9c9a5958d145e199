"""Which pair a ladder plays next."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from analysis.ratings.elo import SCALE
from analysis.ratings.scheduling import FIRST_PAIRS, Candidate, Field, choose


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
