"""The luck in a game has mean zero, whatever is played and whatever the value function believes."""

from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import numpy as np
import pytest

import engine
from engine.core import DRAWN, HAND
from engine.deal import deal
from engine.parts import SeatPiles
from engine.table import to_core
from tournaments.domain.errors import BrokenRecord, UnknownValues
from tournaments.domain.luck import corrected, game_luck, is_deal, luck_parts, swings, words_of
from tournaments.domain.values import ValueFunction, covered, load, measured
from tournaments.domain.values.ends import Ends
from tournaments.domain.values.features import features
from tournaments.domain.values.function import Network
from tournaments.domain.values.learning import untrained
from tournaments.domain.values.policies import EMPTIES_HOUSE, greedy, perturbed, rank_table
from tournaments.domain.values.rollouts import Rollouts
from tournaments.domain.values.selfplay import play
from tournaments.domain.values.table import Chance, Table

VARIANTS = tuple(engine.VARIANTS)


def opinion(variant: str, seed: int = 5) -> ValueFunction:
    """A value function with strong opinions and no sense: random weights."""
    chance = np.random.default_rng(seed)
    rules = engine.variant(variant)
    values = ValueFunction(rules, untrained(), np.zeros(2), np.ones(2))
    inputs = features(rules, values.look(Table(deal(rules, "00" * 32))).batch).shape[1]
    shapes = ((inputs, 12), (12,), (12, 2), (2,))
    first, bias, second, last = (chance.normal(0, 0.15, shape) for shape in shapes)
    network = Network(first, bias, second, last, 10.0)
    return ValueFunction(rules, network, np.zeros(2), np.ones(2))


def small(variant: str, seed: str = "07" * 32) -> engine.Position:
    """A deal of which each seat keeps one hidden card of the reserve and two of the hand."""
    whole = deal(variant, seed)
    seats = tuple(SeatPiles(seat.reserve[-2:], seat.hand[-2:], ()) for seat in whole.seats)
    return replace(whole, seats=seats)


def completions(start: engine.Position) -> list[engine.Position]:
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


DECIDED_BY_CARDS = {
    "crapo": "19",
    "crapette": "06",
    "crapette-it": "02",
    "russian-bank": "02",
    "crapaud": "02",
}
"""Seeds of small positions in which the greedy bot wins or loses by the cards that nobody knows."""


@pytest.mark.parametrize("played_on", [False, True])
@pytest.mark.parametrize("variant", DECIDED_BY_CARDS)
def test_over_all_completions_of_a_small_position_the_luck_is_exactly_zero(
    variant: str, played_on: bool
) -> None:
    start = small(variant, (DECIDED_BY_CARDS[variant] if played_on else "10") * 32)
    if variant == "crapaud":  # shuffled as one: five unknown cards in all
        first, second = start.seats
        start = replace(start, seats=(first, SeatPiles(second.reserve[-1:], second.hand[-2:], ())))
    values = opinion(variant)
    if played_on:
        values.rollouts = Rollouts(start.rules, games=12)
    found = []
    for position in completions(start):
        assert position.public() == start.public()
        played = play(position, [greedy, greedy])
        luck = game_luck(position, played.words, values)
        assert luck.deal_result == 0, "a problem has no deal"
        found.append((luck.cards_result, luck.cards_margin))
    spread = np.abs(found).max(axis=0)
    assert (spread > 1e-3).all(), "some completions are luckier than others"
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-12 + 1e-9 * spread.max())


