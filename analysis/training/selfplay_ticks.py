"""Whole games of `vitesse` inside this process, by policies, as the words of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.training.selfplay import Played
from analysis.values.table_ticks import RaceTable
from engine.vitesse import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.values.policies_ticks import RacePolicy
    from engine.vitesse import Race


def play(start: Race, policies: Sequence[RacePolicy]) -> Played:
    """Play a full position to its end; no policy sees a card that its seat may not know."""
    table = RaceTable(start)
    words: list[str] = []
    while not table.core.over:
        view = table.view()
        first, second = (policy(view, seat) for seat, policy in enumerate(policies))
        words.append(f"{ACTIONS[first]},{ACTIONS[second]}")
        table.push(first, second)
    ahead = table.core.points(0) - table.core.points(1)
    return Played(tuple(words), float((ahead > 0) - (ahead < 0)), float(ahead))
