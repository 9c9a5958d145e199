"""Formats of events: who meets whom, how large it gets, and who stands where."""

import hashlib
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from analysis.errors import InvalidTournament
from analysis.formats.bracket import PlayedMatch, State, bracket, goes_on, most_extra, resolve, seed_order
from analysis.formats.circle import circle, rounds
from analysis.formats.committed_seeds import commitment, deal_seed, leg_suits, round_seed
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
from analysis.formats.matches import (
    DEALS,
    KEPT,
    POINTS,
    MatchPair,
    MatchRule,
    count_points,
    mean_pairs,
    request_rule,
    samples,
    state,
)
from analysis.formats.matches import rule_of as matches_rule_of
from analysis.formats.plans import Size, size
from analysis.formats.standings import Meeting, Row, crosstable, standings


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


TO_100 = MatchRule(POINTS, 100, most=4)


def test_a_match_to_points_ends_after_a_pair_when_one_is_there_and_ahead() -> None:
    for pairs, points, result in (
        ([], (0, 0), ""),
        ([(60, 10), (39, 90)], (99, 100), "second"),
        ([(100, 20)], (100, 20), "first"),
        ([(60, 60), (40, 40)], (100, 100), ""),  # level at the target: another pair
        ([(60, 60), (40, 40), (0, 5)], (100, 105), "second"),
        ([(60, 60), (40, 40), (7, 7), (0, 0)], (107, 107), "drawn"),
        ([(20, 0), (20, 0), (20, 0), (20, 0)], (80, 0), "drawn"),  # ahead, but far from the target
    ):
        found = state(TO_100, pairs)
        assert (found.points, found.result, found.pairs) == (points, result, len(pairs))
    found = state(TO_100, [(100, 20), (0, 200)])  # what was played after the end does not count
    assert (found.points, found.pairs, found.winner, found.margin) == ((100, 20), 1, 0, 80)


def test_a_match_of_deals_is_played_to_its_last_and_on_while_level() -> None:
    for pairs, result in (
        ([(90, 0)], ""),
        ([(90, 0), (0, 5)], "first"),
        ([(5, 0), (0, 5)], ""),
        ([(5, 0), (0, 5), (1, 2)], "second"),
        ([(5, 0), (0, 5), (1, 1)], "drawn"),
    ):
        assert state(MatchRule(DEALS, 2, most=3), pairs).result == result


def test_pairs_count_in_their_order_up_to_one_that_is_played_again() -> None:
    third, first = MatchPair(3, True, (3, 3)), MatchPair(1, True, (1, 1))
    assert count_points([third, first]) == [(1, 1)]
    assert count_points([third, MatchPair(2, False, (0, 0)), first]) == [(1, 1)]
    assert count_points([third, MatchPair(2, True, (2, 2)), first]) == [(1, 1), (2, 2), (3, 3)]


def test_the_length_is_estimated_from_similar_pairs_and_a_rule_reads_back() -> None:
    assert mean_pairs(TO_100, [(50, 0)]) == 2
    assert mean_pairs(TO_100, [(50, 50)]) == TO_100.most
    rule = request_rule("russian-bank", POINTS, 300)
    assert 3 < mean_pairs(rule, KEPT["russian-bank"]) < 4
    assert rule.most >= 5 * mean_pairs(rule, samples("russian-bank"))
    assert samples("crapette", [(1, 0)] * 30) == [(1, 0)] * 30
    assert request_rule("crapette", DEALS, 5) == MatchRule(DEALS, 5, most=15)
    assert matches_rule_of(TO_100.as_options()) == TO_100
    assert matches_rule_of({"elo0": 0}) is None
    assert [TO_100.words, MatchRule(DEALS, 1, 11).words] == ["to 100 points", "of 1 deal"]


USUAL: dict[str, Any] = {"players": 2, "cycles": 1, "rounds": 0, "pairs": 10}


