"""A game of `vitesse`: its ticks tell all that everyone saw, and can be taken back (RULES 7)."""

import pytest

from engine import IllegalMove, TickGame, TickPosition


def test_a_tick_taken_back_leaves_nothing_behind() -> None:
    game = TickGame.deal("vitesse", "00" * 32)
    other = game.clone()
    game.play(["s2-f,turn", "wait,wait"])
    assert (game.ply, other.ply) == (2, 0)
    game.pop()
    game.pop()
    assert (game.position, game.history) == (game.start, ())
    with pytest.raises(IllegalMove, match=r"^expected a tick to take back, got the start of the game$"):
        game.pop()


def test_a_card_that_comes_too_late_is_told_with_the_foundation_it_was_meant_for() -> None:
    game = TickGame(
        TickPosition.parse("vitesse 4 4,2/0,0/0,0/0,0 ./5S,-,-,-/????/2H ./-,5S,-,-/????/3H 0 0,0/.")
    )
    done = [each.as_dict() for each in game.push("s1-f", "s2-f").done]
    assert done == [
        {"seat": 0, "move": "s1-f", "card": "5S", "from": "s0.1", "to": "fS0"},
        {"seat": 1, "move": "s2-f", "card": "5S", "from": "s1.2", "to": "fS0", "missed": True},
    ]
