"""Knock-out brackets."""

import pytest

from analysis.formats.bracket import State, bracket, resolve
from analysis.formats.knockout import PlayedMatch, goes_on, most_extra


def run(count: int, double: bool, *upsets: str) -> tuple[State, list[list[str]]]:
    """Play a bracket, the better seed winning but in the matches named; the end, the labels by round."""
    nodes, winners, rounds = bracket(count, double=double), dict[str, int](), list[list[str]]()
    while (state := resolve(range(count), nodes, winners)).ready:
        rounds.append([label for label, _, _ in state.ready])
        for label, one, other in state.ready:
            winners[label] = max(one, other) if label in upsets else min(one, other)
    return state, rounds


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 11, 16, 64])
def test_every_match_makes_one_loss_and_everybody_has_a_place(count: int, double: bool) -> None:
    state, rounds = run(count, double)
    assert state.champion == 0
    assert sum(map(len, rounds)) == (1 + double) * (count - 1)
    assert double or len(rounds) == (count - 1).bit_length()
    assert sorted(one for group in state.places for one in group) == list(range(count))
    assert state.places[:2] == [[0], [1]]


def test_byes_go_to_the_best_seeds_and_places_are_by_how_far_one_came() -> None:
    state = resolve(range(6), bracket(6), {})
    assert [(one, other) for _, one, other in state.ready] == [(3, 4), (2, 5)]
    assert (state.sides["W1.1"], state.sides["W1.3"]) == ((0, None), (1, None))
    assert run(8, False)[0].places == [[0], [1], [2, 3], [4, 5, 6, 7]]


def test_the_winner_of_the_losers_bracket_must_win_twice() -> None:
    state, rounds = run(8, True, "GF")
    assert rounds[-2:] == [["GF"], ["GF2"]]
    assert state.places[:2] == [[0], [1]]
    state, rounds = run(8, True, "GF", "GF2")
    assert state.places[:2] == [[1], [0]]
    assert sum(map(len, rounds)) == 15
    assert run(4, True, "W1.1")[0].champion == 0, "who loses at once can still win it all"


def test_a_level_match_is_decided_by_extra_pairs_then_margin_then_seed() -> None:
    for points, margin, seeds, extra, winner in (
        ((5.5, 4.5), -9.0, (2, 1), 0, 0),
        ((4.5, 5.5), 9.0, (1, 2), 0, 1),
        ((5, 5), 9.0, (1, 2), 0, None),
        ((5, 5), 9.0, (1, 2), 2, None),
        ((8, 8), 9.0, (2, 1), 3, 0),
        ((8, 8), -9.0, (1, 2), 3, 1),
        ((8, 8), 0.0, (4, 1), 3, 1),
    ):
        assert goes_on(PlayedMatch("W1.1", (7, 8), points, margin, extra), seeds) == winner


def test_the_finals_of_events_that_say_so_may_have_more_extra_pairs() -> None:
    single, double, asked = bracket(3), bracket(3, double=True), {"final_extra": 7}
    assert [most_extra(label, single, asked) for label in ("W1.1", "W2.1")] == [3, 7]
    assert [most_extra(label, double, asked) for label in ("W2.1", "L2.1", "GF", "GF2")] == [3, 3, 7, 7]
    assert most_extra("W2.1", single, {}) == 3
