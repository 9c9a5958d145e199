"""The typefaces that the site ships are the ones the program makes, small, free, and with a stand-in each."""

import pytest
from fontTools.ttLib import TTFont

from tools.run.fonts import DRAWN, STYLES, TYPEFACES, Typeface, drawn, subset, with_fonts

MOST_BYTES = 40_000
NEEDED = "AZaz09ÀÉÈÊËÎÏÔÙÛÜÇàâæçéèêëîïôœùûüÿãõáíóúìò«»‘’“”–—…±−½×€"


@pytest.mark.parametrize("face", TYPEFACES, ids=lambda face: face.name)
def test_a_typeface_on_disk_is_the_one_the_program_makes(face: Typeface) -> None:
    assert face.target.read_bytes() == subset(face), "run ./crapette fonts"


def test_the_letters_of_pictures_are_those_the_program_makes() -> None:
    assert DRAWN.read_bytes() == drawn(), "run ./crapette fonts"
    known = TTFont(DRAWN).getBestCmap()
    assert [letter for letter in NEEDED if ord(letter) not in known] == []


def test_the_style_sheet_declares_them_with_stand_ins_of_their_size() -> None:
    text = STYLES.read_text()
    assert with_fonts(text) == text, "run ./crapette fonts"
    assert text.count("; size-adjust:") == sum(len(face.stand_ins) for face in TYPEFACES)
