"""What is given in the wrong type raises EngineError with a sentence, and a game can be looked at."""

from typing import Any

import pytest

import engine

UNTYPED: Any = engine


def test_a_wrong_type_is_an_engine_error() -> None:
    game: Any = UNTYPED.TurnGame.deal("crapaud", "any text")
    ticks: Any = engine.deal("vitesse", "any text")
    letters = "expected the letters S, H, D and C in some order"
    for call, given, message in (
        (UNTYPED.Game, ("crapaud 0",), "expected a Position, got 'crapaud 0': Position.parse reads a line"),
        (UNTYPED.Game.deal, ("crapaud", 7), "expected a seed of 64 hex digits, got 7"),
        (UNTYPED.Game.deal, ("crapaud", "x", 2.0), "expected 2 players for crapaud, got 2.0"),
        (UNTYPED.Position.parse, (None,), "expected a position as a line of text, got None"),
        (UNTYPED.Move.parse, (3,), "expected a move such as t8-f, r-t1, h-d or draw, got 3"),
        (game.observation, ("0",), "expected a seat from 0 to 1, got '0'"),
        (game.perft, ("2",), "expected a depth, got '2'"),
        (UNTYPED.Game.replay, (game.start, None), "expected a list of words, got None"),
        (game.start.given_up, (2,), "expected a seat from 0 to 1, got 2"),
        (ticks.given_up, ("0",), "expected a seat from 0 to 1, got '0'"),
        (game.start.relabelled, (None,), f"{letters}, got None"),
        (ticks.relabelled, ("SHDD",), f"{letters}, got 'SHDD'"),
    ):
        with pytest.raises(engine.EngineError) as caught:
            call(*given)
        assert str(caught.value) == message
    with pytest.raises(engine.UnknownVariant, match=r"got \['crapo'\]$"):
        UNTYPED.variant(["crapo"])
