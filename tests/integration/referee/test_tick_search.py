"""Whole games of `vitesse` by the search that oracle plays by: too many for the uncompiled engine."""

from collections.abc import Iterator
from random import Random

import pytest

from analysis.values.public_game_ticks import TickTable
from engine import TickGame
from engine.policies import tick_search
from engine.policies.tick_search import searched
from engine.ticks.core import TickCore


@pytest.mark.at_length
def test_it_does_better_against_planner_than_planner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tick_search, "ROUNDS", 1)
    ahead = 0
    for number in range(4):
        for own in range(2):
            table, rng = TickTable(TickGame.deal("vitesse", f"{number:064x}").position), Random(number)
            while not table.core.over:
                view = table.view()
                actions = [view.planned(0), view.planned(1)]
                actions[own] = searched(view, own, _worlds(table, view, rng), lambda: False).action
                table.push(*actions)
            points = table.core.points(own) - table.core.points(1 - own)
            ahead += (points > 0) - (points < 0)
    assert ahead > 2


def _worlds(table: TickTable, view: TickCore, rng: Random) -> Iterator[TickCore]:
    pools = [sorted(pool) for pool in table.hidden]
    while True:
        for pool in pools:
            rng.shuffle(pool)
        yield view.filled(bytes(pools[0]), bytes(pools[1]))
