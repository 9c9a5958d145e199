"""Round-robin schedules."""

from collections import Counter
from itertools import combinations

import pytest

from analysis.formats.circle import circle, rounds


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 9, 16])
def test_everyone_meets_everyone_once_plays_at_most_once_a_round_and_is_named_first_as_often(
    count: int,
) -> None:
    schedule = list(circle(count))
    assert len(schedule) == rounds(count)
    met = Counter(frozenset(pairing) for tables in schedule for pairing in tables)
    assert met == {frozenset(pairing): 1 for pairing in combinations(range(count), 2)}
    for tables in schedule:
        assert len(set(sum(tables, ()))) == 2 * len(tables) == count - count % 2
    first = Counter(pairing[0] for tables in schedule for pairing in tables)
    second = Counter(pairing[1] for tables in schedule for pairing in tables)
    assert all(abs(first[player] - second[player]) <= 2 for player in range(count))
