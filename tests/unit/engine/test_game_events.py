"""What a ply or a call of stop tells everybody, and what is refused."""

import pytest

from engine import TurnGame, TurnPosition
from engine.errors import HiddenCard

PLAYING = "crapette 0 play - 2S/3S/./././././. 0,0/0,0/0,0/12,0 QHKC/./8DTH 9C/??/9D 0,0,0,.,. 0,0/./."


def game(line: str) -> TurnGame:
    return TurnGame(TurnPosition.parse(line))


def test_a_move_that_would_turn_up_an_unknown_card_is_refused() -> None:
    for known, unknown, move in (
        ("QHKC", "??KC", "r-f"),
        ("8DTH", "??TH", "draw"),
        ("8DTH", "??TH", "d-t3"),
        ("QHKC/.", "QHKC/??", "draw"),
        ("2S/3S", "??2S/3S", "t1-t2"),
    ):
        played = game(line := PLAYING.replace(known, unknown))
        assert move in played.legal_moves()
        with pytest.raises(
            HiddenCard, match=f"^expected a move that turns up no unknown card, got {move!r}$"
        ):
            played.push(move)
        assert str(played.position) == line
