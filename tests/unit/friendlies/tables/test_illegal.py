"""Reasons that the engine's explanations give, in the person's language."""

import pytest

import engine
from analysis.questions import whynot
from arena.web.i18n.messages import _expression
from friendlies.tables.illegal import REASONS

SEED = "5eed" + "0" * 60
PILES = ("h", "r", "d", *(f"t{number}" for number in range(1, 9)))
TARGETS = ("f", "d", "r1", "d1", "r0", *(f"t{number}" for number in range(1, 9)))


@pytest.mark.parametrize("name", ["crapaud", "crapo", "crapette", "crapette-it", "russian-bank"])
def test_every_reason_that_a_page_can_meet_is_marked(name: str) -> None:
    game = engine.TurnGame.deal(name, SEED)
    said = set()
    for _ in range(20):
        legal = {str(move) for move in game.legal_moves()}
        tried = ["draw", "pass", *(f"{source}-{target}" for source in PILES for target in TARGETS)]
        said |= {whynot.why_not(game.position, move) for move in tried if move not in legal}
        if game.finished:
            break
        game.push(sorted(legal)[-1])
    assert len(said) > 8
    known = [_expression(one) for one in REASONS]
    assert [sentence for sentence in said if not any(one.fullmatch(sentence) for one in known)] == []
