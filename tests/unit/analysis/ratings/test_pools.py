"""Ratings that a second account cannot buy."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from analysis.ratings.elo import expectation, fit
from analysis.ratings.match_arrays import Match
from analysis.ratings.pools import DISBELIEF, MOST_FROM_AUTHORS, MOST_FROM_ONE, ONE_PAIR, rate, shifts

HOUSE = {1: -150.0, 2: 0.0, 3: 150.0}
ANCHORS = {key: 1500.0 + elo for key, elo in HOUSE.items()}
FRIEND = 10


def match(dice: np.random.Generator, one: int, other: int, apart: float, pairs: int) -> Match:
    """So many pairs of two whose strengths differ by so much."""
    scores = 2 * dice.binomial(1, expectation(apart), (pairs, 2)).sum(axis=1)
    return Match(one, other, tuple(map(int, np.bincount(scores, minlength=5))))  # type: ignore[arg-type]


def honest(seed: int, authors: int = 16, puppets: int = 0) -> tuple[list[Match], dict[int, int]]:
    """House bots, authors' bots as strong as 1500, and puppets of one account that play well so far."""
    dice = np.random.default_rng(seed)
    owners = dict.fromkeys(HOUSE, 0) | {number: number for number in range(FRIEND, FRIEND + authors)}
    owners |= dict.fromkeys(range(100, 100 + puppets), 100)
    found = [match(dice, one, other, HOUSE[one] - HOUSE[other], 60) for one, other in combinations(HOUSE, 2)]
    others = [key for key in owners if key not in HOUSE]
    for key in others:
        found += [match(dice, key, anchor, -HOUSE[anchor], 8) for anchor in HOUSE]
    for one, other in combinations(others, 2):
        if not (one == FRIEND and other >= 100) and dice.random() < 0.6:
            found.append(match(dice, one, other, 0.0, 6))
    return found, owners


@pytest.mark.parametrize(("puppets", "thrown"), [(1, 200), (3, 15), (10, 200)])
def test_thrown_games_move_neither_their_friend_nor_anybody_else(puppets: int, thrown: int) -> None:
    matches, owners = honest(1, puppets=puppets)
    bought = matches + [Match(FRIEND, 100 + number, (0, 0, 0, 0, thrown)) for number in range(puppets)]
    # As many accounts as puppets do not help.
    each = owners | {100 + number: 100 + number for number in range(puppets)}
    before, after, spread = (
        rate(games, accounts, ANCHORS).fit
        for games, accounts in ((matches, owners), (bought, owners), (bought, each))
    )
    assert fit(bought, ANCHORS).estimate(FRIEND).elo - fit(matches, ANCHORS).estimate(FRIEND).elo > 20
    for one in (after, spread):
        assert abs(one.estimate(FRIEND).elo - before.estimate(FRIEND).elo) < 10
    for key in range(FRIEND + 1, FRIEND + 16):
        assert abs(after.estimate(key).elo - before.estimate(key).elo) < 5


def test_other_authors_tell_a_small_part_of_what_is_known_of_a_bot_and_one_of_them_less() -> None:
    dice = np.random.default_rng(5)
    matches, owners = honest(2)
    matches.append(match(dice, FRIEND, FRIEND + 1, 0.0, 300))
    weighed, told, whole = rate(matches, owners, ANCHORS), Counter[tuple[int, int]](), Counter[int]()
    for one in weighed.matches:
        apart = weighed.fit.estimate(one.first).elo - weighed.fit.estimate(one.second).elo
        amount = one.weight * one.pairs * expectation(apart) * (1 - expectation(apart))
        for mine, his in ((one.first, one.second), (one.second, one.first)):
            whole[mine] += amount  # type: ignore[assignment]
            told[mine, owners[his]] += amount  # type: ignore[assignment]
    shares = {key: part / whole[key[0]] for key, part in told.items() if key[0] >= FRIEND and key[1]}
    # Weights are reckoned before the last ratings are known, so a part may be a little more.
    one_pair = ONE_PAIR / min(whole[key] for key in owners if key >= FRIEND)
    assert 0.005 < shares[FRIEND, FRIEND + 1] <= max(shares.values()) < 1.2 * max(MOST_FROM_ONE, one_pair)
    for bot in (key for key in owners if key >= FRIEND):
        authors = sum(part for (mine, his), part in told.items() if mine == bot and his)
        assert authors < 1.2 * max(MOST_FROM_AUTHORS * whole[bot], ONE_PAIR)


def test_games_between_bots_of_one_owner_are_never_rated() -> None:
    matches, owners = honest(3)
    own = Match(FRIEND, FRIEND + 1, (0, 0, 0, 0, 50))
    linked = owners | {FRIEND + 1: owners[FRIEND]}
    found = rate([*matches, own], linked, ANCHORS)
    assert own not in found.matches
    among = [one for one in matches if {one.first, one.second} != {FRIEND, FRIEND + 1}]
    assert found.fit.estimate(FRIEND) == rate(among, linked, ANCHORS).fit.estimate(FRIEND)


@pytest.mark.parametrize("anchors", [{2: 1500.0}, ANCHORS])
def test_no_game_of_an_author_moves_a_house_bot_or_through_it_anybody_else(anchors: dict[int, float]) -> None:
    matches, owners = honest(8, puppets=10)
    thrown = [Match(3, 100 + number, (0, 0, 0, 0, 200)) for number in range(10)]
    before, after = rate(matches, owners, anchors).fit, rate(matches + thrown, owners, anchors).fit
    for key in HOUSE:
        assert after.estimate(key) == before.estimate(key)
    for key in range(FRIEND, FRIEND + 16):
        assert abs(after.estimate(key).elo - before.estimate(key).elo) < 1


def test_what_is_not_known_of_the_house_is_part_of_everybodys_errors() -> None:
    dice = np.random.default_rng(9)
    owners = {1: 0, 2: 0, 7: 7}
    ruler = [match(dice, 1, 2, 0.0, 20)]
    games = match(dice, 2, 7, 0.0, 100_000)
    found = rate([*ruler, games], owners, {1: 1500.0}).fit
    alone = rate([games], owners, {2: 1500.0}).fit
    house, bot = found.estimate(2), found.estimate(7)
    assert house.error > 40
    assert bot.error**2 == pytest.approx(house.error**2 + alone.estimate(7).error ** 2, rel=0.02)
    assert bot.elo - house.elo == pytest.approx(alone.estimate(7).elo - 1500, abs=0.1)
    place = found.players.index(2), found.players.index(7)
    assert found.covariance[place] == pytest.approx(house.error**2, rel=0.02)


def test_the_audit_names_the_owner_a_rating_hangs_on_and_the_odd_match() -> None:
    matches, owners = honest(6, puppets=1)
    matches.append(Match(FRIEND, 100, (0, 0, 0, 0, 200)))
    found = {(one.owner, one.player): one.elo for one in shifts(matches, owners, ANCHORS)}
    assert found[100, FRIEND] > 50
    assert found[FRIEND, 100] < -50
    weighed = rate(matches, owners, ANCHORS)
    odd = [one for one, by in zip(weighed.matches, weighed.residuals, strict=True) if abs(by) > DISBELIEF]
    assert [(one.first, one.second, one.weight) for one in odd] == [(FRIEND, 100, 0.0)]
    assert shifts(*honest(7), ANCHORS) == []
    assert rate([], {}, {}).fit.players == ()
