"""What is written is read back the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.errors import quote
from tests.property.playing import EXAMPLES, games

_HOUSES = [f"t{number}" for number in range(1, 17)]
MOVES = {"draw", "pass"} | {
    f"{source}-{target}"
    for source in ["r", "d", "h", *_HOUSES]
    for target in ["f", "d", *_HOUSES, *(f"{pile}{seat}" for pile in "rd" for seat in range(4))]
}


@EXAMPLES
@given(games())
def test_a_position_is_read_back_as_it_was_written(game: engine.TurnGame) -> None:
    position = game.position
    for one in (position, position.public()):
        line = str(one)
        read = engine.Position.parse(line)
        assert (read, str(read), hash(read)) == (one, line, hash(one))
    again = engine.TurnGame(position)
    assert again.position == position
    assert again.legal_moves() == game.legal_moves()


@EXAMPLES
@given(games())
def test_a_move_is_read_back_as_it_was_written(game: engine.TurnGame) -> None:
    assert tuple(map(str, game.legal())) == game.legal_moves()
    for text in game.legal_moves():
        move = engine.Move.parse(text)
        assert str(move) == text
        game.push(move)
        game.pop()


@EXAMPLES
@given(games())
def test_every_legal_move_can_be_said_in_words(game: engine.TurnGame) -> None:
    position = game.position
    said = [move.words(position) for move in game.legal()]
    assert all(said)
    assert len(set(said)) == len(said)


@EXAMPLES
@given(
    st.text() | st.from_regex(r"\A[rdht]?[0-9]{0,2}-?[rdhtf]?[0-9]{0,2}\Z") | st.sampled_from(sorted(MOVES))
)
def test_a_text_is_a_move_or_one_clear_error(text: str) -> None:
    if text in MOVES:
        assert str(engine.Move.parse(text)) == text
        return
    with pytest.raises(engine.NotationError) as caught:
        engine.Move.parse(text)
    assert str(caught.value) == f"expected a move such as t8-f, r-t1, h-d or draw, got {quote(text)}"
    assert "\n" not in str(caught.value)
