"""What a ply or a call of stop tells everybody, and what is refused."""

import pytest

from engine import TurnGame, TurnPosition
from engine.errors import HiddenCard, IllegalMove
from engine.turns.events import Event

LAYING = "crapette-it 0 lay1.2 - ./././././2C/./. 0,0/0,0/0,0/1,0 3D/9S8H/. KS/3H4H/5C 0,7,0,.,. 0,0/./."
PLAYING = "crapette 0 play - 2S/3S/./././././. 0,0/0,0/0,0/12,0 QHKC/./8DTH 9C/??/9D 0,0,0,.,. 0,0/./."


def game(line: str) -> TurnGame:
    return TurnGame(TurnPosition.parse(line))


def test_a_card_from_the_reserve_completes_a_foundation_and_reveals_the_next_one() -> None:
    assert game(PLAYING).push("r-f").as_dict() == {
        **{"type": "move", "seat": 0, "move": "r-f", "card": "KC", "from": "r0", "to": "fC0"},
        **{"completed": "fC0", "reveal": ["r0", "QH"], "turn": 0, "turn_number": 0, "counters": "0,0,0,.,."},
    }


def test_drawing_from_an_empty_hand_turns_the_discard_over_and_shows_its_bottom_card() -> None:
    played = game(PLAYING)
    event = played.push("draw")
    assert (event.flip, event.card, event.source, event.target) == (0, "8D", "h0", "x")
    assert str(played.position.seats[0]) == "QHKC/TH/."
    played.pop()
    assert str(played.position) == PLAYING


def test_a_drawn_card_on_the_own_discard_ends_the_turn() -> None:
    played = game("crapo 0 play TH 2S/3S/./././././. 0,0/0,0/0,0/0,0 ./8D/9D ./??/9C 0,0,0,.,. 0,0/./.")
    event = played.push("h-d")
    assert (event.card, event.source, event.target, event.turn, event.turn_number) == ("TH", "x", "d0", 1, 1)
    assert event.counters == "0,1,0,.,."


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


def test_a_stop_out_of_place_is_refused() -> None:
    for line, message in (
        (PLAYING, "expected a variant with stop calls, got stop in crapette"),
        (LAYING, "expected an action of the mover that can be stopped, got stop after none"),
        (LAYING.replace("7,0,.,.", "7,0,.,?"), "expected a last action marked + or !, got stop on '?'"),
    ):
        with pytest.raises(IllegalMove) as caught:
            game(line).stop()
        assert str(caught.value) == message


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


def test_an_illegal_move_names_the_legal_ones_and_changes_nothing() -> None:
    played = game("crapo 0 play TH 2S/3S/./././././. 0,0/0,0/0,0/0,0 ./8D/9D ./??/9C 0,0,0,.,. 0,0/./.")
    with pytest.raises(IllegalMove) as caught:
        played.push("t1-t2")
    assert str(caught.value) == "expected one of h-d, h-t3, h-t4, h-t5, h-t6, h-t7, h-t8, got 't1-t2'"
    assert played.history == ()


def test_nothing_can_be_played_in_or_taken_back_before_a_game() -> None:
    over = game("crapaud 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ././. ./QD8CTH/. 0,198,0,.,. 1,1/01/0")
    assert over.finished
    with pytest.raises(IllegalMove, match="expected no move, as the game is over, got 'draw'"):
        over.push("draw")
    with pytest.raises(IllegalMove, match="expected a move to take back, got the start of the game"):
        over.pop()


def test_a_broken_list_of_moves_yields_its_valid_part_and_where_it_breaks() -> None:
    replay = TurnGame.deal("crapaud", "00" * 32).play(["t6-f", "draw", "h-h", "h-d"])
    assert replay.played == 2
    assert str(replay.error) == "expected one of h-d, h-t1, h-t6, got 'h-h'"
    assert replay.game.ply == 2
