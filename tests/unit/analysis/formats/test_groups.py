"""Groups before a knock-out: who is where, who meets whom, who is placed before whom."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.formats.bracket import State, bracket, resolve, seed_order
from analysis.formats.groups import (
    ADVANCING,
    MOST_GROUPS,
    GroupRule,
    GroupSlot,
    advancing,
    check,
    draw,
    group_rounds,
    rank_groups,
    rule_of,
    schedule,
    seedings,
    snake,
)
from analysis.formats.standings import Meeting, Row, standings


@given(st.integers(1, 100), st.integers(1, MOST_GROUPS))
def test_everybody_is_in_one_group_and_the_best_of_all_groups_differ_least(
    entrants: int, number: int
) -> None:
    groups = snake(range(entrants), number)
    assert sorted(one for group in groups for one in group) == list(range(entrants))
    sizes = [len(group) for group in groups]
    assert max(sizes) - min(sizes) <= 1
    for row in range(min(sizes)):
        assert sorted(group[row] for group in groups) == list(range(row * number, (row + 1) * number))
    assert snake("abcdefgh", 3) == [["a", "f", "g"], ["b", "e", "h"], ["c", "d"]]


def test_all_of_a_group_meet_once_a_cycle_and_play_once_a_round() -> None:
    for entrants, number, cycles in ((7, 2, 1), (9, 3, 2), (5, 1, 1)):
        tables = list(schedule(range(entrants), number, cycles))
        for index, group in enumerate(snake(range(entrants), number)):
            met = sorted(sorted((one.first, one.second)) for one in tables if one.group == index)
            assert met == sorted([list(two) for two in combinations(sorted(group), 2)] * cycles)
        playing = [(one.round, key) for one in tables for key in (one.first, one.second)]
        assert len(set(playing)) == len(playing)
        assert max(one.round for one in tables) == group_rounds(entrants, number, cycles)
        keys = [(one.round, one.table) for one in tables]
        assert keys == sorted(set(keys))


@pytest.mark.parametrize("advance", ADVANCING)
def test_those_of_one_group_meet_as_late_as_they_can(advance: int) -> None:
    for number in range(1 + (advance == 1), MOST_GROUPS + 1):
        slots = draw(number, advance)
        # Winners have the best seeds, and so the byes; then the runners-up, and so on.
        assert sorted(slots) == [
            GroupSlot(group, place) for group in range(number) for place in range(advance)
        ]
        assert [slot.place for slot in slots] == sorted(slot.place for slot in slots)
        assert slots[:number] == tuple(GroupSlot(group, 0) for group in range(number))
        size = 1 << (number * advance - 1).bit_length()
        rounds = size.bit_length() - 1
        position = {seed: index for index, seed in enumerate(seed_order(size))}
        for one, other in combinations(range(len(slots)), 2):
            if slots[one].group == slots[other].group:
                meet = (position[one] ^ position[other]).bit_length()
                # Winner and runner-up in the final; four of one group in four quarters of the bracket.
                assert meet >= rounds - ({slots[one].place, slots[other].place} != {0, 1})
                assert meet > 1 or number == 1


def test_groups_are_of_about_four_unless_asked_otherwise() -> None:
    for rule, entrants, number in (
        (GroupRule(0, 2), 3, 1),
        (GroupRule(0, 2), 6, 2),
        (GroupRule(0, 2), 12, 3),
        (GroupRule(0, 2), 200, 16),
        (GroupRule(0, 4), 16, 2),
        (GroupRule(0, 1), 4, 2),
        (GroupRule(5, 2), 16, 5),
    ):
        settled = rule.for_entrants(entrants)
        assert settled.groups == number
        check(settled, entrants)
        assert rule_of(settled.as_options()) == settled


def test_seeds_are_known_group_by_group_and_level_matches_go_to_the_better_one_in_the_group() -> None:
    assert draw(2, 2) == (GroupSlot(0, 0), GroupSlot(1, 0), GroupSlot(0, 1), GroupSlot(1, 1))
    assert advancing([[7, 5, 6], None], 2) == [7, None, 5, None]
    state = resolve([7, None, 5, None], bracket(4), {})
    assert (state.ready, state.sides, state.champion) == ([], {}, None)
    better = seedings([3, 2, 1, 4], 2, [1, 2, 3, 4, 5])
    assert sorted(better, key=better.__getitem__) == [2, 3, 1, 4, 5]


def table(*keys: int, counts: tuple[int, int, int] = (2, 0, 0)) -> list[Row]:
    return standings(keys, [Meeting(one, other, *counts) for one, other in combinations(keys, 2)])


def test_places_are_those_of_the_knock_out_then_those_in_the_groups() -> None:
    tables, drawn = [table(1, 2, 3, 4), table(5, 6, 7)], [1, 5, 2, 6]
    assert rank_groups(tables, [], None) == [[1, 5], [2], [6], [3], [7], [4]]
    for winners, places in (
        ({}, [[1, 5, 2, 6], [3], [7], [4]]),
        ({"W1.1": 1}, [[1, 5, 2], [6], [3], [7], [4]]),
        ({"W1.1": 1, "W1.2": 2, "W2.1": 2}, [[2], [1], [5, 6], [3], [7], [4]]),
    ):
        assert rank_groups(tables, drawn, resolve(drawn, bracket(4), winners)) == places
    level = [table(1, 2, 3, counts=(0, 2, 0)), table(4, 5, 6, counts=(0, 2, 0))]
    assert rank_groups(level, [], None) == [[1, 2, 3, 4, 5, 6]]
    # Whoever a void pair left without a place comes after the champion.
    void = State([], {}, 1, [[1], [2]])
    assert rank_groups([table(1, 2, 3), table(4, 5, 6)], [1, 4, 2, 5], void)[:3] == [[1], [2], [4, 5]]
