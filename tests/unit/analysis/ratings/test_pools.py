"""Ratings that a second account cannot buy, of two seats and of more."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from analysis.ratings.elo import ANCHOR_ELO, SCALE, expectation, fit
from analysis.ratings.group_pools import ONE_GAME, choose_groups, group_shifts, odd_couples
from analysis.ratings.group_pools import rate as group_pools_rate
from analysis.ratings.match_arrays import Match
from analysis.ratings.plackett_luce import Deal, as_deal, fit_weighted, surprises
from analysis.ratings.plackett_luce import fit as group_pools_fit
from analysis.ratings.pools import DISBELIEF, MOST_FROM_AUTHORS, MOST_FROM_ONE, ONE_PAIR, rate, shifts
from analysis.ratings.scheduling import FIRST_PAIRS, Candidate

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


GROUP_POOLS_HOUSE = {1: -150.0, 2: 0.0, 3: 150.0}
ANCHOR = {2: ANCHOR_ELO}
GROUP_POOLS_FRIEND = 10


def deal(dice: np.random.Generator, *strengths: tuple[int, float], seats: int = 3) -> Deal:
    """A deal of as many games as seats between these players."""
    players = [player for player, _ in strengths]
    drawn = np.array([elo for _, elo in strengths]) / SCALE + dice.gumbel(size=(seats, len(players)))
    return as_deal([[[players[place]] for place in np.argsort(-row)] for row in drawn])


def pool(seed: int, authors: int = 6) -> tuple[Counter[Deal], dict[int, int]]:
    """Deals among the house, and of each author's bot (all as strong as 1500) with two of the house."""
    dice, found = np.random.default_rng(seed), Counter[Deal]()
    owners = dict.fromkeys(GROUP_POOLS_HOUSE, 0) | {
        number: number for number in range(GROUP_POOLS_FRIEND, GROUP_POOLS_FRIEND + authors)
    }
    for _ in range(60):
        found[deal(dice, *GROUP_POOLS_HOUSE.items())] += 1
    for bot in range(GROUP_POOLS_FRIEND, GROUP_POOLS_FRIEND + authors):
        for _ in range(16):
            for couple in combinations(GROUP_POOLS_HOUSE.items(), 2):
                found[deal(dice, (bot, 0.0), *couple)] += 1
    return found, owners


@pytest.mark.parametrize(("puppets", "thrown"), [(1, 200), (10, 3), (10, 200)])
def test_thrown_games_move_neither_their_friend_nor_anybody_else_of_group_pools(
    puppets: int, thrown: int
) -> None:
    deals, owners = pool(1)
    owners |= {100 + number: 100 + number for number in range(puppets)}
    for number in range(100, 100 + puppets):
        honest = np.random.default_rng(number)
        for _ in range(20):
            deals[deal(honest, (number, 0.0), (1, GROUP_POOLS_HOUSE[1]), (3, GROUP_POOLS_HOUSE[3]))] += 1
    # The puppet loses, and sees to it that the third does, too.
    bought = Counter(
        {as_deal([[[GROUP_POOLS_FRIEND], [3], [100 + number]]] * 3): thrown for number in range(puppets)}
    )
    before, after = (
        group_pools_rate(one.items(), owners, ANCHOR).by_player() for one in (deals, deals + bought)
    )
    plain, free = (
        group_pools_fit(list(one.elements()), ANCHOR)[GROUP_POOLS_FRIEND].elo
        for one in (deals, deals + bought)
    )
    assert free - plain > 15
    assert abs(after[GROUP_POOLS_FRIEND].elo - before[GROUP_POOLS_FRIEND].elo) < 10
    assert all(
        abs(after[key].elo - before[key].elo) < 5
        for key in range(GROUP_POOLS_FRIEND + 1, GROUP_POOLS_FRIEND + 6)
    )
    assert all(after[key] == before[key] for key in GROUP_POOLS_HOUSE), (
        "no deal with authors tells about the house"
    )


