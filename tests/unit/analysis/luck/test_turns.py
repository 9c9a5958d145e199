"""The luck in a game has mean zero, whatever is played and whatever the value function believes."""

from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest

import engine
from analysis.errors import BrokenRecord, UnknownValues
from analysis.luck.turns import can_correct, game_luck, is_deal, luck_parts
from analysis.scores import half_points, margins
from analysis.training.selfplay import IRREGULAR, SelfPlayGame, play
from analysis.training.value_network import zero_network
from analysis.values import covers, measures_luck
from analysis.values.features import features
from analysis.values.function import Network, ValueFunction, load
from analysis.values.public_game import Chance, Table
from analysis.values.rollouts import Rollouts
from analysis.values.seat_policies import SEVERAL, Policies, SeatPolicy, ranks
from engine import TurnPosition
from engine.policies.greedy import EMPTIES_HOUSE, greedily, perturbed, rank_table
from engine.policies.planner import search
from engine.protocol import score
from engine.turns.conversion import to_core, to_position
from engine.turns.core import DRAWN, HAND, Core
from engine.turns.position_parts import SeatPiles

FEW = ("crapaud", "crapette-it", "russian-bank")
"""Of the variants in turns, those that differ most."""


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

    def hidden(seat: SeatPiles) -> tuple[str, ...]:
        return (*seat.reserve[:-1], *seat.hand)

    def filled(seat: SeatPiles, cards: tuple[str, ...]) -> SeatPiles:
        below = len(seat.reserve[:-1])
        return SeatPiles((*cards[:below], *seat.reserve[-1:]), cards[below:], ())

    first, second = start.seats
    if start.rules.one_pack:
        cut = len(hidden(first))
        ways = [(way[:cut], way[cut:]) for way in permutations((*hidden(first), *hidden(second)))]
    else:
        ways = list(product(permutations(hidden(first)), permutations(hidden(second))))
    return [replace(start, seats=(filled(first, one), filled(second, two))) for one, two in ways]


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


POLICY_PAIRS = [("planner", "greedy"), ("greedy", "searches-24"), ("discards", "searches-64")]


@pytest.mark.parametrize("agreement", [0.0, 0.9, 1.0])
@pytest.mark.parametrize("names", POLICY_PAIRS)
@pytest.mark.parametrize("variant", DECIDED_BY_CARDS)
def test_over_all_completions_the_luck_is_zero_by_whatever_policies_games_are_played_on(
    variant: str, names: tuple[str, str], agreement: float
) -> None:
    policies = SeatPolicy(names[0], agreement), SeatPolicy(names[1], agreement)
    values = opinion(variant)
    found = [
        luck_parts(position, played.words, values, policies).cards.sum(axis=0)
        for position, played in played_out(variant, DECIDED_BY_CARDS[variant] * 32)
    ]
    assert np.abs(found).max() > 0.1
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-9 * np.abs(found).max())


def shuffled(pools: list[list[int]], count: int, seed: int) -> list[bytearray]:
    """The ways as `Completions` chooses them."""
    mask = (1 << 64) - 1
    names = [bytearray(range(209)) for _ in range(count)]
    for pool in pools:
        for way in range(count):
            for index in range(len(pool) - 1 if way % len(pool) == 0 else 0, 0, -1):
                seed = (seed + 0x9E3779B97F4A7C15) & mask
                mixed = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & mask
                mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
                other = (((mixed ^ mixed >> 31) >> 32) * (index + 1)) >> 32
                pool[index], pool[other] = pool[other], pool[index]
            for index, card in enumerate(pool):
                names[way][card] = pool[(index + way + 1) % len(pool)]
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


def outside(core: Core) -> tuple[int, ...]:
    """The planner as it weighs its lines, outside the core."""
    return search(core, 500).best.moves


