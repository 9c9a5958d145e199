"""Counts how often each seat of a game agreed with the known policies, to choose policies for later games.

A stretch is what a bot does from news to news: from its turn's beginning or a card turned up to the next card
turned up or the end of the turn. A policy agrees where it does all of it. In ticks each decision counts.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from analysis.values.public_game import Table
from analysis.values.public_game_ticks import TickTable
from analysis.values.seat_policies import POLICIES, SEARCHES, STRETCHES, TICK_POLICIES, ranks
from engine import TickPosition, TurnPosition
from engine.policies.greedy import EMPTIES_HOUSE
from engine.policies.tick_greedy import tick_greedy
from engine.policies.tick_planner import tick_planner
from engine.ticks.position import ACTIONS
from engine.turns.moves import STOP, numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position
    from engine.turns.core import Core

    Tallies = tuple[dict[str, int], dict[str, int]]


@singledispatch
def tallies(start: Position, words: Sequence[str]) -> Tallies:
    """For each seat how many stretches it played and with how many of them each policy agrees.

    Raises:
        BrokenRecord: the words are not moves of a game from there.
    """
    raise TypeError(f"expected a position with known policies, got {start!r}, {len(words)} words")


@tallies.register(TurnPosition)
def _(start: TurnPosition, words: Sequence[str]) -> Tallies:
    table = Table(start)
    core = table.core
    found = _none(POLICIES), _none(POLICIES)
    alike: dict[str, list[int]] = {}  # who agrees in this stretch, and what those that search do next
    seat = number = -1
    for word in words:
        if word != STOP:
            if core.turn_number != number:
                _close(found, seat, alike)
                seat, number, alike = core.turn, core.turn_number, {name: [] for name in POLICIES}
            move = numbers(2, seat).get(word)
            alike = {name: plan for name, plan in alike.items() if _next(core, name, plan) == move}
        if table.turned_up(word) is not None:
            number = -1
    _close(found, seat, alike)
    return found


def _none(policies: Sequence[str]) -> dict[str, int]:
    return dict.fromkeys((STRETCHES, *policies), 0)


def _close(found: Tallies, seat: int, alike: dict[str, list[int]]) -> None:
    """Count a stretch of a seat."""
    if seat >= 0:
        found[seat][STRETCHES] += 1
        for name in alike:
            found[seat][name] += 1


def _next(core: Core, name: str, plan: list[int]) -> int:
    """What a policy does now; `plan` is what is left of its last answer."""
    if name in SEARCHES and not plan:
        plan.extend(core.planned(SEARCHES[name]))
    if plan:
        return plan.pop(0)
    return int(core.ranked(ranks((name, name)), EMPTIES_HOUSE))


@tallies.register(TickPosition)
def _(start: TickPosition, words: Sequence[str]) -> Tallies:
    table = TickTable(start)
    found = _none(TICK_POLICIES), _none(TICK_POLICIES)
    for word in words:
        view = table.view()
        for seat, action in enumerate(word.split(",")):
            if len(view.legal(seat)) < 3:  # to turn or to wait is no decision
                continue
            found[seat][STRETCHES] += 1
            for name, policy in zip(TICK_POLICIES, (tick_greedy, tick_planner), strict=True):
                found[seat][name] += ACTIONS[policy(view, seat)] == action
        table.follow(word)
    return found
