"""What is written is read back the same."""

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
def test_positions_and_moves_are_read_back_as_they_were_written_and_moves_said_in_words(
    game: engine.TurnGame,
) -> None:
    position = game.position
    for one in (position, position.public()):
        read = engine.Position.parse(line := str(one))
        assert (read, str(read), hash(read)) == (one, line, hash(one))
    again = engine.TurnGame(position)
    assert (again.position, again.legal_moves()) == (position, game.legal_moves())
    assert tuple(map(str, game.legal())) == game.legal_moves()
    said = [move.words(position) for move in game.legal()]
    assert all(said)
    assert len(set(said)) == len(said)
    for text in game.legal_moves():
        move = engine.Move.parse(text)
        assert str(move) == text
        game.push(move)
        game.pop()


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
