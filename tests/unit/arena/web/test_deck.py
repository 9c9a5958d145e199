"""The deck on disk is the one the program draws, whole and without fonts."""

from xml.etree import ElementTree

from arena.web.deck.__main__ import TARGET
from arena.web.deck.sprite import sprite


def test_the_file_that_is_served_is_what_the_program_draws_now() -> None:
    assert TARGET.read_text(encoding="utf-8") == sprite(), "run python -m arena.web.deck"


def test_the_sprite_is_well_formed_and_refers_only_to_what_it_holds() -> None:
    root = ElementTree.fromstring(sprite())
    held = {node.get("id") for node in root.iter() if node.get("id")}
    used = {node.get("href", "").removeprefix("#") for node in root.iter() if node.get("href")}
    assert used <= held
    assert [node for node in root.iter() if node.tag.endswith("text")] == []
