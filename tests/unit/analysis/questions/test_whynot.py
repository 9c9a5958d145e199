"""Every illegal move gets a sentence, and the sentence names the rule at fault."""

import random

import pytest

import engine
from analysis.questions.whynot import why_not
from tests.variants import IN_TURNS

DIAGRAM = (
    "crapaud 0 play - KCQHJS/TD9S8H7C6D/QCJD/2D/KSQD/9C8H7C/7S/8D 8,3/5,2/7,0/6,1 4H/5C/TD 6S/5S/9D "
    "0,0,0,.,. 0,0/./."
)


def test_the_rule_at_fault_is_named() -> None:
    position = engine.TurnPosition.parse(DIAGRAM)
    for move, sentence in (
        ("t7-r1", "You can’t load a reserve without an empty house."),
        ("t1-t2", "Houses build down in alternating colours, so J♠ does not go on 6♦."),
        ("t1-f", "Spades foundations need 9♠ or 4♠ next, not J♠."),
        ("r-t3", "Houses build down in alternating colours, so 4♥ does not go on J♦."),
        ("h-d", "No card is drawn. Draw one first."),
        ("d-d0", "You can load only an opponent’s piles, not your own."),
        ("t7-d1", "9♦ takes a card of its suit exactly one higher or lower, not 7♠."),
        ("t1-t1", "The card is already in that house."),
        ("t1-t99", "There is no house 99."),
        ("t99-f", "You can play only from your own piles, the houses and the drawn card."),
        ("pass", "You can pass only when your hand and discard are both empty."),
        ("d-d", "Only a drawn card can go to your discard."),
        ("t1-s1", "There is no place 's1' to move a card to."),
    ):
        assert move not in engine.TurnGame(position).legal_moves()
        assert why_not(position, move) == sentence


@pytest.mark.parametrize("variant", IN_TURNS)
def test_no_illegal_move_goes_without_a_sentence(variant: str) -> None:
    chance, game = random.Random(variant), engine.TurnGame.deal(variant, "5a" * 32)
    houses = [f"t{house}" for house in range(1, 9)]
    for _ in range(60):
        if game.finished:
            break
        legal = game.legal_moves()
        pairs = [(chance.choice("rdh"), chance.choice(houses)) for _ in range(10)]
        pairs += [(one, chance.choice(["f", "d", "r0", "r1", "d0", "d1", *houses])) for _, one in pairs]
        for move in ("draw", "pass", *("-".join(pair) for pair in pairs)):
            if move not in legal:
                assert why_not(game.position, move).endswith("."), move
        game.push(chance.choice(legal))
