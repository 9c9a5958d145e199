"""Frames of a passage: names, numbers and marks around a position."""

import pytest

from arena.web.deck.frame import Scene, frame
from arena.web.deck.piles import piles_of
from tests.factories.records import played


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_has_its_name_its_piles_and_what_it_drew(players: int) -> None:
    piles = piles_of(played("crapette", players, seed=5).start)
    piles["x"] = ["AS"]
    names = [f"bot {seat}" for seat in range(players)]
    text = frame(piles, Scene(names, frozenset((1,)), ("h1",), ("x",), "3 / 90 · draw"))
    assert all(f">{name}</text>" in text for name in names)
    assert "3 / 90 · draw" in text
    assert text.count("stroke-dasharray") == 1
    assert text.count('stroke="#ffd23f"') == 1
    assert text.count("#back") == players, "every hand shows its back"


def test_a_name_is_text_and_a_long_one_is_cut() -> None:
    piles = piles_of(played("crapette", 2, seed=5).start)
    text = frame(piles, Scene(["<b>&", "n" * 40], frozenset(), (), (), "0 / 9"))
    assert "&lt;b&gt;&amp;" in text
    assert "n" * 40 not in text
    assert "n…</text>" in text
