"""What authors are given on top of the rules: moves in words, and stacks moved card by card."""

import pytest

from engine import TurnGame, TurnPosition
from engine.errors import IllegalMove
from engine.turns.moves import Move
from engine.turns.search.stacks import cost, expand

TABLE = "crapette 1 play - 7C/8C/./././././. 0,0/0,0/0,0/0,0 QH/2D/TH KC/??/9D 0,0,0,.,. 0,0/./."
THREE = (
    "crapette 0 play TH 7C"
    + "/." * 11
    + " 0,0,0/0,0,0/0,0,0/0,0,0 QH/./. KC/??/9H 2C/??/. 0,0,0,.,. 0,0,0/./."
)
STACK = "crapo 0 play - TH9C8H7C6H5C4H3C/JC/././{}/KS/2H/2H 0,0/0,0/0,0/0,0 ./4D/. ./5D/. 0,0,0,.,. 0,0/./."


@pytest.mark.parametrize(
    ("line", "move", "words"),
    [
        (TABLE, "t1-t2", "7♣ house 1 → house 2"),
        (TABLE, "r-t3", "K♣ reserve → empty house 3"),
        (TABLE, "d-d0", "9♦ discard → opponent's discard"),
        (TABLE, "draw", "draw"),
        (TABLE, "pass", "pass"),
        (THREE, "h-d1", "10♥ drawn → discard of seat 1"),
        (THREE, "h-f", "10♥ drawn → foundation"),
        (THREE, "h-d", "10♥ drawn → discard"),
        (THREE, "draw", "turn the discard over and draw"),
    ],
)
def test_a_move_is_told_in_words(line: str, move: str, words: str) -> None:
    assert Move.parse(move).words(TurnPosition.parse(line)) == words


def test_a_stack_of_eight_needs_three_empty_houses() -> None:
    assert [cost(8, free) for free in (3, 4, 7)] == [27, 21, 15]
    with pytest.raises(IllegalMove, match=r"^expected at most 4 cards with so few empty houses, got 8$"):
        expand(TurnPosition.parse(STACK.format("KS")), "t1", "t2", 8)
    freer = TurnPosition.parse(STACK.format("."))
    moves = expand(freer, "t1", "t2", 8)
    replay = TurnGame.replay(freer, map(str, moves))
    assert (len(moves), replay.error) == (27, None)
    assert "".join(replay.game.position.houses[1]) == "JCTH9C8H7C6H5C4H3C"


def test_a_stack_that_does_not_fit_or_of_no_houses_is_refused() -> None:
    for source, target, cards, message in (
        ("t2", "t1", 1, r"single move 1 of 1: expected one of .*, got 't2-t1'"),
        ("t1", "t1", 1, "expected two different houses of t1 to t8, got 't1' and 't1'"),
        ("t1", "t2", 2, "expected 1 to 1 cards from t1, got 2"),
    ):
        with pytest.raises(IllegalMove, match=message):
            expand(TurnPosition.parse(TABLE), source, target, cards)
