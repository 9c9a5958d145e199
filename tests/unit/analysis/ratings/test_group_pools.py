"""Ratings of several seats that a second account cannot buy."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from analysis.ratings.elo import ANCHOR_ELO, SCALE
from analysis.ratings.group_pools import ONE_GAME, choose_groups, group_shifts, odd_couples, rate
from analysis.ratings.plackett_luce import Deal, as_deal, fit, fit_weighted, surprises
from analysis.ratings.pools import MOST_FROM_AUTHORS, MOST_FROM_ONE
from analysis.ratings.scheduling import FIRST_PAIRS, Candidate

HOUSE = {1: -150.0, 2: 0.0, 3: 150.0}
ANCHOR = {2: ANCHOR_ELO}
FRIEND = 10


def deal(dice: np.random.Generator, *strengths: tuple[int, float], seats: int = 3) -> Deal:
    """A deal of as many games as seats between these players."""
    players = [player for player, _ in strengths]
    drawn = np.array([elo for _, elo in strengths]) / SCALE + dice.gumbel(size=(seats, len(players)))
    return as_deal([[[players[place]] for place in np.argsort(-row)] for row in drawn])


def pool(seed: int, authors: int = 6) -> tuple[Counter[Deal], dict[int, int]]:
    """Deals among the house, and of each author's bot (all as strong as 1500) with two of the house."""
    dice, found = np.random.default_rng(seed), Counter[Deal]()
    owners = dict.fromkeys(HOUSE, 0) | {number: number for number in range(FRIEND, FRIEND + authors)}
    for _ in range(60):
        found[deal(dice, *HOUSE.items())] += 1
    for bot in range(FRIEND, FRIEND + authors):
        for _ in range(16):
            for couple in combinations(HOUSE.items(), 2):
                found[deal(dice, (bot, 0.0), *couple)] += 1
    return found, owners


@pytest.mark.parametrize(("puppets", "thrown"), [(1, 200), (10, 3), (10, 200)])
def test_thrown_games_move_neither_their_friend_nor_anybody_else(puppets: int, thrown: int) -> None:
    deals, owners = pool(1)
    owners |= {100 + number: 100 + number for number in range(puppets)}
    for number in range(100, 100 + puppets):
        honest = np.random.default_rng(number)
        for _ in range(20):
            deals[deal(honest, (number, 0.0), (1, HOUSE[1]), (3, HOUSE[3]))] += 1
    # The puppet loses, and sees to it that the third does, too.
    bought = Counter({as_deal([[[FRIEND], [3], [100 + number]]] * 3): thrown for number in range(puppets)})
    before, after = (rate(one.items(), owners, ANCHOR).by_player() for one in (deals, deals + bought))
    plain, free = (fit(list(one.elements()), ANCHOR)[FRIEND].elo for one in (deals, deals + bought))
    assert free - plain > 15
    assert abs(after[FRIEND].elo - before[FRIEND].elo) < 10
    assert all(abs(after[key].elo - before[key].elo) < 5 for key in range(FRIEND + 1, FRIEND + 6))
    assert all(after[key] == before[key] for key in HOUSE), "no deal with authors tells about the house"


def test_other_authors_tell_a_small_part_of_what_is_known_of_a_bot() -> None:
    dice = np.random.default_rng(3)
    deals, owners = pool(2)
    mixed = Counter(deal(dice, (FRIEND, 0.0), (FRIEND + 1, 0.0), (2, 0.0)) for _ in range(300))
    without = rate(deals.items(), owners, ANCHOR).by_player()
    found = rate((deals + mixed).items(), owners, ANCHOR).by_player()
    equal = dict.fromkeys((*HOUSE, FRIEND, FRIEND + 1), 0.0)
    told = sum(
        times * surprises(one, equal)[FRIEND][1]
        for one, times in deals.items()
        if FRIEND in one[0][0] + one[0][1] + one[0][2]
    )
    most = max(MOST_FROM_ONE * told / (1 - MOST_FROM_AUTHORS), ONE_GAME)
    assert 0.9 * without[FRIEND].error < found[FRIEND].error < without[FRIEND].error
    whole = fit_weighted(deals + mixed, ANCHOR).by_player()
    assert whole[FRIEND].error < 0.7 * without[FRIEND].error
    # As much less is unknown as the bound allows, and not as 300 deals would tell.
    gained = (without[FRIEND].error / found[FRIEND].error) ** 2 - 1
    assert gained < 2 * most / told


def test_deals_with_two_bots_of_one_author_are_never_rated() -> None:
    deals, owners = pool(4)
    own, linked = Counter({as_deal([[[FRIEND], [2], [FRIEND + 1]]] * 3): 50}), owners | {FRIEND + 1: FRIEND}
    found, without = (rate(one.items(), linked, ANCHOR).by_player() for one in (deals + own, deals))
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
    thrown = deals + Counter({as_deal([[[FRIEND], [3], [FRIEND + 1]]] * 3): 80})
    assert group_shifts(deals.items(), owners, ANCHOR) == []
    assert odd_couples(deals.items(), rate(deals.items(), owners, ANCHOR).by_player()) == []
    found = {(one.owner, one.player): one.elo for one in group_shifts(thrown.items(), owners, ANCHOR)}
    assert found[FRIEND + 1, FRIEND] > 50
    odd = odd_couples(thrown.items(), rate(thrown.items(), owners, ANCHOR).by_player())
    assert {(one.first, one.second): one.deals for one in odd}[FRIEND, FRIEND + 1] == 80
    assert min(abs(one.residual) for one in odd) > 4
