"""Positions drawn as pictures."""

from arena.web.deck.picture import svg
from arena.web.deck.piles import carry_out, piles_of
from arena.web.deck.png import png
from tests.factories.records import played


def test_what_nobody_could_see_is_drawn_as_a_back() -> None:
    game = played("crapette", 2, seed=5, public=True)
    piles = piles_of(game.start)
    carry_out(piles, game.events[:200])
    assert piles["h0"][-1] == "??"
    assert png(svg(piles, 2)).startswith(b"\x89PNG")
