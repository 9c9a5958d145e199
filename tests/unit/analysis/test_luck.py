"""The luck in a game has mean zero, whatever is played and whatever the value function believes."""

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from random import Random

import numpy as np
import pytest

import engine
from analysis.luck.measurement import can_correct, game_luck, is_deal, luck_parts, tick_luck, tick_luck_parts
from analysis.luck.policy_agreement import tallies
from analysis.luck.subtracted_share import adjust_pairs
from analysis.training.selfplay import IRREGULAR, SelfPlayGame, play
from analysis.training.value_network import zero_network
from analysis.values.features import features
from analysis.values.function import Network, Rollouts, TickValues, ValueFunction
from analysis.values.public_game import Table
from analysis.values.public_game_ticks import TickTable
from analysis.values.seat_policies import (
    UNKNOWN,
    UNKNOWNS,
    Policies,
    SeatPolicy,
    choose_policy,
    ranks,
)
from engine import TurnPosition, deal
from engine.cards import Card
from engine.policies.greedy import EMPTIES_HOUSE, greedily, perturbed
from engine.policies.planner import search
from engine.policies.tick_greedy import tick_greedy
from engine.policies.tick_planner import tick_planner, weighed
from engine.ticks.core import TickCore
from engine.ticks.position import TickPosition, TickSeat
from engine.turns.core import DRAWN, HAND, Completions, Core
from engine.turns.position_parts import SeatPiles


def opinion(variant: str, seed: int = 5) -> ValueFunction:
    """A value function with strong opinions and no sense: random weights."""
    chance = np.random.default_rng(seed)
    rules = engine.variant(variant)
    values = ValueFunction(rules, zero_network(), np.zeros(2), np.ones(2))
    inputs = features(rules, values.look(Table(TurnPosition.deal(rules, "00" * 32))).batch).shape[1]
    shapes = ((inputs, 12), (12,), (12, 2), (2,))
    first, bias, second, last = (chance.normal(0, 0.15, shape) for shape in shapes)
    network = Network(first, bias, second, last, 10.0)
    return ValueFunction(rules, network, np.zeros(2), np.ones(2))


def small(variant: str, seed: str = "07" * 32) -> engine.TurnPosition:
    """A deal of which each seat keeps one hidden card of the reserve and two of the hand."""
    whole = TurnPosition.deal(variant, seed)
    seats = tuple(SeatPiles(seat.reserve[-2:], seat.hand[-2:], ()) for seat in whole.seats)
    return replace(whole, seats=seats)


def completions(start: engine.TurnPosition) -> list[engine.TurnPosition]:
    """Every full position that the public cannot tell from it."""

    def filled(seat: SeatPiles, cards: tuple[str, ...]) -> SeatPiles:
        below = len(seat.reserve[:-1])
        return SeatPiles((*cards[:below], *seat.reserve[-1:]), cards[below:], ())

    first, second = ((*seat.reserve[:-1], *seat.hand) for seat in start.seats)
    ways = list(product(permutations(first), permutations(second)))
    if start.rules.one_pack:
        ways = [(way[: len(first)], way[len(first) :]) for way in permutations((*first, *second))]
    one, other = start.seats
    return [replace(start, seats=(filled(one, here), filled(other, there))) for here, there in ways]


PLAYED_ON = [
    ("crapaud", ("greedy", "greedy")),
    ("crapette", ("greedy", "reserves")),
    ("crapette-it", ("searches-24", "greedy")),
    ("russian-bank", ("discards", "searches-64")),
]


def played_out(variant: str, seed: str) -> list[tuple[engine.TurnPosition, SelfPlayGame]]:
    """Every completion of a small position, and the greedy bot's game from it."""
    start = small(variant, seed)
    if variant == "crapaud":  # shuffled as one: five unknown cards in all
        first, second = start.seats
        start = replace(start, seats=(first, SeatPiles(second.reserve[-1:], second.hand[-2:], ())))
    found = completions(start)
    assert all(position.public() == start.public() for position in found)
    return [(position, play(position, [greedily, greedily])) for position in found]


DECIDED_BY_CARDS = {
    "crapo": "19",
    "crapette": "06",
    "crapette-it": "02",
    "russian-bank": "02",
    "crapaud": "02",
}
"""Seeds of small positions in which the greedy bot wins or loses by the cards that nobody knows."""


@pytest.mark.parametrize("variant", DECIDED_BY_CARDS)
def test_over_all_completions_of_a_small_position_the_luck_is_exactly_zero(variant: str) -> None:
    values = opinion(variant)
    found = []
    for position, played in played_out(variant, DECIDED_BY_CARDS[variant] * 32):
        luck = game_luck(position, played.words, values)
        assert luck.deal_result == 0, "a problem has no deal"
        found.append((luck.cards_result, luck.cards_margin))
    spread = np.abs(found).max(axis=0)
    assert (spread > 0.1).all(), "some completions are luckier than others"
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-12 + 1e-9 * spread.max())


