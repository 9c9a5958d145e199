"""Actions of ticks in words, as hints and the analysis of a game tell them."""

from dataclasses import replace

import pytest

import engine
from analysis.searches.hints_ticks import action_words


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("turn", "turn up a card"),
        ("wait", "wait"),
        ("stop", "call stop"),
        ("r-f", "7♥ to a foundation"),
        ("s2-f", "A♠ to a foundation"),
        ("d-f", "10♣ to a foundation"),
    ],
)
def test_an_action_is_told_with_the_card_that_it_plays(action: str, words: str) -> None:
    dealt = engine.TickPosition.deal("vitesse", "5a" * 32)
    seat = replace(
        dealt.seats[0],
        reserve=(*dealt.seats[0].reserve[:-1], "7H"),
        slots=(None, "AS", *dealt.seats[0].slots[2:]),
        discard=("TC",),
    )
    assert action_words(replace(dealt, seats=(seat, dealt.seats[1])), 0, action) == words
