"""The deck on disk is the one the program draws, whole and without fonts."""

import re
from xml.etree import ElementTree

import pytest

from arena.web.deck.__main__ import TARGET
from arena.web.deck.shapes import RANKS, SUITS
from arena.web.deck.sprite import sprite

CARDS = [rank + suit for suit in SUITS for rank in RANKS]


def symbols() -> set[str]:
    """The names of the pictures in the sprite."""
    return set(re.findall(r'<symbol id="(\w+)"', sprite()))


def test_the_file_that_is_served_is_what_the_program_draws_now() -> None:
    assert TARGET.read_text(encoding="utf-8") == sprite(), "run python -m arena.web.deck"


@pytest.mark.parametrize("prefix", ["", "L", "T"])
def test_every_card_is_there_in_each_index_style(prefix: str) -> None:
    assert {prefix + card for card in CARDS} <= symbols()


def test_there_are_four_backs_and_four_bare_suits() -> None:
    assert {f"back{seat}" for seat in range(4)} | {f"pip{suit}" for suit in SUITS} <= symbols()


def test_the_sprite_is_well_formed_and_refers_only_to_what_it_holds() -> None:
    root = ElementTree.fromstring(sprite())
    held = {node.get("id") for node in root.iter() if node.get("id")}
    used = {node.get("href", "").removeprefix("#") for node in root.iter() if node.get("href")}

    assert used <= held
    assert [node for node in root.iter() if node.tag.endswith("text")] == []