def parts_of_all(values: ValueFunction, policies: Policies = UNKNOWNS) -> np.ndarray:
    """The luck of the cards in the game of each completion."""
    found = played_out(values.rules.name, DECIDED_BY_CARDS[values.rules.name] * 32)
    return np.array([luck_parts(one, game.words, values, policies).cards.sum(axis=0) for one, game in found])


@pytest.mark.parametrize(
    ("names", "agreement"),
    [(("planner", "greedy"), 0.9), (("greedy", "searches-24"), 1.0), (("discards", "searches-64"), 0.0)],
)
@pytest.mark.parametrize("variant", DECIDED_BY_CARDS)
def test_over_all_completions_the_luck_is_zero_by_whatever_policies_games_are_played_on(
    variant: str, names: tuple[str, str], agreement: float
) -> None:
    policies = SeatPolicy(names[0], agreement), SeatPolicy(names[1], agreement)
    found = parts_of_all(opinion(variant), policies)
    assert np.abs(found).max() > 0.1
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-9 * np.abs(found).max())


@pytest.mark.parametrize(("ways", "full"), [(1, 48), (5, 48), (12, 0), (12, 1)])
def test_each_number_of_ways_is_unbiased_and_so_is_going_on_with_fewer(ways: int, full: int) -> None:
    values = opinion("crapette")
    values.rollouts = Rollouts(ways=ways, seed=3, full=full)
    found = parts_of_all(values)
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert np.abs(found).max() > 0.1


def shuffled(
    pools: list[list[int]], count: int, seed: int, cards: Sequence[int] = range(209), apart: int = 0
) -> list[bytearray]:
    """The ways as `Completions` and `TickCompletions` choose them; `apart` are the places of two seats."""
    mask = (1 << 64) - 1
    names = [bytearray(cards) for _ in range(count)]
    for seat, pool in enumerate(pools):
        for way in range(count):
            for index in range(len(pool) - 1 if way % len(pool) == 0 else 0, 0, -1):
                seed = (seed + 0x9E3779B97F4A7C15) & mask
                mixed = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & mask
                mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
                other = (((mixed ^ mixed >> 31) >> 32) * (index + 1)) >> 32
                pool[index], pool[other] = pool[other], pool[index]
            for index, card in enumerate(pool):
                names[way][apart * seat + card] = pool[(index + way + 1) % len(pool)]
    return names


def ended(core: Core, names: bytearray, policies: Policies) -> tuple[int, int]:
    """How a game ends in which other cards lie where nobody has seen any."""
    game = core.exchanged(bytes(names))
    order = ranks((policies[0].name, policies[1].name))
    while not game.over:
        seat, number, nodes = game.turn, game.turn_number, policies[game.turn].nodes
        for move in (nodes and game.planned(nodes)) or (game.ranked(order, EMPTIES_HOUSE),):
            game.push(move)
            if game.can_stop() and game.state()[7] == IRREGULAR:
                game.stop()
            if game.over or (game.turn, game.turn_number) != (seat, number):
                break
    return game.worth()


@pytest.mark.parametrize("variant", ["crapaud", "crapette"])
def test_every_card_that_could_come_is_weighed_by_how_many_are_unseen_and_comes_once(variant: str) -> None:
    table, seen, flips = Table(start := TurnPosition.deal(variant, "01" * 32)), set[int](), 0
    for word in play(start, [greedily, greedily]).words:
        known = word == "draw" and not table.core.size(HAND + table.core.turn)
        flips += known
        chance = table.apply(word)
        if chance is not None:
            assert not known, "a hand that was turned over turns up nothing new"
            assert chance.pile == DRAWN or word.startswith("r-")
            count = sum(count for _, count in chance.others)
            assert variant == "crapette" or count == len(table.hidden) + 1, "both packs were shuffled as one"
            assert chance.card not in seen
            seen.add(chance.card)
    assert len(seen) > 5
    assert flips > 0


def test_the_value_of_a_position_is_the_same_whatever_the_unseen_cards_are() -> None:
    values, start = opinion("crapette"), TurnPosition.deal("crapette", "02" * 32)
    turned = [SeatPiles((*one.reserve[-2::-1], one.reserve[-1]), one.hand[::-1], ()) for one in start.seats]
    other = replace(start, seats=tuple(turned))
    assert other.public() == start.public()
    first, second = (values.value(values.look(Table(one)))[0] for one in (start, other))
    assert first.tolist() == second.tolist()


