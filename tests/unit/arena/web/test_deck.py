"""The deck on disk is the one the program draws, whole and without fonts."""

from arena.web.deck.__main__ import TARGET
from arena.web.deck.sprite import sprite


def test_the_file_that_is_served_is_what_the_program_draws_now() -> None:
    assert TARGET.read_text(encoding="utf-8") == sprite(), "run python -m arena.web.deck"
