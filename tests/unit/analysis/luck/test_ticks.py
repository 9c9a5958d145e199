"""In `vitesse` too the luck of a game has mean zero, though both act at once (RULES 7)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest

from analysis.luck.ticks import tick_luck_parts
from analysis.luck.turns import tick_luck
from analysis.training.selfplay import play
from analysis.values.function_ticks import TickValues
from analysis.values.public_game_ticks import TickTable
from analysis.values.seat_policies import SeatPolicy
from engine.cards import Card
from engine.policies.tick_greedy import tick_greedy
from engine.policies.tick_planner import tick_planner, weighed
from engine.ticks.core import TickCore
from engine.ticks.position import TickPosition, TickSeat

FEW = TickValues(ways=5)


def small() -> TickPosition:
    """Near the end: of each seat one unknown card in the reserve and two in the hand, which can all go up."""
    first = TickSeat(("KS", "JH"), ("TS", "QD", "KC", "KH"), ("QS", "JS"), ())
    second = TickSeat(("QH", "KD"), ("TS", "JC", "KH", "QC"), ("JD", "JS"), ())
    return TickPosition(7, ((9, 9), (11, 10), (11, 10), (11, 10)), (first, second))


def completions(start: TickPosition) -> Iterator[TickPosition]:
    """Every full position that the public cannot tell from it."""

    def filled(seat: TickSeat, cards: tuple[Card, ...]) -> TickSeat:
        below = len(seat.reserve) - 1
        return TickSeat((*cards[:below], *seat.reserve[-1:]), seat.slots, cards[below:], seat.discard)

    ways = [permutations((*seat.reserve[:-1], *seat.hand)) for seat in start.seats]
    for one, two in product(*ways):
        seats = (filled(start.seats[0], one), filled(start.seats[1], two))
        yield replace(start, seats=seats)


@pytest.mark.parametrize(("tick", "completed"), [(7, (0, 0)), (8, (1, 0))])
def test_over_all_completions_of_a_small_position_the_luck_is_exactly_zero(
    tick: int, completed: tuple[int, int]
) -> None:
    start = replace(small(), tick=tick, completed=completed)
    found, together = [], 0
    for race in completions(start):
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
def test_over_all_completions_the_luck_is_zero_by_whatever_policies_games_are_played_on(
    names: tuple[str, str],
) -> None:
    policies = SeatPolicy(names[0], 1.0), SeatPolicy(names[1], 0.9)
    found = []
    for race in completions(CONTESTED):
        played = play(race, [tick_greedy, outside])
        found.append(tick_luck_parts(race, played.words, FEW, policies).cards.sum(axis=0))
    assert np.abs(found).max() > 0.1
    assert np.mean(found, axis=0) == pytest.approx([0, 0], abs=1e-12)
