"""The helpers that search: whole turns, stacks moved card by card."""

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import engine
from engine.turns.search import plans
from engine.turns.search.stacks import expand
from tests.oracle.moves import legal
from tests.oracle.play import BadMove, apply
from tests.oracle.position import State, parse
from tests.property.playing import EXAMPLES, games, numbers, problematic, tables

MOST = 150


def _table_of(state: State) -> tuple[object, ...]:
    """The cards with the houses as a multiset: what a plan is told apart by."""
    return (
        tuple(sorted(state.houses)),
        str(state.foundations),
        tuple(state.reserves),
        tuple(state.hands),
        tuple(state.discards),
        state.drawn,
        state.turn,
    )


def _reachable(start: State) -> tuple[set[tuple[object, ...]], bool]:
    """All tables that the mover can bring about in this turn, by the oracle; and whether that was all."""
    found = {_table_of(start)}
    waiting = [start]
    while waiting:
        here = waiting.pop(0)
        if here.result is not None or here.turn != start.turn:
            continue
        for move in legal(here):
            after = here.copy()
            try:
                apply(after, move.removesuffix("!"))
            except BadMove:  # would turn up an unknown card
                continue
            table = _table_of(after)
            if table not in found:
                found.add(table)
                waiting.append(after)
        if len(found) > MOST:
            return found, False
    return found, True


@EXAMPLES
@given(games())
def test_a_plan_leads_where_it_says(game: engine.TurnGame) -> None:
    start = engine.TurnGame(game.position.public())
    position = start.position
    seen = set()
    for plan in plans(start, limit=60):
        replay = engine.TurnGame.replay(position, plan.moves)
        assert replay.error is None
        assert replay.game.position == plan.game.position
        over = plan.game.finished or plan.game.turn_number != start.turn_number
        assert plan.ends_turn == over
        for word in plan.reveals:
            with pytest.raises(engine.HiddenCard):
                replay.game.push(word)
        seen.add(plan.game.core.table_hash())
    assert start.position == position
    found = list(plans(start, limit=60))
    assert len(seen) == len(found)
    assert [plan.moves for plan in plans(start, limit=2)] == [plan.moves for plan in found[:2]]
    assert list(plans(start, limit=0)) == []


@EXAMPLES
@given(tables, numbers)
def test_the_plans_are_all_that_the_oracle_finds(table: tuple[str, int], number: int) -> None:
    start = engine.TurnGame(problematic(table, number).position.public())
    expected, complete = _reachable(parse(str(start.position)))
    assume(complete)
    found = [_table_of(parse(str(plan.game.position))) for plan in plans(start)]
    assert len(found) == len(set(found))
    assert set(found) == expected


@EXAMPLES
@given(numbers, st.integers(min_value=1, max_value=6), st.integers(min_value=0, max_value=4))
def test_a_stack_is_carried_over_in_its_order_if_the_empty_houses_allow_it(
    number: int, cards: int, free: int
) -> None:
    rng = Random(number)
    ranks = "KQJT98765432"[rng.randrange(5) :][: cards + 1]
    stack = [rank + ("S" if index % 2 else "H") for index, rank in enumerate(ranks)]
    onto, moving = stack[0], stack[1:]
    houses = ["9C" + "".join(moving), onto, *["."] * free, *["KC", "KD", "KC", "KD", "2D", "2C"][: 6 - free]]
    line = f"crapette-it 0 play - {'/'.join(houses)} 0,0/0,0/0,0/0,0 AD/./. AC/./. 0,0,0,.,. 0,0/./."
    position = engine.TurnPosition.parse(line)
    if len(moving) > 2**free:
        with pytest.raises(engine.IllegalMove, match=rf"^expected at most {2**free} cards with so few empty"):
            expand(position, "t1", "t2", len(moving))
        return
    moves = expand(position, "t1", "t2", len(moving))
    after = engine.TurnGame.replay(position, map(str, moves)).game.position
    assert after.houses == (("9C",), tuple(stack), *position.houses[2:])
