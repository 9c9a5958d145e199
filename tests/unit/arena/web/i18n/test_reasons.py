"""Why games ended, in the reader's language."""

import pytest
from django.utils import translation

from arena.web.i18n.reasons import SEATS, SENTENCES, knows, tell_reason
from tools.run.ending_phrases import refused, said

CODES = ("fr", "it", "pt-br")


@pytest.mark.parametrize("code", CODES)
def test_all_that_is_said_of_an_end_is_told_in_the_readers_language(code: str) -> None:
    found = said()
    assert len(found) > 60
    with translation.override(code):
        assert sorted(text for text in found if tell_reason(text) == text) == []


def test_every_refusal_of_an_upload_can_be_told_in_the_readers_language() -> None:
    found = refused()
    assert len(found) > 35
    assert sorted(text for text in found if not knows(text)) == []


def test_the_words_for_a_seat_stand_in_every_translation_as_scripts_look_for_them() -> None:
    for code in CODES:
        with translation.override(code):
            seats = [translation.gettext(one).partition("%(seat)s") for one in SEATS]
            for pattern in (one for one in SENTENCES if "%(seat)s" in one):
                text = translation.gettext(pattern)
                assert any(f"{before}%(seat)s{after}" in text for before, _, after in seats), text


def test_what_nobody_knows_and_what_a_bot_wrote_stay_as_they_are() -> None:
    move = "'x': expected one of y. Seat 0 resigned.'"
    with translation.override("fr"):
        assert tell_reason("Seat 1 did something that nobody has done before.").startswith("Seat 1")
        assert tell_reason("Seat 1 was not ready to play: it danced.").startswith("Seat 1")
        assert tell_reason("") == ""
        found = tell_reason(f"Seat 1 played {move} at ply 3: expected one of h-d, draw.")
        assert move in found
        assert not found.startswith("Seat 1 played")
    with translation.override("en-gb"):
        assert tell_reason("Seat 1 resigned.") == "Seat 1 resigned."
