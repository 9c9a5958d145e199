"""What pages call the games."""

import pytest
from django.utils.translation import override

import engine
from arena.web import variants
from engine import boards


@pytest.mark.parametrize("game", engine.VARIANTS.values(), ids=str)
def test_every_game_has_the_words_that_the_engine_has_in_english(game: engine.Variant) -> None:
    assert variants.in_words(game) == game


@pytest.mark.parametrize("board", [*boards.BOARDS, "unheard-of"])
def test_every_board_is_called_what_the_engine_calls_it(board: str) -> None:
    assert variants.board_title(board) == boards.board_title(board)


def test_forms_offer_every_game_in_the_order_of_the_engine() -> None:
    assert [name for name, _ in variants.CHOICES] == list(engine.VARIANTS)


def test_the_sites_own_tournaments_have_a_name_in_each_language_and_others_keep_theirs() -> None:
    with override("fr"):
        assert (
            variants.event_title("Ladder: Crapette, 3 seats")
            == "Échelle\N{NO-BREAK SPACE}: Crapette, 3 places"
        )
        assert variants.event_title("House round-robin") == "Toutes rondes de la maison"
        assert variants.event_title("Ladder: my own") == "Ladder: my own"
    assert variants.event_title("Ladder: Crapette, 3 seats") == "Ladder: Crapette, 3 seats"
    assert set(variants.LADDERS.values()) == set(boards.BOARDS)
