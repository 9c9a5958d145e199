"""How games are played on with a card and without it: the ways in which unseen cards may lie."""

import sys
import threading
import time
from random import Random

import numpy as np
import pytest

from analysis.training.selfplay import play
from analysis.values.public_game import Table
from analysis.values.rollouts import Rollouts
from analysis.values.seat_policies import SeatPolicy, ranks
from engine import TurnPosition
from engine.policies.greedy import EMPTIES_HOUSE, greedily, perturbed
from engine.turns.core import HAND, Completions
from tests.unit.analysis.luck.test_turns import PLAYED_ON, ended, shuffled


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