def test_other_authors_tell_a_small_part_of_what_is_known_of_a_bot() -> None:
    dice = np.random.default_rng(3)
    deals, owners = pool(2)
    mixed = Counter(
        deal(dice, (GROUP_POOLS_FRIEND, 0.0), (GROUP_POOLS_FRIEND + 1, 0.0), (2, 0.0)) for _ in range(300)
    )
    without = group_pools_rate(deals.items(), owners, ANCHOR).by_player()
    found = group_pools_rate((deals + mixed).items(), owners, ANCHOR).by_player()
    equal = dict.fromkeys((*GROUP_POOLS_HOUSE, GROUP_POOLS_FRIEND, GROUP_POOLS_FRIEND + 1), 0.0)
    told = sum(
        times * surprises(one, equal)[GROUP_POOLS_FRIEND][1]
        for one, times in deals.items()
        if GROUP_POOLS_FRIEND in one[0][0] + one[0][1] + one[0][2]
    )
    most = max(MOST_FROM_ONE * told / (1 - MOST_FROM_AUTHORS), ONE_GAME)
    assert (
        0.9 * without[GROUP_POOLS_FRIEND].error
        < found[GROUP_POOLS_FRIEND].error
        < without[GROUP_POOLS_FRIEND].error
    )
    whole = fit_weighted(deals + mixed, ANCHOR).by_player()
    assert whole[GROUP_POOLS_FRIEND].error < 0.7 * without[GROUP_POOLS_FRIEND].error
    # As much less is unknown as the bound allows, and not as 300 deals would tell.
    gained = (without[GROUP_POOLS_FRIEND].error / found[GROUP_POOLS_FRIEND].error) ** 2 - 1
    assert gained < 2 * most / told


def test_deals_with_two_bots_of_one_author_are_never_rated() -> None:
    deals, owners = pool(4)
    own, linked = (
        Counter({as_deal([[[GROUP_POOLS_FRIEND], [2], [GROUP_POOLS_FRIEND + 1]]] * 3): 50}),
        owners | {GROUP_POOLS_FRIEND + 1: GROUP_POOLS_FRIEND},
    )
    found, without = (
        group_pools_rate(one.items(), linked, ANCHOR).by_player() for one in (deals + own, deals)
    )
    assert found == without


@pytest.mark.parametrize("seats", [3, 4])
def test_authors_sit_with_the_house_and_the_house_is_measured_alone(seats: int) -> None:
    candidates = [Candidate(number, 0, 1400.0 + 50 * number, 60, 20) for number in range(1, 6)]
    tables = choose_groups([*candidates, *(Candidate(one, one) for one in (11, 12, 13))], {}, 100, seats)
    assert {len(set(table)) for table in tables} == {seats}
    assert {sum(one > 5 for one in table) for table in tables} == {0, 1}
    assert all(table[-1] > 5 for table in tables[: 3 * FIRST_PAIRS]), "new bots come first"


def test_authors_fill_a_table_up_where_the_house_is_too_small_but_never_two_bots_of_one() -> None:
    candidates = [Candidate(1, 0), Candidate(11, 7), Candidate(12, 7), Candidate(13, 8)]
    assert set(choose_groups(candidates, {}, 20, 3)) == {(1, 11, 13), (1, 12, 13)}
    assert choose_groups(candidates[:3], {}, 20, 3) == []


def test_the_audit_names_the_owner_a_rating_hangs_on_and_the_odd_couple() -> None:
    deals, owners = pool(7)
    thrown = deals + Counter({as_deal([[[GROUP_POOLS_FRIEND], [3], [GROUP_POOLS_FRIEND + 1]]] * 3): 80})
    assert group_shifts(deals.items(), owners, ANCHOR) == []
    assert odd_couples(deals.items(), group_pools_rate(deals.items(), owners, ANCHOR).by_player()) == []
    found = {(one.owner, one.player): one.elo for one in group_shifts(thrown.items(), owners, ANCHOR)}
    assert found[GROUP_POOLS_FRIEND + 1, GROUP_POOLS_FRIEND] > 50
    odd = odd_couples(thrown.items(), group_pools_rate(thrown.items(), owners, ANCHOR).by_player())
    assert {(one.first, one.second): one.deals for one in odd}[
        GROUP_POOLS_FRIEND, GROUP_POOLS_FRIEND + 1
    ] == 80
    assert min(abs(one.residual) for one in odd) > 4
