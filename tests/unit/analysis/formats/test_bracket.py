"""Knock-out brackets."""

import pytest

from analysis.formats.bracket import State, bracket, resolve
from analysis.formats.knockout import PlayedMatch, goes_on, most_extra


def run(count: int, *, double: bool, upsets: frozenset[str] = frozenset()) -> tuple[State, list[list[str]]]:
    """Play a bracket, the better seed winning but in the matches named; the end, the labels by round."""
    nodes = bracket(count, double=double)
    winners: dict[str, int] = {}
    rounds: list[list[str]] = []
    while True:
        state = resolve(range(count), nodes, winners)
        if not state.ready:
            return state, rounds
        rounds.append([label for label, _, _ in state.ready])
        for label, one, other in state.ready:
            winners[label] = max(one, other) if label in upsets else min(one, other)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 16, 64])
def test_single_elimination_takes_one_match_fewer_than_entrants(count: int) -> None:
    state, rounds = run(count, double=False)
    assert sum(map(len, rounds)) == count - 1
    assert len(rounds) == (count - 1).bit_length()
    assert state.champion == 0
    assert [one for group in state.places for one in group] == sorted(
        range(count), key=[one for group in state.places for one in group].index
    )
    assert sorted(one for group in state.places for one in group) == list(range(count))


def test_byes_go_to_the_best_seeds() -> None:
    state = resolve(range(6), bracket(6), {})
    assert [(one, other) for _, one, other in state.ready] == [(3, 4), (2, 5)]
    assert state.sides["W1.1"] == (0, None)
    assert state.sides["W1.3"] == (1, None)


def test_places_of_eight_without_upsets_are_by_how_far_one_came() -> None:
    state, rounds = run(8, double=False)
    assert state.places == [[0], [1], [2, 3], [4, 5, 6, 7]]
    assert rounds == [["W1.1", "W1.2", "W1.3", "W1.4"], ["W2.1", "W2.2"], ["W3.1"]]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 11, 16])
def test_in_double_elimination_everyone_but_the_champion_loses_twice(count: int) -> None:
    state, rounds = run(count, double=True)
    assert state.champion == 0
    # Every match makes one loss; the champion has none.
    assert sum(map(len, rounds)) == 2 * (count - 1)
    assert sorted(one for group in state.places for one in group) == list(range(count))
    assert state.places[1] == [1]


def test_the_winner_of_the_losers_bracket_must_win_twice() -> None:
    state, rounds = run(8, double=True, upsets=frozenset({"GF"}))
    assert rounds[-2:] == [["GF"], ["GF2"]]
    assert state.champion == 0
    assert state.places[:2] == [[0], [1]]
    state, rounds = run(8, double=True, upsets=frozenset({"GF", "GF2"}))
    assert state.champion == 1
    assert state.places[:2] == [[1], [0]]
    assert sum(map(len, rounds)) == 15


def test_a_first_round_loser_can_still_win_it_all() -> None:
    # Seed 0 loses at once, then wins through the losers' bracket.
    state, _ = run(4, double=True, upsets=frozenset({"W1.1"}))
    assert state.champion == 0


def test_a_level_match_is_decided_by_extra_pairs_then_margin_then_seed() -> None:
    def winner(points: tuple[float, float], margin: float, seeds: tuple[int, int], extra: int) -> int | None:
        return goes_on(PlayedMatch("W1.1", (7, 8), points, margin, extra), seeds)

    assert winner((5.5, 4.5), -9.0, (2, 1), 0) == 0
    assert winner((4.5, 5.5), 9.0, (1, 2), 0) == 1
    assert winner((5, 5), 9.0, (1, 2), 0) is None
    assert winner((5, 5), 9.0, (1, 2), 2) is None
    assert winner((8, 8), 9.0, (2, 1), 3) == 0
    assert winner((8, 8), -9.0, (1, 2), 3) == 1
    assert winner((8, 8), 0.0, (4, 1), 3) == 1


def test_the_finals_of_events_that_say_so_may_have_more_extra_pairs() -> None:
    single, double = bracket(3), bracket(3, double=True)
    asked = {"final_extra": 7}
    assert [most_extra(label, single, asked) for label in ("W1.1", "W2.1")] == [3, 7]
    assert [most_extra(label, double, asked) for label in ("W2.1", "L2.1", "GF", "GF2")] == [3, 3, 7, 7]
    assert most_extra("W2.1", single, {}) == 3