def test_where_both_play_by_their_policies_only_the_first_card_is_played_on_without() -> None:
    # What remains of the result is how the game ends on average as the unseen cards may lie.
    start = TurnPosition.deal("russian-bank", "0b" * 32)
    words = play(start, [outside, greedily]).words
    sure = SeatPolicy("planner", 1.0), SeatPolicy("greedy", 1.0)
    values = load("russian-bank")
    parts = luck_parts(start, words, values, sure)
    table = Table(start)
    orders = shuffled(table.pools(), SEVERAL, values.rollouts.seed)
    first = next(place for place, word in enumerate(words) if table.turned_up(word) is not None)
    mean = np.mean([ended(table.core, order, sure) for order in orders], axis=0)
    for word in words[first + 1 :]:
        table.turned_up(word)
    assert parts.cards.sum(axis=0) == pytest.approx(np.asarray(table.core.worth()) - mean)


@pytest.mark.parametrize(("ways", "full"), [(1, 48), (5, 48), (12, 0), (12, 1)])
def test_each_number_of_ways_is_unbiased_and_so_is_going_on_with_fewer(ways: int, full: int) -> None:
    values = opinion("crapette")
    values.rollouts = Rollouts(ways=ways, seed=3, full=full)
    found = [
        luck_parts(position, played.words, values).cards.sum(axis=0)
        for position, played in played_out("crapette", DECIDED_BY_CARDS["crapette"] * 32)
    ]
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-12)
    assert np.abs(found).max() > 0.1


def traits(chance: Chance, table: Table) -> np.ndarray:
    """What each card that could have come is like, (cards, 4): rank, colour, round or pointed, distance from
    its foundation."""
    suits, ranks = np.divmod([card >> 2 for card, _ in chance.others], 13)
    heights = np.array([min(own) for own in table.core.heights_of()])
    return np.stack([ranks, (suits == 1) | (suits == 2), suits % 2, ranks - heights[suits]], axis=1)


@pytest.mark.parametrize("variant", FEW)
def test_in_real_games_each_unseen_card_is_as_likely_to_be_turned_up(variant: str) -> None:
    # A martingale: its variance is known at every step, so that no few games with wild luck can mislead.
    deviation, variance, chance = np.zeros(4), np.zeros(4), Random(f"law of {variant}")
    reveals = 0
    for _ in range(60):
        start = TurnPosition.deal(variant, chance.randbytes(32))
        words = play(start, [perturbed(chance, 0.05), perturbed(chance, 0.3)]).words
        table = Table(start)
        for word in words if can_correct(start) else ():
            turned = table.apply(word)
            if turned is None:
                continue
            reveals += 1
            found = traits(turned, table)
            weights = np.array([count for _, count in turned.others]) / sum(n for _, n in turned.others)
            came = [card for card, _ in turned.others].index(turned.card)
            deviation += found[came] - weights @ found
            variance += weights @ (found - weights @ found) ** 2
    assert reveals > 4000
    assert (np.abs(deviation) < 4 * variance**0.5).all(), f"{deviation} with standard error {variance**0.5}"


def test_every_card_that_could_come_is_weighed_by_how_many_are_unseen() -> None:
    start = TurnPosition.deal("crapaud", "03" * 32)
    table = Table(start)
    seen: set[int] = set()
    for word in play(start, [greedily, greedily]).words[:80]:
        chance = table.apply(word)
        if chance is None:
            continue
        hidden = len(table.hidden) + 1
        assert sum(count for _, count in chance.others) == hidden, "both packs were shuffled as one"
        assert chance.card not in seen
        seen.add(chance.card)
    assert len(seen) > 5


def test_a_hand_that_was_turned_over_turns_up_nothing_new() -> None:
    start = TurnPosition.deal("crapette", "01" * 32)
    table = Table(start)
    flips = 0
    for word in play(start, [greedily, greedily]).words:
        known = word == "draw" and not table.core.size(HAND + table.core.turn)
        chance = table.apply(word)
        flips += known
        assert not (known and chance is not None)
        assert chance is None or chance.pile == DRAWN or word.startswith("r-")
    assert flips > 0


def test_the_value_of_a_position_is_the_same_whatever_the_unseen_cards_are() -> None:
    values, start = opinion("crapette"), TurnPosition.deal("crapette", "02" * 32)
    other = replace(
        start,
        seats=tuple(
            SeatPiles((*seat.reserve[-2::-1], seat.reserve[-1]), seat.hand[::-1], ()) for seat in start.seats
        ),
    )
    assert other.public() == start.public()
    first, second = (values.value(values.look(Table(one)))[0] for one in (start, other))
    assert first.tolist() == second.tolist()


