"""Frames of a passage: names, numbers and marks around a position."""

from arena.web.deck.frame import Scene, frame
from arena.web.deck.piles import piles_of
from tests.factories.records import played


def test_a_name_is_text_and_a_long_one_is_cut() -> None:
    piles = piles_of(played("crapette", 2, seed=5).start)
    text = frame(piles, Scene(["<b>&", "n" * 40], frozenset(), (), (), "0 / 9"))
    assert "&lt;b&gt;&amp;" in text
    assert "n" * 40 not in text
    assert "n…</text>" in text
