"""The referee's table says word for word what the engine says."""

from __future__ import annotations

import random

import pytest

import engine
from tournaments.referee.log import encode
from tournaments.referee.table import Table

GAMES = [(name, players) for name, variant in engine.VARIANTS.items() for players in variant.players]


@pytest.mark.parametrize(("variant", "players"), GAMES)
@pytest.mark.parametrize("seed", ["1" * 64, "2" * 64])
def test_every_event_and_public_line_of_a_random_game_is_the_engines(
    variant: str, players: int, seed: str
) -> None:
    dice = random.Random(seed)
    start = engine.deal(variant, seed, players)
    game, table = engine.Game(start), Table(start)
    while not game.finished:
        assert table.legal_moves() == list(game.legal_moves())
        assert table.public_line() == str(game.position.public())
        # Mostly what makes progress: random games end by stalling.
        forward = [move for move in game.legal_moves() if move.endswith("-f") or move[0] in "rdh"]
        move = dice.choice(forward if forward and dice.random() < 0.8 else list(game.legal_moves()))
        event = game.push(move)
        said, shown = table.push(move)
        assert said == encode(event.as_dict())
        assert shown == (move == "draw" or event.reveal is not None)
        assert (table.turn, table.ply, table.turn_number) == (game.turn, game.ply, game.turn_number)
        assert table.can_stop() == game.can_stop()
        if game.can_stop() and dice.random() < 0.1:
            assert table.stop() == encode(game.stop().as_dict())
            assert table.turn == game.turn
    assert table.finished
    assert table.outcome() == game.outcome()
    assert str(table.position) == str(game.position)


def test_an_illegal_move_is_refused_and_changes_nothing() -> None:
    table = Table(engine.deal("crapaud", "00" * 32))
    before = table.public_line()
    for wrong in ("t1-f", "pass", "h-d", "hello", ""):
        with pytest.raises(engine.IllegalMove) as caught:
            table.push(wrong)
        assert str(caught.value) == f"expected one of draw, t6-f, t7-t2, got {wrong!r}"
    assert table.public_line() == before
    assert table.ply == 0