@pytest.mark.parametrize(
    ("kind", "entrants", "more", "expected"),
    [
        ("round-robin", 5, {"cycles": 2}, Size(10, 20, 200, 400)),
        ("round-robin", 200, {"pairs": 1}, Size(199, 19_900, 19_900, 39_800)),
        ("round-robin", 5, {"players": 3}, Size(10, 10, 100, 300)),
        ("gauntlet", 6, {}, Size(1, 5, 50, 100)),
        ("swiss", 9, {"rounds": 4}, Size(4, 16, 160, 320)),
        ("single-elimination", 6, {}, Size(3, 5, 50, 100)),
        ("double-elimination", 8, {}, Size(7, 15, 150, 300)),
        ("groups", 7, {"groups": GroupRule(2, 2, 4)}, Size(5, 12, 102, 204)),
        ("groups", 13, {"groups": GroupRule(0, 2), "cycles": 2}, Size(13, 49, 490, 980)),
        ("sprt", 2, {"pairs": 1000}, Size(1, 1, 1000, 2000)),
        ("swiss", 6, {"rounds": 6}, "With 6 entrants, a Swiss has 1 to 5 rounds. You asked for 6."),
        ("swiss", 6, {"players": 4}, "With 4 seats, only a round-robin is possible."),
        ("groups", 5, {"groups": GroupRule(2, 2)}, "choose at least 6 bots. You chose 5."),
    ],
)
def test_sizes_and_refusals(kind: str, entrants: int, more: dict[str, Any], expected: Size | str) -> None:
    if isinstance(expected, Size):
        assert size(kind, entrants, **USUAL | more) == expected
    else:
        with pytest.raises(InvalidTournament) as refused:
            size(kind, entrants, **USUAL | more)
        assert str(refused.value).endswith(expected)


SEED = "00" * 31 + "01"


def test_a_deal_can_be_recomputed_from_the_tournaments_seed_that_was_committed_to() -> None:
    assert commitment(SEED) == hashlib.sha256(bytes(31) + b"\x01").hexdigest()
    parent = hashlib.sha256(bytes.fromhex(SEED) + b"/round/3").digest()
    assert round_seed(SEED, 3) == parent.hex()
    assert deal_seed(SEED, 3, 7) == hashlib.sha256(parent + b"/deal/7").hexdigest()


def test_legs_have_different_suits_that_keep_the_colours_apart_and_each_relabelling_comes() -> None:
    found = [
        [leg_suits(deal_seed(SEED, 1, number), leg, engine.SUIT_RELABELLINGS) for leg in range(4)]
        for number in range(200)
    ]
    for suits in found:
        assert suits[0] == "SHDC"
        assert len(set(suits)) == 4
        assert all({letters[0], letters[3]} in ({"S", "C"}, {"H", "D"}) for letters in suits)
    assert {suits[1] for suits in found} == set(engine.SUIT_RELABELLINGS[1:])


def standings_table(
    entrants: int, *meetings: tuple[int, int, int, int, int], byes: dict[int, float] | None = None
) -> dict[int, Row]:
    """The rows by entrant, in the order of their places."""
    rows = standings(range(1, entrants + 1), [Meeting(*one) for one in meetings], byes or {})
    return {row.entrant: row for row in rows}


def test_points_add_up_to_the_games_played() -> None:
    rows = standings_table(3, (1, 2, 7, 3, 10), (2, 3, 4, 4, 12), (1, 3, 5, 10, 5))
    found = {key: (row.place, row.wins, row.draws, row.losses) for key, row in rows.items()}
    assert found == {3: (1, 17, 14, 9), 1: (2, 12, 13, 15), 2: (3, 14, 7, 19)}
    assert sum(row.points for row in rows.values()) == 60
    assert [row.place for row in standings_table(3).values()] == [1, 1, 1]


def test_a_tie_is_broken_by_the_games_between_the_tied() -> None:
    rows = standings_table(
        4,
        (1, 2, 0, 0, 2),
        (1, 3, 2, 0, 0),
        (2, 3, 0, 0, 2),
        (3, 4, 0, 2, 0),
        (1, 4, 1, 0, 1),
        (2, 4, 1, 0, 1),
    )
    assert [rows[one].points for one in (1, 2, 3, 4)] == [3, 3, 3, 3]
    assert (rows[2].head_to_head, rows[1].head_to_head) == (3, 3)
    two = standings_table(3, (1, 2, 0, 1, 1), (1, 3, 2, 0, 0), (2, 3, 1, 0, 1)).values()
    found = [(row.place, row.entrant, row.points, row.head_to_head) for row in two]
    assert found == [(1, 2, 2.5, 1.5), (2, 1, 2.5, 0.5), (3, 3, 1, 0)]


def test_sonneborn_berger_and_buchholz_are_as_reckoned_by_hand() -> None:
    found = standings_table(3, (1, 2, 2, 0, 0), (2, 3, 1, 1, 0), (1, 3, 0, 1, 1))
    # Points a game: 1 has 2.5/4, 2 has 1.5/4, 3 has 2/4.
    assert found[1].sonneborn_berger == pytest.approx(2 * 1.5 / 4 + 0.5 * 2 / 4)
    assert found[2].sonneborn_berger == pytest.approx(0 * 2.5 / 4 + 1.5 * 2 / 4)
    assert found[3].sonneborn_berger == pytest.approx(1.5 * 2.5 / 4 + 0.5 * 1.5 / 4)
    assert found[1].buchholz == pytest.approx(2 * 1.5 / 4 + 2 * 2 / 4)


