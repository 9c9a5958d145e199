"""What a ply or a call of stop tells everybody, and what is refused."""

import pytest

from engine import TurnGame, TurnPosition
from engine.errors import HiddenCard, IllegalMove
from engine.turns.events import Event

LAYING = "crapette-it 0 lay1.2 - ./././././2C/./. 0,0/0,0/0,0/1,0 3D/9S8H/. KS/3H4H/5C 0,7,0,.,. 0,0/./."
PLAYING = "crapette 0 play - 2S/3S/./././././. 0,0/0,0/0,0/12,0 QHKC/./8DTH 9C/??/9D 0,0,0,.,. 0,0/./."


def game(line: str) -> TurnGame:
    return TurnGame(TurnPosition.parse(line))


def test_a_rightful_stop_passes_the_turn_and_puts_the_card_in_the_air_on_the_movers_discard() -> None:
    played = game(LAYING)
    assert played.irregular("draw")
    assert not played.irregular("t6-f")
    assert played.push("draw").counters == "0,7,0,.,?"
    assert [played.can_stop(seat) for seat in (0, 1)] == [False, True]
    event = played.stop()
    assert event == Event(
        type="stop",
        seat=1,
        move="stop",
        turn=1,
        turn_number=1,
        counters="0,8,0,.,.",
        card="8H",
        source="x",
        target="d0",
        phase="lay0.2",
    )
    assert str(played.position.seats[0]) == "3D/9S/8H"
    played.pop()
    played.pop()
    assert str(played.position) == LAYING


def test_a_wrong_stop_makes_the_caller_mute_and_play_goes_on() -> None:
    played = game(LAYING)
    played.push("t6-f")
    event = played.stop()
    assert (event.turn, event.counters, event.card) == (0, "0,0,0,1,.", None)
    played.push("draw")
    assert not played.can_stop()
    with pytest.raises(IllegalMove, match="expected a caller who is not mute, got stop by seat 1"):
        played.stop()
    assert played.ply == 2


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


def test_a_broken_list_of_moves_yields_its_valid_part_and_where_it_breaks() -> None:
    replay = TurnGame.deal("crapaud", "00" * 32).play(["t6-f", "draw", "h-h", "h-d"])
    assert replay.played == 2
    assert str(replay.error) == "expected one of h-d, h-t1, h-t6, got 'h-h'"
    assert replay.game.ply == 2
