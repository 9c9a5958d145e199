"""Checks names of accounts and bots, so that none imitates another.

The look of a name is its skeleton after Unicode Technical Standard 39 (Unicode Security Mechanisms, section
4), computed by the library ``disarm``: names of one look cannot be told apart by eye.
"""

from __future__ import annotations

import re
import unicodedata
from importlib import import_module
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from arena.web.i18n.phrases import list_names

if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

    from django.db.models import QuerySet

LOOK_LENGTH: Final = 800
"""Characters: a ligature may stand for eighteen."""
# UTS 39, section 5.2, "highly restrictive": scripts that are written together.
TOGETHER: Final = (
    frozenset({"Latin", "Han", "Hiragana", "Katakana"}),
    frozenset({"Latin", "Han", "Bopomofo"}),
    frozenset({"Latin", "Han", "Hangul"}),
)
WORD: Final = re.compile(r"[^\W_]+")
# "Default ignorable" in Unicode, visible to the library: two Khmer vowels and Mongolian variants.
IGNORED: Final = "\u17b4\u17b5\u180b\u180c\u180d\u180f"
# A dot above a letter that has one takes its place: "i" and U+0307 look like "i" (UAX 44, Soft_Dotted).
SECOND_DOT: Final = re.compile("(?<=[ij])([\u0300-\u036f]*?)\u0307")
OVERLAY: Final = 1
"""The combining class of marks across a letter."""
# Lines that reach from letter to letter, as underlining does: a link is underlined too.
LINES: Final = "\u0305\u0332\u0333\u033f\u0347\u035e\u035f"
BIDI_CONTROLS: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# Feeds are XML, which has none of these but tabs and the ends of lines.
OTHER_CONTROLS: Final = {*range(0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF} - {*map(ord, "\t\n\r")}
SHOWN: Final = {code: f"⟨U+{code:04X}⟩" for code in (*map(ord, BIDI_CONTROLS), *sorted(OTHER_CONTROLS))}


def _disarm() -> ModuleType:
    """The library. It takes 5 MB, and most processes never check a name."""
    return import_module("disarm")


def look(name: str) -> str:
    """Return what ``name`` looks like: the same for ``chief``, ``chıef`` and ``сhief`` with a Cyrillic
    letter."""
    skeleton = SECOND_DOT.sub(r"\1", _disarm().skeleton_key(name, digit_policy="tr39"))
    # UTS 39 has "rn" for "m", which the library leaves alone; "vv" is as close to "w".
    return skeleton.replace("rn", "m").replace("vv", "w")[:LOOK_LENGTH]


def free_look(others: QuerySet[Any], name: str) -> str | None:
    """Return the look of ``name`` to store, or None if one of ``others`` has it.

    Only names from before looks were compared, and those an operator gives, are stored without one.
    """
    seen = look(name)
    return None if others.filter(look=seen).exists() else seen


def hidden_flaw(text: str) -> str:
    """Return what a reader of ``text`` would not see, as a sentence; empty if there is nothing."""
    for letter in text:
        if (
            not letter.isprintable()
            or letter in IGNORED
            or (letter != " " and look(f"a{letter}b") in ("ab", "a b"))
        ):
            return gettext("A name must not contain invisible characters, such as U+%(character)s here.") % {
                "character": f"{ord(letter):04X}"
            }
        if (
            letter in LINES
            or unicodedata.combining(letter) == OVERLAY
            or unicodedata.category(letter) == "Me"
        ):
            return gettext("A name must not have letters that are underlined, struck through or encircled.")
    if _disarm().is_zalgo(text):
        return gettext("A name must not pile accents on one letter.")
    return ""


def flaw(name: str) -> str:
    """Return why nobody may use ``name``, as a sentence; empty if it is fine."""
    hidden = hidden_flaw(name)
    if hidden:
        return hidden
    words = WORD.findall(name)
    if not words:
        return gettext("A name needs at least one letter or digit.")
    for word in words:
        scripts = frozenset(script.value for script in _disarm().detect_scripts(word))
        if len(scripts) > 1 and not any(scripts <= allowed for allowed in TOGETHER):
            return gettext("A name must not mix alphabets within a word: %(word)s mixes %(scripts)s.") % {
                "word": word,
                "scripts": list_names(sorted(scripts)),
            }
    return ""


def visible(text: str) -> str:
    """``text`` with controls that reorder what is shown or that no feed may have spelt out: ``⟨U+202E⟩``."""
    return text.translate(SHOWN)
