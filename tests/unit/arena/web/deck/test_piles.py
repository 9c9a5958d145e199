"""Piles that events change without rules."""

import pytest

from arena.web.deck.piles import carry_out, piles_of
from tests.factories.records import in_ticks, played
from tests.variants import IN_TURNS


@pytest.mark.parametrize("variant", IN_TURNS)
def test_events_carried_out_without_rules_lead_to_the_engines_position(variant: str) -> None:
    game = played(variant, 2, seed=5)
    piles = piles_of(game.start)
    for event, line in zip(game.events, game.lines, strict=True):
        carry_out(piles, [event])
        # A drawn card lies on its own pile here, and within the position there.
        assert {name: pile for name, pile in piles.items() if name != "x"} == {
            name: pile for name, pile in piles_of(line).items() if name != "x"
        }


def test_ticks_carried_out_without_rules_lead_to_the_engines_position() -> None:
    game = in_ticks(5)
    piles = piles_of(game.start)
    for event, line in zip(game.events, game.lines, strict=True):
        carry_out(piles, [event])
        assert piles == piles_of(line)
