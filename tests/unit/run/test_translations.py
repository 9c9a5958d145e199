"""The check that everything people read is in the catalogues."""

from pathlib import Path

import polib
import pytest

from tools.run.messages import merged
from tools.run.translations import outside, wrong_in


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<h1>Sign up</h1>", ["Sign up"]),
        ('<h1>{% translate "Sign up" %}</h1>', []),
        ("<p>{% blocktranslate trimmed with a=b %}Hello {{ a }}{% endblocktranslate %} there</p>", ["there"]),
        ("{% comment %}Not shown{% endcomment %}{# nor this #}", []),
        ("{% if won %}You win{% else %}{{ words }}{% endif %}", ["You win"]),
        ('<img alt="A card">', ["A card"]),
        ('<button aria-label="{{ words }}: press">', ["…: press"]),
        ('<input placeholder="Your name" name="given name">', ["Your name"]),
        ('<meta name="description" content="Bots play.">', ["Bots play."]),
        ('<p lang="en">In English <b>only</b></p>', []),
        ("<script>const words = 1;</script><code>./crapette</code>", []),
        ("<p>Crapette Arena · Elo · 12 · {{ name }}</p>", []),
        ("{% block main_class %}wide{% endblock %}", []),
        ('{% nav_link "play:new" "Play" %}', ["Play"]),
        ('{% nav_link "play:new" _("Play") %}', []),
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
    """What is said of a catalogue with these translations."""
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
        (polib.POEntry(msgid=TEXT, msgstr="%(n)s sur 4"), [OTHER]),
        (
            polib.POEntry(msgid="another", msgstr="un autre"),
            ["missing, run ./crapette messages", "no longer in the code, run ./crapette messages"],
        ),
    ],
)
def test_a_catalogue_is_whole_or_says_what_is_wrong(
    tmp_path: Path, translation: polib.POEntry, expected: list[str]
) -> None:
    assert (
        complaints(tmp_path, catalogue_of(polib.POEntry(msgid=TEXT)), catalogue_of(translation)) == expected
    )


def test_what_was_translated_stays_when_texts_come_and_go() -> None:
    old = catalogue_of(
        polib.POEntry(msgid="kept", msgstr="gardé"), polib.POEntry(msgid="gone", msgstr="parti")
    )
    texts = catalogue_of(polib.POEntry(msgid="new"), polib.POEntry(msgid="kept"))
    assert [(one.msgid, one.msgstr) for one in merged(texts, old, "fr")] == [("kept", "gardé"), ("new", "")]