def traits(chance: Chance, table: Table) -> np.ndarray:
    """What each card that could have come is like, (cards, 4): rank, colour, round or pointed, distance from
    its foundation."""
    suits, ranks = np.divmod([card >> 2 for card, _ in chance.others], 13)
    heights = np.array([min(own) for own in table.core.heights_of()])
    return np.stack([ranks, (suits == 1) | (suits == 2), suits % 2, ranks - heights[suits]], axis=1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_in_real_games_each_unseen_card_is_as_likely_to_be_turned_up(variant: str) -> None:
    # A martingale: its variance is known at every step, so that no few games with wild luck can mislead.
    deviation, variance, chance = np.zeros(4), np.zeros(4), Random(f"law of {variant}")
    reveals = 0
    for _ in range(60):
        start = deal(variant, chance.randbytes(32))
        words = play(start, [perturbed(chance, 0.05), perturbed(chance, 0.3)]).words
        table = Table(start)
        for word in words if corrected(start) else ():
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
    start = deal("crapaud", "03" * 32)
    table = Table(start)
    seen: set[int] = set()
    for word in play(start, [greedy, greedy]).words[:80]:
        chance = table.apply(word)
        if chance is None:
            continue
        hidden = len(table.hidden) + 1
        assert sum(count for _, count in chance.others) == hidden, "both packs were shuffled as one"
        assert chance.card not in seen
        seen.add(chance.card)
    assert len(seen) > 5


def test_a_hand_that_was_turned_over_turns_up_nothing_new() -> None:
    start = deal("crapette", "01" * 32)
    table = Table(start)
    flips = 0
    for word in play(start, [greedy, greedy]).words:
        known = word == "draw" and not table.core.size(HAND + table.core.turn)
        chance = table.apply(word)
        flips += known
        assert not (known and chance is not None)
        assert chance is None or chance.pile == DRAWN or word.startswith("r-")
    assert flips > 0


def test_the_value_of_a_position_is_the_same_whatever_the_unseen_cards_are() -> None:
    values, start = opinion("crapette"), deal("crapette", "02" * 32)
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
    values, start = opinion("crapette"), deal("crapette", "02" * 32)
    values.rollouts = Rollouts(start.rules, games=60)
    words = play(start, [greedy, greedy]).words
    before = game_luck(start, words, values)
    for suits in engine.SUIT_RELABELLINGS:
        again = game_luck(start.relabelled(suits), words, values)
        assert (again.result, again.margin) == pytest.approx((before.result, before.margin))


def test_deals_in_which_hidden_cards_decided_who_starts_are_not_corrected() -> None:
    start = deal("crapette-it", "00" * 32)
    assert corrected(start)
    twin = replace(start, seats=(start.seats[0], replace(start.seats[1], reserve=start.seats[0].reserve)))
    assert not corrected(twin)
    assert corrected(small("crapette-it")), "a problem says itself who begins"


def test_a_deal_is_told_from_a_problem() -> None:
    for variant in VARIANTS:
        assert is_deal(deal(variant, "00" * 32)), variant
        assert not is_deal(small(variant)), variant


def test_luck_and_skill_of_all_events_add_up_to_the_result() -> None:
    values, start = opinion("russian-bank"), deal("russian-bank", "04" * 32)
    played = play(start, [greedy, perturbed(Random(1), 0.1)])
    found = swings(start, played.words, values)
    assert len(found) == len(played.words) + 1
    total = sum(one.luck + one.skill for one in found)
    assert total == pytest.approx(found[-1].value)
    assert found[-1].value == played.result
    luck = game_luck(start, played.words, values)
    assert sum(one.luck for one in found) == pytest.approx(luck.result)


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_played_on_are_those_of_the_greedy_bot(variant: str) -> None:
    for number in range(20):
        start = deal(variant, f"{number:064x}")
        core, _ = to_core(start)
        plies = core.play_ranked(rank_table(), EMPTIES_HOUSE)
        played = play(start, [greedy, greedy])
        assert (plies, *Ends(start.rules).of(core)) == (
            len(played.words) - played.words.count("stop"),
            played.result,
            played.margin,
        )


def test_the_last_cards_turned_up_tell_most_of_a_game_between_equals() -> None:
    # The greedy bot plays against itself, so that nothing but cards decides; 0.6 to 0.8 is usual.
    values = opinion("crapaud")
    values.rollouts = Rollouts(values.rules, games=100)
    pairs = []
    for number in range(8):
        start = deal("crapaud", f"{number:064x}")
        played = play(start, [greedy, greedy])
        pairs.append((played.result, luck_parts(start, played.words, values).late[0]))
    results, late = np.array(pairs).T
    assert np.corrcoef(results, late)[0, 1] > 0.4


def test_a_broken_record_is_named() -> None:
    start = deal("crapette", "00" * 32)
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
    assert words_of(events) == ["draw", "stop", "wait,turn"]


def test_a_variant_without_values_of_positions_is_refused() -> None:
    assert (covered("vitesse"), measured("vitesse")) == (False, True)
    assert not covered("crapette", players=3)
    assert not measured("vitesse", players=3)
    expected = "^expected a variant with values of version 2, got 'vitesse'$"
    with pytest.raises(UnknownValues, match=expected):
        load("vitesse")
