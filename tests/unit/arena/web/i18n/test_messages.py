"""English sentences of packages without a framework, in another language."""

from django.utils import translation

from arena.web.i18n.messages import STORED, reword
from arena.web.templatetags.site import in_language


def test_what_the_arena_stored_is_said_in_the_language_of_the_reader() -> None:
    with translation.override("fr"):
        assert reword("Stopped without a verdict: Ada v2 was benched.", STORED).startswith("Arrêté sans")
        assert "5 dernières" in in_language("It crashed in its last 5 games.")
        assert in_language("the test was decided") != "the test was decided"
        assert in_language("") == ""
        assert in_language("What a person wrote.") == "What a person wrote."
