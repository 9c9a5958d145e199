"""The chances that a game's page tells: they change at news only, and nobody gains by their own choice."""

from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from analysis.searches.solved_endings import carry
from analysis.searches.win_chances import CLEAR, Chances, chances
from analysis.training.selfplay import play
from analysis.values.public_game import Table
from engine import TurnPosition
from engine.policies import perturbed, planner
from engine.policies.greedy import greedily
from engine.turns.core import Core
from engine.turns.search import ending

TURNS = ["crapaud", "crapette-it", "russian-bank"]


class Event(NamedTuple):
    """A word of a game: who moved, whether it turned a card up, whether a turn was over by it, whether all
    was known before it, and the game then."""

    seat: int
    turned: bool
    ended: bool
    known: bool
    core: Core


def told(variant: str, name: str) -> tuple[float, list[Event], Chances]:
    """The result of a game of two bots, its events, and its chances."""
    start = TurnPosition.deal(variant, name)
    bots = {"even": [planner(500), planner(64)], "uneven": [perturbed(Random(3), 0.4), greedily]}
    played = play(start, bots[name])
    table, events = Table(start), []
    for word in played.words:
        core, known = table.core.clone(), table.knows_all()
        turned = table.turned_up(word) is not None
        ended = bool(table.core.over) or table.core.turn_number != core.turn_number
        events.append(Event(core.turn, turned, ended, known, core))
    return played.result, events, chances(start, played.words)


@pytest.mark.parametrize(("variant", "name"), list(product(TURNS, ["even", "uneven"])))
def test_luck_and_skill_add_up_and_a_decided_ending_keeps_its_value_until_it_is_thrown_away(
    variant: str, name: str
) -> None:
    result, events, course = told(variant, name)
    before = course.swings[0]
    for event, swing in zip(events, course.swings[1:], strict=True):
        assert swing.value - before.value == pytest.approx(swing.luck + swing.skill)
        assert swing.skill * (1 - 2 * event.seat) <= 1e-9
        assert abs(swing.skill) < 1e-9 or abs(swing.skill) / 2 >= CLEAR - 1e-9, "too close to call"
        assert event.turned or abs(swing.luck) < 1e-9, "luck is a card turned up"
        before = swing
    assert before.value == pytest.approx(result)

    begins = [place for place in range(len(events)) if not place or events[place - 1].ended]
    for place, after in zip(begins, [*begins[1:], len(events)], strict=True):
        event, value = events[place], course.swings[place].value
        found = ending(event.core, 20_000) if event.known else None
        if found is not None:
            assert value == found.result * (1 - 2 * event.seat)
            assert len({one.value for one in course.swings[place:after]}) == 1, "one turn has one value"
    if result and events[begins[-1]].known and events[-1].core.turn == (result < 0):
        assert {one.value for one in course.swings[begins[-1] :]} == {result}, "who goes out in a turn wins"


def test_what_is_thrown_away_between_two_solved_turns_was_the_last_turn_of_who_lost_by_it() -> None:
    for results, seats, carried in (
        ([None, None, 1], [0, 1], [None, None, 1]),
        ([1, None, 1], [0, 1], [1, 1, 1]),
        ([1, None, None, -1], [0, 1, 0], [1, 1, 1, -1]),
        ([1, None, None, -1], [1, 0, 1], [1, 1, -1, -1]),
        ([-1, None, None, 1], [0, 1, 0], [-1, -1, 1, 1]),
        ([1, None, None], [0, 1], [1, 1, 1]),
        ([0, None, 1, -1], [0, 1, 0], [0, 0, 1, -1]),
        ([-1, 1], [0], [1, 1]),
    ):
        assert carry(results, seats) == carried
