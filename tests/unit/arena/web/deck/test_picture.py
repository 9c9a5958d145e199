"""Positions drawn as pictures."""

import re

import pytest

from arena.web.deck.miniature import FACE, miniature
from arena.web.deck.picture import WIDTH, svg
from arena.web.deck.piles import carry_out, piles_of
from arena.web.deck.png import png
from tests.factories.records import in_ticks, played


def test_what_nobody_could_see_is_drawn_as_a_back() -> None:
    game = played("crapette", 2, seed=5, public=True)
    piles = piles_of(game.start)
    carry_out(piles, game.events[:200])
    assert piles["h0"][-1] == "??"
    assert png(svg(piles, 2)).startswith(b"\x89PNG")


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_miniature_has_every_open_card_on_the_felt(players: int) -> None:
    game = in_ticks(5) if players == 1 else played("crapette", players, seed=5)
    piles = piles_of(game.start)
    carry_out(piles, game.events[:250])
    drawn = miniature(piles, max(2, players))
    faces = re.findall(rf'<rect x="([-\d]+)" y="[-\d]+" width="(\d+)" height="\d+" fill="{FACE}"', drawn)
    houses = sum(len(cards) for name, cards in piles.items() if name[0] == "t")
    assert len(faces) >= max(houses, 8)
    assert all(int(x) >= 0 and int(x) + int(width) <= WIDTH for x, width in faces)
    assert len(drawn) < 40_000
