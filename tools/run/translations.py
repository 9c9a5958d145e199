"""Checks that everything people read is in the catalogues of translations, and that these are complete.

Templates: each text between tags, and each attribute that is read out or shown, stands in a translation tag,
in an element that says ``lang="en"``, or is a name. Python and scripts: see `tools.run.untranslated`.
Catalogues: they are what ``./crapette messages`` makes of the code now, and each translation is there,
decided, and has the placeholders and elements of its text.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final

from django.template.base import Lexer, Token, TokenType

from tools.run.catalogue_update import DOMAINS, LANGUAGES, catalogue, extracted, key_of, merged, read
from tools.run.steps import ROOT
from tools.run.untranslated import unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import polib

TEMPLATES: Final = ROOT / "templates"
ENGLISH: Final = ("admin/", "api/", "docs/", "games/offline.html")
"""For operators and for authors of programs; attributes alone; the viewer without a site."""
READ_OUT: Final = frozenset(("title", "aria-label", "alt", "placeholder", "aria-description", "label"))
UNREAD: Final = frozenset(("script", "style", "code", "kbd", "pre", "use"))
NAMES: Final = re.compile(
    r"\b(Crapette Arena|Crapette|Arena|Elo|UTC|CPU|API|SHA-256|JSON|CSV|MB|GB|kB|KiB|MiB|ms|TOTP|Glicko-2|vs"
    r"|v|Python|JavaScript|PNG|SVG|GIF|MP4|WebM|\./crapette \w+|play--ticks)\b"
)
WORD: Final = re.compile(r"[^\W\d_]{2,}")
HOLE: Final = "\ue000"
"""Where the template puts something in."""
PLACEHOLDERS: Final = re.compile(r"%\(\w+\)s|(?<!%)\{\w+\}|%%|</?[a-z]+|\{\{|&nbsp;")
COVERING: Final = re.compile(r"blocktranslate\b|blocktrans\b|comment\b|verbatim\b|block \w+_class")
QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
MARKED: Final = re.compile(r"\b_\((\"[^\"]*\"|'[^']*')\)")
SENTENCE: Final = re.compile(r"[^\W\d_]{2,} [^\W\d_]{2,}|^[A-Z][a-z]+$")
"""What a quoted text in a tag looks like if people read it."""


def outside(text: str) -> Iterator[str]:
    """Each text of a template that is in no translation tag."""
    reader = _Texts()
    for token in _uncovered(Lexer(text).tokenize()):
        reader.feed(token.contents if token.token_type is TokenType.TEXT else HOLE)
        if token.token_type is TokenType.BLOCK and not token.contents.startswith(("trans", "load", "url")):
            yield from (found for found in _quoted(token.contents) if SENTENCE.search(found))
    reader.close()
    yield from reader.found


def _uncovered(tokens: list[Token]) -> Iterator[Token]:
    """The parts of a template that are neither in a translation tag nor a comment nor a block of classes."""
    end = ""
    for token in tokens:
        if end:
            end = "" if token.token_type is TokenType.BLOCK and token.contents.startswith(end) else end
        elif token.token_type is TokenType.BLOCK and (opening := COVERING.match(token.contents)):
            end = "endblock" if opening[0].endswith("_class") else f"end{opening[0]}"
        elif token.token_type is not TokenType.COMMENT:
            yield token


def _quoted(tag: str) -> list[str]:
    """The quoted texts in a tag that are not marked for translation with ``_("…")``."""
    return [one[1:-1] for one in QUOTED.findall(MARKED.sub("", tag))]


class _Texts(HTMLParser):
    """Finds what is read in HTML with holes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._skipped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at the attributes."""
        values = dict(attrs)
        if tag in UNREAD or values.get("lang") == "en" or "mono" in (values.get("class") or "").split():
            self._skipped.append(tag)
        for name, value in attrs:
            if name in READ_OUT or (
                tag == "meta" and values.get("name") == "description" and name == "content"
            ):
                self._note(value or "")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if self._skipped and self._skipped[-1] == tag:
            self._skipped.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at the attributes of an element without content."""
        depth = len(self._skipped)
        self.handle_starttag(tag, attrs)
        del self._skipped[depth:]

    def handle_data(self, data: str) -> None:
        """Look at a text."""
        if not self._skipped:
            self._note(data)

    def _note(self, text: str) -> None:
        if WORD.search(NAMES.sub("", text.replace(HOLE, " "))):
            self.found.append(" ".join(text.replace(HOLE, "…").split()))


def templates() -> Iterator[str]:
    """What is wrong with the templates."""
    for file in sorted(TEMPLATES.rglob("*")):
        name = file.relative_to(TEMPLATES).as_posix()
        if file.is_file() and file.suffix in (".html", ".txt") and not name.startswith(ENGLISH):
            for text in outside(file.read_text(encoding="utf-8")):
                yield f"templates/{name}: not in a translation tag: {text[:100]!r}"


def catalogues() -> Iterator[str]:
    """What is wrong with the catalogues."""
    texts = extracted()
    for language in LANGUAGES.values():
        for domain in DOMAINS:
            file = catalogue(language, domain)
            yield from (
                f"{file.relative_to(ROOT)}: {wrong}" for wrong in wrong_in(file, texts[domain], language)
            )


def wrong_in(file: Path, texts: polib.POFile, language: str) -> Iterator[str]:
    """What is wrong with one catalogue."""
    found = read(file)
    wanted, there = {key_of(one) for one in texts}, {key_of(one) for one in found if not one.obsolete}
    yield from (
        f"missing, run ./crapette messages: {key[1][:80]!r}" for key in sorted(wanted - there, key=str)
    )
    yield from (
        f"no longer in the code, run ./crapette messages: {key[1][:80]!r}"
        for key in sorted(there - wanted, key=str)
    )
    if wanted == there and str(merged(texts, found, language)) + "\n" != file.read_text(encoding="utf-8"):
        yield "not as ./crapette messages writes it"
    for one in found:
        if one.obsolete or one.fuzzy:
            yield f"{'obsolete' if one.obsolete else 'fuzzy'}: {one.msgid[:80]!r}"
        elif not one.translated():
            yield f"not translated: {one.msgid[:80]!r}"
        elif not _alike(one):
            yield f"other placeholders or elements than the text: {one.msgid[:80]!r}"


def _alike(one: polib.POEntry) -> bool:
    """Whether each translation has the placeholders and elements of its text."""
    if not one.msgid_plural:
        return _holes(one.msgid) == _holes(one.msgstr)
    either = (_holes(one.msgid), _holes(one.msgid_plural))
    return all(_holes(form) in either for form in one.msgstr_plural.values())


def _holes(text: str) -> list[str]:
    return sorted(PLACEHOLDERS.findall(text))


def main() -> int:
    """Print what is wrong; 1 if anything is."""
    wrong = [*templates(), *unmarked(), *catalogues()]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
