"""The referee's table says word for word what the engine says."""

import random

import pytest

import engine
from referee.log import encode
from referee.turns.whole import RefereeTable
from tests.variants import IN_TURNS

GAMES = [(name, players) for name in IN_TURNS for players in engine.VARIANTS[name].players]


@pytest.mark.parametrize(("variant", "players"), GAMES)
@pytest.mark.parametrize("seed", ["1" * 64, "2" * 64])
def test_every_event_and_public_line_of_a_random_game_is_the_engines(
    variant: str, players: int, seed: str
) -> None:
    dice = random.Random(seed)
    start = engine.TurnPosition.deal(variant, seed, players)
    game, table, behind = engine.TurnGame(start), RefereeTable(start), RefereeTable(start)
    stepper = behind.stepper()
    while not game.finished:
        assert table.legal_moves() == list(game.legal_moves())
        assert table.public_line() == stepper.public_line() == str(game.position.public())
        # Mostly what makes progress: random games end by stalling.
        forward = [move for move in game.legal_moves() if move.endswith("-f") or move[0] in "rdh"]
        move = dice.choice(forward if forward and dice.random() < 0.8 else list(game.legal_moves()))
        event = game.push(move)
        assert table.push(move) == encode(event.as_dict())
        stepper.advance([move])
        assert (table.turn, table.ply, table.turn_number) == (game.turn, game.ply, game.turn_number)
        assert table.can_stop() == game.can_stop()
        if game.can_stop() and dice.random() < 0.1:
            assert "{" + table.stop() == encode(game.stop().as_dict())
            stepper.stop()
            assert table.turn == game.turn
    assert table.finished
    assert table.outcome() == game.outcome()
    assert str(table.position) == str(game.position)


@pytest.mark.parametrize(("variant", "players"), GAMES)
def test_answers_are_played_to_the_next_card_turned_up_and_reported_together(
    variant: str, players: int
) -> None:
    dice = random.Random(variant)
    start = engine.TurnPosition.deal(variant, "3" * 64, players)
    game, table = engine.TurnGame(start), RefereeTable(start)
    stepper, played, expected = table.stepper(), list[int](), list[str]()
    while not game.finished and game.ply < 600:
        seat, answer, shown = game.turn, list[str](), False
        while not shown and game.turn == seat and not game.finished:
            answer.append(dice.choice(game.legal_moves()))
            event = game.push(answer[-1])
            expected.append(encode(event.as_dict()))
            shown = answer[-1] == "draw" or event.reveal is not None
        dropped = ["t1-f", "nonsense"]
        assert stepper.reachable([*answer, *dropped]) == answer
        played += stepper.advance([*answer, *dropped])
        assert (stepper.turn, stepper.ply, stepper.finished) == (game.turn, game.ply, game.finished)
        assert game.finished or stepper.legal_text() == encode(list(game.legal_moves()))
    assert ["{" + event for event in table.play(played)] == expected
