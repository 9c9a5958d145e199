"""English sentences of packages without a framework, in another language."""

from __future__ import annotations

import pytest
from django.utils import translation

from arena.common.rewording import reworded

PATTERNS = ("House %(number)s is empty.", "%(top)s takes %(card)s, not %(other)s.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("House 3 is empty.", "A casa 3 está vazia."),
        ("Nobody ever said this.", "Nobody ever said this."),
        ("", ""),
    ],
)
def test_a_sentence_is_found_by_its_pattern_and_put_together_again(text: str, said: str) -> None:
    with translation.override("pt-br"):
        assert reworded(text, PATTERNS) == said


def test_english_stays_as_it_was_said() -> None:
    with translation.override("en-gb"):
        assert reworded("House 3 is empty.", PATTERNS) == "House 3 is empty."
