"""Swiss pairings."""

import random
from itertools import combinations

import pytest

from analysis.formats.swiss import pair_round, usual_rounds


def test_the_first_round_folds_the_upper_half_onto_the_lower() -> None:
    found = pair_round(range(1, 9), dict.fromkeys(range(1, 9), 0.0), set(), set())
    assert found.tables == [(1, 5), (2, 6), (3, 7), (4, 8)]
    assert found.bye is None


def test_equal_scores_meet_and_rematches_are_avoided() -> None:
    points = {1: 2.0, 2: 2.0, 3: 1.0, 4: 1.0, 5: 1.0, 6: 1.0, 7: 0.0, 8: 0.0}
    met = {frozenset((1, 2)), frozenset((7, 8))}
    found = pair_round([1, 2, 3, 4, 5, 6, 7, 8], points, met, set())
    assert not any(frozenset(table) in met for table in found.tables)
    assert sum((points[one] - points[other]) ** 2 for one, other in found.tables) == 4


def test_with_an_odd_number_the_lowest_without_a_bye_sits_out() -> None:
    points = dict.fromkeys(range(5), 0.0)
    assert pair_round(range(5), points, set(), set()).bye == 4
    assert pair_round(range(5), points, set(), {4}).bye == 3
    assert pair_round(range(5), points, set(), set(range(5))).bye == 4


def test_when_all_have_met_they_meet_again_rather_than_sit_out() -> None:
    met = {frozenset(pair) for pair in combinations(range(4), 2)}
    found = pair_round(range(4), {0: 3.0, 1: 2.0, 2: 1.0, 3: 0.0}, met, set())
    assert found.tables == [(0, 1), (2, 3)]


@pytest.mark.parametrize("count", [6, 7, 16, 33])
def test_a_whole_swiss_has_no_return_matches_and_at_most_one_bye_each(count: int) -> None:
    rng = random.Random(count)
    points = dict.fromkeys(range(count), 0.0)
    met: set[frozenset[int]] = set()
    byes: set[int] = set()
    for _ in range(usual_rounds(count)):
        ranked = sorted(points, key=lambda one: (-points[one], one))
        found = pair_round(ranked, points, met, byes)
        assert len(found.tables) == count // 2
        for one, other in found.tables:
            assert frozenset((one, other)) not in met
            met.add(frozenset((one, other)))
            points[one if rng.random() < 0.7 else other] += 1
        if found.bye is not None:
            assert found.bye not in byes
            byes.add(found.bye)
    assert len(met) == usual_rounds(count) * (count // 2)


def test_the_usual_rounds_leave_one_leader() -> None:
    assert [usual_rounds(count) for count in (2, 3, 4, 5, 8, 9, 200)] == [1, 2, 2, 3, 3, 4, 8]
