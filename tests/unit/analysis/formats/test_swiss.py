"""Swiss pairings, compared with a plain search of all ways to pair."""

import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.formats.swiss import pair_round
from tests.thorough import THOROUGH

Way = list[tuple[int, int | None]]


def test_a_meeting_again_costs_more_than_any_difference_of_points() -> None:
    left = {frozenset(pair) for pair in ((0, 13), (1, 12), (2, 11), (3, 10), (4, 9), (5, 8), (6, 7))}
    met = {frozenset(pair) for pair in combinations(range(14), 2)} - left
    points = {one: 1e9 * (13 - one) for one in range(14)}
    found = pair_round(range(14), points, met, set())
    assert {frozenset(table) for table in found.tables} == left


@settings(max_examples=400 if THOROUGH else 60, deadline=None)
@given(data=st.data(), count=st.integers(2, 8))
def test_the_way_taken_is_the_best_of_all_by_its_wishes(data: st.DataObject, count: int) -> None:
    ranked = data.draw(st.permutations(range(10, 10 + count)))
    scores = sorted(data.draw(st.lists(st.integers(0, 6), min_size=count, max_size=count)), reverse=True)
    points = {one: score / 2 for one, score in zip(ranked, scores, strict=True)}
    met = data.draw(st.lists(st.sampled_from([frozenset(one) for one in combinations(ranked, 2)])))
    byes = data.draw(st.lists(st.sampled_from(ranked)))
    found = pair_round(ranked, points, met, byes)
    way: Way = [*found.tables, *([(found.bye, None)] if found.bye is not None else [])]
    best = min(wishes(one, ranked, points, met, byes) for one in every_way(ranked))
    assert wishes(way, ranked, points, met, byes) == best


def every_way(ranked: list[int]) -> Iterator[Way]:
    """All ways to pair entrants, the higher ranked first; of an odd number each sits out in turn."""
    if not ranked:
        yield []
    elif len(ranked) % 2:
        for one in ranked:
            for rest in every_way([other for other in ranked if other != one]):
                yield [*rest, (one, None)]
    else:
        for other in ranked[1:]:
            for rest in every_way([one for one in ranked[1:] if one != other]):
                yield [(ranked[0], other), *rest]


def wishes(
    way: Way, ranked: list[int], points: dict[int, float], met: list[frozenset[int]], byes: list[int]
) -> tuple[float, ...]:
    """What a way is judged by, from the text of `analysis.formats.swiss`; smaller is better."""
    tables = [(one, other) for one, other in way if other is not None]
    again = [met.count(frozenset(table)) for table in tables]
    sits = next((one for one, other in way if other is None), None)
    across = [table for table in tables if points[table[0]] != points[table[1]]]
    apart = [(ranked.index(one) - ranked.index(other)) ** 2 for one, other in across]
    meets = {ranked.index(one): ranked.index(other) for one, other in across}
    found = [
        sum(one > 0 for one in again),
        sum(again),
        byes.count(sits) if sits is not None else 0,
        points[sits] if sits is not None else 0,
        sum((points[one] - points[other]) ** 2 for one, other in across),
        -ranked.index(sits) if sits is not None else 0,
        sum(apart),
        *(meets.get(index, 0) for index in range(len(ranked))),
    ]
    inside = [table for table in tables if table not in across]
    for score in sorted({points[one] for one, _ in inside}, reverse=True):
        group = sorted(
            (seat for table in inside for seat in table if points[seat] == score), key=ranked.index
        )
        half = len(group) // 2
        places = sorted((group.index(one), group.index(other)) for one, other in inside if one in group)
        found += [
            sum((one < half) == (other < half) for one, other in places),
            sum(abs(other - one - half) for one, other in places),
            *(dict(places).get(index, 0) for index in range(len(group))),
        ]
    return tuple(found)


@pytest.mark.parametrize(
    ("count", "rounds", "leave"),
    [(6, 3, 0), (7, 3, 0), (33, 6, 0), (6, 5, 0), (9, 9, 0), (14, 13, 0), (5, 3, 1), (9, 4, 2), (12, 5, 3)],
)
@pytest.mark.parametrize("seed", range(2))
def test_a_whole_swiss_has_no_return_matches_and_at_most_one_bye_each(
    count: int, rounds: int, leave: int, seed: int
) -> None:
    rng = random.Random(seed)
    points = dict.fromkeys(range(count), 0.0)
    met: list[frozenset[int]] = []
    byes: list[int] = []
    leaving = sorted(rng.sample(range(1, rounds), min(leave, rounds - 1)))
    for number in range(rounds):
        if number in leaving:
            points.pop(rng.choice(list(points)))
        ranked = sorted(points, key=lambda one: (-points[one], one))
        found = pair_round(ranked, points, met, byes, followed=number + 1 < rounds)
        assert sorted([*sum(found.tables, ()), *([found.bye] if len(points) % 2 else [])]) == sorted(points)
        for one, other in found.tables:
            points[one if rng.random() < 0.7 else other] += 1
        met += map(frozenset, found.tables)
        if found.bye is not None:
            byes.append(found.bye)
            points[found.bye] += 0.5
    assert len(set(met)) == len(met)
    assert len(set(byes)) == len(byes)
