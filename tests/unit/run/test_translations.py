"""The checks that everything people read is marked for translation and in the catalogues."""

from pathlib import Path

import polib
import pytest

from tools.run.catalogue_update import merged
from tools.run.translations import outside, wrong_in
from tools.run.untranslated import HOLE, in_python, in_script


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<h1>Sign up</h1>", ["Sign up"]),
        ('<h1>{% translate "Sign up" %}</h1>', []),
        ("<p>{% blocktranslate trimmed with a=b %}Hello {{ a }}{% endblocktranslate %} there</p>", ["there"]),
        ('{% include "a.html" with words="Start now" %}', ["Start now"]),
    ],
)
def test_a_text_is_found_unless_it_is_translated_or_a_name(template: str, found: list[str]) -> None:
    assert list(outside(template)) == found


def catalogue_of(*entries: polib.POEntry) -> polib.POFile:
    file = polib.POFile()
    file.extend(entries)
    return file


def complaints(tmp_path: Path, texts: polib.POFile, translated: polib.POFile) -> list[str]:
    file = tmp_path / "django.po"
    file.write_text(f"{merged(translated, translated, 'fr')}\n", encoding="utf-8")
    return [wrong.partition(":")[0] for wrong in wrong_in(file, texts, "fr")]


TEXT, TOLD = "%(n)s <b>of</b> 4", "%(n)s <b>sur</b> 4"
OTHER = "other placeholders or elements than the text"


@pytest.mark.parametrize(
    ("translation", "expected"),
    [
        (polib.POEntry(msgid=TEXT, msgstr=TOLD), []),
        (polib.POEntry(msgid=TEXT, msgstr=""), ["not translated"]),
        (polib.POEntry(msgid=TEXT, msgstr=TOLD, flags=["fuzzy"]), ["fuzzy"]),
        (polib.POEntry(msgid=TEXT, msgstr="%(m)s <b>sur</b> 4"), [OTHER]),
    ],
)
def test_a_catalogue_is_whole_or_says_what_is_wrong(
    tmp_path: Path, translation: polib.POEntry, expected: list[str]
) -> None:
    assert (
        complaints(tmp_path, catalogue_of(polib.POEntry(msgid=TEXT)), catalogue_of(translation)) == expected
    )


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('raise Refused("This game is over.")', ["This game is over."]),
        ('raise Refused(gettext("This game is over."))', []),
        ('raise ValueError("This game is over.")', []),
        ('words = f"It crashed in {n} games."', [f"It crashed in {HOLE} games."]),
    ],
)
def test_a_sentence_in_python_is_found_unless_it_is_marked(code: str, found: list[str]) -> None:
    assert [text for _, text in in_python(code)] == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ('status.textContent = "The game is over";', ["The game is over"]),
        ('status.textContent = gettext("The game is over");', []),
        ("say(`${name} wins the game`);", [f"{HOLE} wins the game"]),
    ],
)
def test_a_sentence_in_a_script_is_found_unless_it_is_marked(code: str, found: list[str]) -> None:
    assert [text for _, text in in_script(code)] == found
