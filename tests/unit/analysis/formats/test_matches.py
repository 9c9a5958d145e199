"""How long a match is, and who has won it."""

from analysis.formats.match_lengths import KEPT, mean_pairs, request_rule, samples
from analysis.formats.matches import DEALS, POINTS, MatchPair, MatchRule, count_points, rule_of, state

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
    assert rule_of(TO_100.as_options()) == TO_100
    assert rule_of({"elo0": 0}) is None
    assert [TO_100.words, MatchRule(DEALS, 1, 11).words] == ["to 100 points", "of 1 deal"]
