"""The luck in a game has mean zero, whatever is played and whatever the value function believes."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

import engine
from analysis.luck.turns import can_correct, game_luck, is_deal, luck_parts
from analysis.training.selfplay import IRREGULAR, SelfPlayGame, play
from analysis.training.value_network import zero_network
from analysis.values.features import features
from analysis.values.function import Network, ValueFunction
from analysis.values.public_game import Table
from analysis.values.rollouts import Rollouts
from analysis.values.seat_policies import UNKNOWNS, Policies, SeatPolicy, ranks
from engine import TurnPosition
from engine.policies.greedy import EMPTIES_HOUSE, greedily
from engine.turns.core import DRAWN, HAND, Core
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
