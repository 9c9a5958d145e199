"""What authors are given on top of the rules: moves in words, and stacks moved card by card."""

import pytest

from engine import TurnGame, TurnPosition
from engine.errors import IllegalMove
from engine.turns.search.stacks import cost, expand

TABLE = "crapette 1 play - 7C/8C/./././././. 0,0/0,0/0,0/0,0 QH/2D/TH KC/??/9D 0,0,0,.,. 0,0/./."
THREE = (
    "crapette 0 play TH 7C"
    + "/." * 11
    + " 0,0,0/0,0,0/0,0,0/0,0,0 QH/./. KC/??/9H 2C/??/. 0,0,0,.,. 0,0,0/./."
)
STACK = "crapo 0 play - TH9C8H7C6H5C4H3C/JC/././{}/KS/2H/2H 0,0/0,0/0,0/0,0 ./4D/. ./5D/. 0,0,0,.,. 0,0/./."


def test_a_stack_of_eight_needs_three_empty_houses() -> None:
    assert [cost(8, free) for free in (3, 4, 7)] == [27, 21, 15]
    with pytest.raises(IllegalMove, match=r"^expected at most 4 cards with so few empty houses, got 8$"):
        expand(TurnPosition.parse(STACK.format("KS")), "t1", "t2", 8)
    freer = TurnPosition.parse(STACK.format("."))
    moves = expand(freer, "t1", "t2", 8)
    replay = TurnGame.replay(freer, map(str, moves))
    assert (len(moves), replay.error) == (27, None)
    assert "".join(replay.game.position.houses[1]) == "JCTH9C8H7C6H5C4H3C"