def test_deals_are_distinguished_from_problems_and_those_in_which_hidden_cards_decided_who_starts() -> None:
    start = TurnPosition.deal("crapette-it", "00" * 32)
    twin = replace(start, seats=(start.seats[0], replace(start.seats[1], reserve=start.seats[0].reserve)))
    problem = small("crapette-it")
    assert [can_correct(one) for one in (start, twin, problem)] == [True, False, True]
    assert [is_deal(one) for one in (start, problem)] == [True, False]


@pytest.mark.parametrize(("variant", "names"), PLAYED_ON)
def test_luck_is_what_games_with_the_card_bring_over_games_without_it_in_every_way(
    variant: str, names: tuple[str, str]
) -> None:
    # The definition, card by card and game by game: nothing that cancels is left out.
    unlike = SeatPolicy(names[0], 0.9), SeatPolicy(names[1], 0.9)
    start, chance = TurnPosition.deal(variant, "0b" * 32), Random(7)
    words = play(start, [perturbed(chance, 0.05), greedily]).words
    table = Table(start)
    how = 5, 11, ranks(names), EMPTIES_HOUSE, 48, [one.nodes for one in unlike]
    ways, asked = (Completions(table.core, table.pools(), *how) for _ in range(2))
    orders = shuffled(table.pools(), 5, 11)
    total, together = np.zeros(2), np.zeros(2)
    for word in words:
        card = table.turned_up(word)
        if card is None:
            continue
        for way in orders:
            total -= ended(table.core, way, unlike)
            place = way.index(card)
            way[place], way[card] = way[card], card
            total += ended(table.core, way, unlike)
        ways.turned_up(table.core, card)
        asked.turned_up(table.core, card)
        together += asked.brought()
    assert np.abs(total).max() > 0
    found = list(ways.brought())
    assert found == total.tolist()
    assert found == together.tolist()
    assert ways.brought() == (0, 0), "what was asked for is not told again"


def test_other_threads_go_on_while_games_are_played_on() -> None:
    table = Table(TurnPosition.deal("crapaud", "00" * 32))
    before, turns, done = sys.getswitchinterval(), [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            turns[0] += 1
            time.sleep(0)

    other = threading.Thread(target=count)
    sys.setswitchinterval(1000)  # nobody is interrupted: the other goes on only where the core lets it
    try:
        other.start()
        seen = 0
        for _ in range(400):
            ways = Rollouts(ways=128).begin(table)
            first = turns[0]
            ways.turned_up(table.core, table.core.top_of(HAND))
            seen += turns[0] - first
            if seen:
                break
    finally:
        done.set()
        sys.setswitchinterval(before)
        other.join()
    assert seen


FEW = TickValues(ways=5)


def ticks_small() -> TickPosition:
    """Near the end: of each seat one unknown card in the reserve and two in the hand, which can all go up."""
    first = TickSeat(("KS", "JH"), ("TS", "QD", "KC", "KH"), ("QS", "JS"), ())
    second = TickSeat(("QH", "KD"), ("TS", "JC", "KH", "QC"), ("JD", "JS"), ())
    return TickPosition(7, ((9, 9), (11, 10), (11, 10), (11, 10)), (first, second))


def ticks_completions(start: TickPosition) -> Iterator[TickPosition]:
    """Every full position that the public cannot tell from it."""

    def filled(seat: TickSeat, cards: tuple[Card, ...]) -> TickSeat:
        below = len(seat.reserve) - 1
        return TickSeat((*cards[:below], *seat.reserve[-1:]), seat.slots, cards[below:], seat.discard)

    ways = [permutations((*seat.reserve[:-1], *seat.hand)) for seat in start.seats]
    for one, two in product(*ways):
        seats = (filled(start.seats[0], one), filled(start.seats[1], two))
        yield replace(start, seats=seats)


@pytest.mark.parametrize(("tick", "completed"), [(7, (0, 0)), (8, (1, 0))])
def test_over_all_completions_of_a_small_position_the_luck_is_exactly_zero_of_ticks(
    tick: int, completed: tuple[int, int]
) -> None:
    start = replace(ticks_small(), tick=tick, completed=completed)
    found, together = [], 0
    for race in ticks_completions(start):
        assert race.public() == start.public()
        played = play(race, [tick_greedy, tick_planner])
        luck = tick_luck(race, played.words, FEW)
        assert luck.deal_result == luck.deal_margin == 0, "a problem has no deal"
        found.append((luck.cards_result, luck.cards_margin))
        table = TickTable(race)
        together += any(len(table.follow(word)) == 2 for word in played.words)
    assert len(found) == 36
    assert together, "expected cards of both in one tick"
    spread = np.abs(found).max(axis=0)
    assert (spread > 0.1).all(), "some completions are luckier than others"
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-12)


def outside(core: TickCore, seat: int) -> int:
    """The planner as it gives its reasons, outside the core."""
    return weighed(core, seat).action