def test_bots_that_did_not_all_meet_equally_often_are_not_compared_head_to_head() -> None:
    level = [(1, 7, 0, 2, 0), (4, 2, 0, 2, 0), (1, 3, 1, 0, 1), (7, 5, 1, 0, 1)]
    rows = standings_table(7, *level, (4, 6, 1, 0, 1), (2, 3, 2, 0, 0), (6, 5, 2, 0, 0))
    assert [(rows[one].points, rows[one].head_to_head) for one in (1, 4, 7)] == [(2, 0)] * 3
    assert rows[4].place < rows[1].place == rows[7].place
    # Nor does it count who met whom more often.
    once = [(1, 3, 1, 0, 1), (2, 3, 1, 0, 1)]
    assert {
        row.head_to_head for row in standings_table(4, (1, 2, 2, 0, 2), *once, (3, 4, 1, 0, 1)).values()
    } == {0}
    assert [row.head_to_head for row in standings_table(3, (1, 2, 1, 0, 1), *once).values()] == [2, 2, 2]


def test_a_bye_costs_no_tie_break() -> None:
    met = [
        (1, 3, 0, 2, 0),
        (1, 4, 0, 2, 0),
        (2, 5, 0, 2, 0),
        (2, 6, 0, 2, 0),
        (2, 7, 0, 2, 0),
        (3, 5, 2, 0, 0),
    ]
    rows = standings_table(7, *met, (4, 6, 2, 0, 0), (3, 7, 1, 0, 1), byes={1: 1.0})
    assert (rows[1].points, rows[2].points, rows[1].games, rows[1].possible) == (3, 3, 4, 6)
    # Opponents average 4/6 and 3/4 a game; the virtual one has 3/6, as 1 itself.
    assert rows[1].buchholz == pytest.approx(2 * 4 / 6 + 2 * 3 / 4 + 2 * 3 / 6)
    assert rows[1].sonneborn_berger == pytest.approx(4 / 6 + 3 / 4 + 3 / 6)
    assert rows[1].place < rows[2].place


def test_a_forfeit_counts_as_points_and_costs_no_tie_break() -> None:
    forfeit, margin = Meeting(4, 5, 2, 0, 0, unplayed=2), Meeting(4, 1, 1, 0, 1, margin=4.0)
    rows = {row.entrant: row for row in standings([1, 4, 5], [Meeting(1, 5, 0, 0, 2), forfeit, margin])}
    assert (rows[5].points, rows[5].rate, rows[4].points, rows[4].rate) == (2, 1, 3, 0.5)
    assert (rows[4].margin, rows[4].head_to_head, rows[4].games) == (2, 0, 4)
    assert rows[4].buchholz == pytest.approx(2 * rows[1].rate + 2 * 3 / 4)
    assert rows[4].sonneborn_berger == pytest.approx(rows[1].rate + 2 * 3 / 4)
    assert rows[1].buchholz == pytest.approx(2 * 1 + 2 * 0.5)


def test_in_a_gauntlet_places_go_by_points_per_game() -> None:
    rows = standings([9, 1, 2, 3], [Meeting(9, other, 3, 0, 7) for other in (1, 2, 3)], per_game=True)
    assert [(row.entrant, row.place, row.points) for row in rows] == [
        (1, 1, 7),
        (2, 1, 7),
        (3, 1, 7),
        (9, 4, 9),
    ]


def test_a_margin_breaks_the_last_tie_and_entrants_equal_in_everything_share_a_place() -> None:
    rows = standings_table(3, (1, 2, 1, 0, 1), (1, 3, 2, 0, 0), (2, 3, 2, 0, 0)).values()
    assert [(row.place, row.entrant, row.tied) for row in rows] == [(1, 1, True), (1, 2, True), (3, 3, False)]
    margins = standings([1, 2], [Meeting(1, 2, 1, 0, 1, margin=-3.0)])
    assert [(row.place, row.entrant, row.margin) for row in margins] == [(1, 2, 1.5), (2, 1, -1.5)]


def test_a_crosstable_cell_sums_all_meetings_from_the_rows_view() -> None:
    one, other = Meeting(1, 2, 3, 1, 0, (0, 0, 0, 1, 1), 5.0), Meeting(2, 1, 2, 0, 0, (0, 0, 0, 0, 1), 4.0)
    cells = crosstable([one, other])
    assert cells[1, 2] == Meeting(1, 2, 3, 1, 2, (1, 0, 0, 1, 1), 1.0)
    assert cells[2, 1] == Meeting(2, 1, 2, 1, 3, (1, 1, 0, 0, 1), -1.0)
