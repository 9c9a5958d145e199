"""Equal positions have equal hashes, others not; the canonical hash takes the houses as a multiset."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

import engine
from tests.oracle.rulesets import TABLES
from tests.property.playing import EXAMPLES, dealt, games, move_on, numbers, problematic


@EXAMPLES
@given(games(), numbers)
def test_equal_positions_have_equal_hashes_and_only_the_canonical_one_forgets_the_order_of_the_houses(
    game: engine.TurnGame, number: int
) -> None:
    for position in (game.position, game.position.public()):
        first, second = engine.TurnGame(position), engine.TurnGame(engine.TurnPosition.parse(str(position)))
        assert (first.hash(), first.canonical_hash()) == (second.hash(), second.canonical_hash())
        if position == game.position:
            assert (first.hash(), first.canonical_hash()) == (game.hash(), game.canonical_hash())
    houses = tuple(Random(number).sample(game.position.houses, len(game.position.houses)))
    shuffled = engine.TurnGame(replace(game.position, houses=houses))
    assert shuffled.canonical_hash() == game.canonical_hash()
    assert (shuffled.hash() == game.hash()) == (houses == game.position.houses)


@pytest.mark.parametrize("table", TABLES)
def test_different_positions_have_different_hashes(table: tuple[str, int]) -> None:
    by_line: dict[str, int] = {}
    canonical: dict[tuple[str, ...], int] = {}
    for number in range(12):
        rng = Random(number)
        game = (dealt if number % 3 else problematic)(table, number)
        for _ in range(150):
            position = game.position
            by_line[str(position)] = game.hash()
            houses = sorted("".join(house) for house in position.houses)
            canonical[str(replace(position, houses=())), *houses] = game.canonical_hash()
            if not move_on(game, rng):
                break
    assert len(by_line) > 800
    assert len(set(by_line.values())) == len(by_line)
    assert len(set(canonical.values())) == len(canonical)


@EXAMPLES
@given(games())
def test_each_part_of_a_position_counts_in_its_hash(game: engine.TurnGame) -> None:
    position = game.position
    counters, tally = position.counters, position.tally
    others = [
        replace(position, counters=replace(counters, stall=(counters.stall + 1) % 200)),
        replace(position, tally=replace(tally, completed=(tally.completed[0] + 1, *tally.completed[1:]))),
    ]
    if position.rules.stop_calls and not game.finished:
        marks = [mark for mark in ".+!" if mark != counters.last]
        others += [replace(position, counters=replace(counters, last=mark)) for mark in marks]
    hashes = {engine.TurnGame(other).hash() for other in others} | {game.hash()}
    assert len(hashes) == len(others) + 1
