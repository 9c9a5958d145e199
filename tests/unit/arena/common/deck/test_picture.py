"""Positions drawn as pictures."""

from __future__ import annotations

import re

from arena.common.deck.drawing import png
from arena.common.deck.picture import WIDTH, svg
from arena.common.deck.piles import carry_out, piles_of
from tests.browser.records import played


def test_what_nobody_could_see_is_drawn_as_a_back() -> None:
    game = played("crapette", 2, seed=5, public=True)
    piles = piles_of(game.start)
    carry_out(piles, game.events[:200])

    assert piles["h0"][-1] == "??"
    assert png(svg(piles, 2)).startswith(b"\x89PNG")


def test_every_house_of_three_and_four_seats_lies_on_the_felt() -> None:
    for players in (3, 4):
        game = played("crapette", players, seed=5)
        piles = piles_of(game.start)
        carry_out(piles, game.events[:250])
        cards = re.findall(
            r'<use href="#\w+" x="([-\d.]+)" y="[-\d.]+" width="([\d.]+)"', svg(piles, players)
        )
        assert cards
        assert all(float(x) >= 0 and float(x) + float(width) <= WIDTH for x, width in cards)
