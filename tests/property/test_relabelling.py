"""Renaming the suits so that red and black stay apart changes the names and nothing else."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

import engine
from tests.property.playing import EXAMPLES, dealt, move_on, numbers, problematic, tables

suits = st.sampled_from(engine.SUIT_RELABELLINGS)


def test_the_relabellings_are_all_that_keep_the_colours_apart() -> None:
    assert engine.SUIT_RELABELLINGS[0] == "SHDC"
    assert len(set(engine.SUIT_RELABELLINGS)) == 8
    for letters in engine.SUIT_RELABELLINGS:
        assert sorted(letters) == sorted("SHDC")
        assert {letters[0], letters[3]} in ({"S", "C"}, {"H", "D"})


@EXAMPLES
@given(tables, numbers, suits, st.booleans())
def test_relabelling_commutes_with_play(
    table: tuple[str, int], number: int, letters: str, from_problem: bool
) -> None:
    game, rng = (problematic if from_problem else dealt)(table, number), Random(number)
    other = engine.TurnGame(game.position.relabelled(letters))
    while True:
        assert other.position == game.position.relabelled(letters)
        assert other.legal_moves() == game.legal_moves()
        assert other.can_stop() == game.can_stop()
        if game.ply > 150 or not move_on(game, rng):
            break
        word = game.history[-1].move
        if word == "stop":
            other.stop()
        else:
            other.push(word)
    assert other.outcome() == game.outcome()


@EXAMPLES
@given(tables, numbers, suits)
def test_relabelling_can_be_undone(table: tuple[str, int], number: int, letters: str) -> None:
    back = "".join("SHDC"[letters.index(letter)] for letter in "SHDC")
    position = dealt(table, number).position
    assert position.relabelled(letters).relabelled(back) == position
