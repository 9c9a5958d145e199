"""Renaming the suits so that red and black stay apart changes the names and nothing else."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

import engine
from tests.property.playing import EXAMPLES, dealt, move_on, numbers, problematic, tables

suits = st.sampled_from(engine.SUIT_RELABELLINGS)


def test_the_relabellings_are_all_that_keep_the_colours_apart() -> None:
    ways = [f"{black[0]}{red}{black[1]}" for black in ("SC", "CS") for red in ("HD", "DH")]
    ways += [f"{red[0]}{black}{red[1]}" for black in ("SC", "CS") for red in ("HD", "DH")]
    assert engine.SUIT_RELABELLINGS[0] == "SHDC"
    assert sorted(engine.SUIT_RELABELLINGS) == sorted(ways)


@EXAMPLES
@given(tables, numbers, suits, st.booleans())
def test_relabelling_commutes_with_play(
    table: tuple[str, int], number: int, letters: str, from_problem: bool
) -> None:
    game, rng = (problematic if from_problem else dealt)(table, number), Random(number)
    back = "".join("SHDC"[letters.index(letter)] for letter in "SHDC")
    assert game.position.relabelled(letters).relabelled(back) == game.position
    other = engine.TurnGame(game.position.relabelled(letters))
    while True:
        assert other.position == game.position.relabelled(letters)
        assert other.legal_moves() == game.legal_moves()
        assert other.can_stop() == game.can_stop()
        if game.ply > 150 or not move_on(game, rng):
            break
        other.play([game.history[-1].move])
    assert other.outcome() == game.outcome()