CONTESTED = TickPosition(
    7,
    ((10, 9), (10, 8), (9, 7), (9, 8)),
    (
        TickSeat(("KD", "TD"), ("QH", "QD", "KS", "8C"), ("9D", "TS"), ()),
        TickSeat(("TH", "8C"), ("8D", "JC", "KS", "KH"), ("TC", "QD"), ()),
    ),
)
"""Near the end, and won and lost by the unknown cards also where planners play."""


@pytest.mark.parametrize("names", [("plans", "plans"), ("greedy", "plans"), ("plans", "greedy")])
def test_over_all_completions_the_luck_is_zero_by_whatever_policies_games_are_played_on_of_ticks(
    names: tuple[str, str],
) -> None:
    policies = SeatPolicy(names[0], 1.0), SeatPolicy(names[1], 0.9)
    found = []
    for race in ticks_completions(CONTESTED):
        played = play(race, [tick_greedy, outside])
        found.append(tick_luck_parts(race, played.words, FEW, policies).cards.sum(axis=0))
    assert np.abs(found).max() > 0.1
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-12)


SURE_GREEDY, SURE_PLANNER = SeatPolicy("greedy", 1.0), SeatPolicy("planner", 1.0)


def policy_agreement_outside(core: Core) -> tuple[int, ...]:
    """The planner as it weighs its lines, outside the core."""
    return search(core, 500).best.moves


def outside_ticks(core: TickCore, seat: int) -> int:
    """The planner of ticks as it gives its reasons, outside the core."""
    return weighed(core, seat).action


@pytest.mark.parametrize("variant", ["crapaud", "crapette-it", "russian-bank"])
def test_a_game_agrees_with_the_policies_that_played_it(variant: str) -> None:
    start = deal(variant, "0d" * 32)
    first, second = tallies(start, play(start, [policy_agreement_outside, greedily]).words)
    assert first["planner"] == first["stretches"] > 30
    assert first["greedy"] < first["stretches"]
    assert second["greedy"] == second["stretches"] > 30
    assert second["planner"] < second["stretches"]
    assert choose_policy([first]) == SURE_PLANNER
    assert choose_policy([second]) == SURE_GREEDY


def test_in_ticks_too_a_game_agrees_with_the_policies_that_played_it() -> None:
    starts = [deal("vitesse", f"{seed:064x}") for seed in range(4)]
    found = [tallies(start, play(start, [outside_ticks, tick_greedy]).words) for start in starts]
    assert choose_policy([first for first, _ in found]) == SeatPolicy("plans", 1.0)
    assert choose_policy([second for _, second in found]) == SURE_GREEDY


def test_a_search_is_used_where_it_agrees_well_and_a_costly_one_where_it_agrees_always() -> None:
    assert choose_policy([{"stretches": 59, "greedy": 0, "planner": 59}]) == UNKNOWN, "too few"
    assert choose_policy([], SURE_PLANNER) == SURE_PLANNER

    def alike(**found: int) -> SeatPolicy:
        return choose_policy([{"stretches": 1000, **found}])

    assert alike(greedy=800, **{"searches-24": 940}) == SeatPolicy("greedy", 0.8)
    assert alike(greedy=800, **{"searches-24": 960}) == SeatPolicy("searches-24", 0.96)
    assert alike(planner=994, **{"searches-24": 960, "greedy": 1}) == SeatPolicy("searches-24", 0.96)
    assert alike(planner=995, **{"searches-24": 960, "greedy": 1}) == SeatPolicy("planner", 0.995)


def test_over_all_that_could_have_come_the_mean_is_exactly_that_of_the_results() -> None:
    # Each pair's luck is one of these by chance, and goes with its result, more or less.
    ways = list(product([(2.0, 1.0), (0.5, 0.5), (-1.0, -1.5)], repeat=6))
    left = np.array([adjust_pairs(way) for way in ways])
    plain = np.array([[value for value, _ in way] for way in ways])
    assert left.mean(axis=0) == pytest.approx(plain.mean(axis=0))
    assert left.var() < plain.var()


def test_luck_that_tells_nothing_of_two_bots_is_taken_out_less_and_less() -> None:
    chance = np.random.default_rng(4)
    values, lucks = chance.normal(0, 1, (2, 400))
    left = np.array(adjust_pairs(zip(values.tolist(), lucks.tolist(), strict=True)))
    assert (values - lucks).var() > 1.7
    assert left[100:].var() < 1.1


def test_the_published_share_holds_until_two_pairs_tell_otherwise_and_sides_can_be_swapped() -> None:
    assert adjust_pairs([(1.0, 0.25), (2.0, -0.5)]) == [0.75, 2.5]
    pairs = [(1.0, 0.5), (0.0, 0.25), (-1.0, 0.5), (0.5, -0.75), (0.0, 0.5)]
    turned = adjust_pairs((-value, -luck) for value, luck in pairs)
    assert turned == [-value for value in adjust_pairs(pairs)]
