"""Actions of ticks in words, as hints and the analysis of a game tell them."""

from dataclasses import replace

import engine
from analysis.searches.hints_ticks import action_words


def test_an_action_is_told_with_the_card_that_it_plays() -> None:
    dealt = engine.TickPosition.deal("vitesse", "5a" * 32)
    first, second = dealt.seats
    piles = {
        "reserve": (*first.reserve[:-1], "7H"),
        "slots": (None, "AS", *first.slots[2:]),
        "discard": ("TC",),
    }
    position = replace(dealt, seats=(replace(first, **piles), second))  # type: ignore[arg-type]
    for action, words in (
        ("turn", "turn up a card"),
        ("wait", "wait"),
        ("stop", "call stop"),
        ("r-f", "7♥ to a foundation"),
        ("s2-f", "A♠ to a foundation"),
        ("d-f", "10♣ to a foundation"),
    ):
        assert action_words(position, 0, action) == words