def test_relabelled_suits_and_swapped_seats_change_nothing_but_the_side() -> None:
    values, start = opinion("crapette"), TurnPosition.deal("crapette", "02" * 32)
    words = play(start, [greedily, greedily]).words
    before = game_luck(start, words, values)
    for suits in engine.SUIT_RELABELLINGS:
        again = game_luck(start.relabelled(suits), words, values)
        assert (again.result, again.margin) == pytest.approx((before.result, before.margin))


def test_deals_in_which_hidden_cards_decided_who_starts_are_not_corrected() -> None:
    start = TurnPosition.deal("crapette-it", "00" * 32)
    assert can_correct(start)
    twin = replace(start, seats=(start.seats[0], replace(start.seats[1], reserve=start.seats[0].reserve)))
    assert not can_correct(twin)
    assert can_correct(small("crapette-it")), "a problem says itself who begins"


def test_a_deal_is_distinguished_from_a_problem() -> None:
    for variant in FEW:
        assert is_deal(TurnPosition.deal(variant, "00" * 32)), variant
        assert not is_deal(small(variant)), variant


@pytest.mark.parametrize("variant", FEW)
def test_games_played_on_are_those_of_the_greedy_bot(variant: str) -> None:
    for number in range(20):
        start = TurnPosition.deal(variant, f"{number:064x}")
        core, _ = to_core(start)
        plies = core.play_ranked(rank_table(), EMPTIES_HOUSE)
        played = play(start, [greedily, greedily])
        assert (plies, *core.worth()) == (
            len(played.words) - played.words.count("stop"),
            played.result,
            played.margin,
        )


@pytest.mark.parametrize("variant", FEW)
def test_the_core_knows_what_an_end_is_worth(variant: str) -> None:
    ends = set()
    for number in range(40):
        core, _ = to_core(TurnPosition.deal(variant, f"{number:064x}"))
        if number % 2:
            core.playout(number)
        else:
            core.play_ranked(rank_table(), EMPTIES_HOUSE)
        position = to_position(engine.variant(variant), core, frozenset())
        outcome = score(position)
        left = [seat.left for seat in position.seats]
        worth = (half_points(outcome.ranking, 0) - 1, margins(outcome.points, left)[0])
        assert core.worth() == worth
        ends.add((outcome.result, worth[0]))
    assert {("win", 1), ("win", -1)} <= ends


def test_the_cards_turned_up_tell_most_of_a_game_between_equals() -> None:
    # The greedy bot plays against itself, so that nothing but cards decides.
    values = opinion("crapaud")
    pairs = []
    for number in range(12):
        start = TurnPosition.deal("crapaud", f"{number:064x}")
        played = play(start, [greedily, greedily])
        parts = luck_parts(start, played.words, values)
        pairs.append((played.margin, parts.cards[:, 1].sum()))
    results, luck = np.array(pairs).T
    assert np.corrcoef(results, luck)[0, 1] > 0.9


def test_a_broken_record_is_named() -> None:
    start = TurnPosition.deal("crapette", "00" * 32)
    with pytest.raises(BrokenRecord, match=r"^expected a move of the game, got 'jump'$"):
        game_luck(start, ["jump"], opinion("crapette"))


def test_words_of_a_record_are_its_moves_stops_and_ticks() -> None:
    events: list[dict[str, Any]] = [
        {"type": "move", "move": "draw"},
        {"type": "offer"},
        {"type": "stop", "move": "stop"},
        {"type": "tick", "actions": ["wait", "turn"]},
        {"type": "end"},
    ]
    assert engine.words_of(events) == ["draw", "stop", "wait,turn"]


def test_a_variant_without_values_of_positions_is_refused() -> None:
    assert (covers("vitesse"), measures_luck("vitesse")) == (False, True)
    assert not covers("crapette", players=3)
    assert not measures_luck("vitesse", players=3)
    expected = "^expected a variant with values of version 3, got 'vitesse'$"
    with pytest.raises(UnknownValues, match=expected):
        load("vitesse")
