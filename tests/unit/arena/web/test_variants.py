"""What pages call the games."""

from django.utils.translation import override

from arena.web import variants
from engine import boards


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
