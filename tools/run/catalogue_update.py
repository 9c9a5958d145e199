"""``./crapette messages``: brings the catalogues of translations up to date with the code, and compiles them.

Django's ``makemessages`` reads the templates, Python files and scripts with Debian's gettext. What it finds
is merged into ``locale/*/LC_MESSAGES/*.po``, sorted by text and without places, so that two branches that
change different texts rarely touch the same lines. A text that is gone leaves its catalogue.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import polib

from arena.web.i18n.catalogues import compile_catalogues
from tools.run.steps import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FOLDER: Final = ROOT / "locale"
LANGUAGES: Final = {"fr": "fr", "it": "it", "pt": "pt_BR"}
DOMAINS: Final = ("django", "djangojs")
READ: Final = (
    *(
        "arena",
        "bots",
        "friendlies",
        "people",
        "tournaments",
        "templates",
    ),
)
"""The folders that texts are taken from. What programs print is English."""
PLURALS: Final = {
    "fr": "nplurals=2; plural=(n > 1);",
    "it": "nplurals=2; plural=(n != 1);",
    "pt_BR": "nplurals=2; plural=(n > 1);",
}
WIDTH: Final = 110

Key = tuple[str | None, str, str]


def key_of(entry: polib.POEntry) -> Key:
    """What tells texts apart: context, text and its plural."""
    return entry.msgctxt, entry.msgid, entry.msgid_plural


@cache
def extracted() -> dict[str, polib.POFile]:
    """The texts of the code, by domain; looked for once in a process, and only read by all who ask."""
    import django
    from django.core.management import call_command

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    found = {}
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        # A copy of what is read: makemessages writes beside the files it reads, and looks into all there are.
        for name in READ:
            skipped = shutil.ignore_patterns(
                "migrations", "__pycache__", "fonts", "cards", "img", "css", "*.pyc"
            )
            shutil.copytree(ROOT / name, place / name, ignore=skipped)
        (place / "locale").mkdir()
        os.chdir(place)
        try:
            for domain in DOMAINS:
                options = (
                    {"extensions": ["js"]} if domain == "djangojs" else {"extensions": ["html", "txt", "py"]}
                )
                call_command(
                    "makemessages",
                    locale=["fr"],
                    domain=domain,
                    no_location=True,
                    no_obsolete=True,
                    verbosity=0,
                    **options,
                )
                file = place / "locale" / "fr" / "LC_MESSAGES" / f"{domain}.po"
                found[domain] = polib.pofile(str(file)) if file.exists() else polib.POFile()
        finally:
            os.chdir(here)
    return found


def merged(texts: polib.POFile, old: polib.POFile, language: str) -> polib.POFile:
    """The catalogue of a language with exactly these texts, and the translations that it had."""
    known: Mapping[Key, polib.POEntry] = {key_of(entry): entry for entry in old if not entry.obsolete}
    new = polib.POFile(wrapwidth=WIDTH)
    new.metadata = {
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Language": language,
        "MIME-Version": "1.0",
        "Plural-Forms": PLURALS[language],
    }
    for text in texts:
        had = known.get(key_of(text))
        entry = polib.POEntry(
            msgctxt=text.msgctxt,
            msgid=text.msgid,
            msgid_plural=text.msgid_plural,
            comment=text.comment,
            flags=[flag for flag in text.flags if flag.endswith("-format")],
        )
        if text.msgid_plural:
            empty = {0: "", 1: ""}
            entry.msgstr_plural = had.msgstr_plural if had else empty
        else:
            entry.msgstr = had.msgstr if had else ""
        if had and had.fuzzy:
            entry.flags.append("fuzzy")
        new.append(entry)
    new.sort(key=lambda entry: (entry.msgid, entry.msgctxt or ""))
    return new


def catalogue(language: str, domain: str) -> Path:
    """Where the catalogue of a language and a domain is."""
    return FOLDER / language / "LC_MESSAGES" / f"{domain}.po"


def read(file: Path) -> polib.POFile:
    """A catalogue; an empty one if there is none yet."""
    return polib.pofile(str(file)) if file.exists() else polib.POFile()


def main(arguments: Sequence[str] | None = None) -> int:
    """Update the catalogues of all languages, or of those named; say what is still to translate."""
    parser = argparse.ArgumentParser(
        prog="crapette messages", description=(__doc__ or "").partition("\n\n")[2]
    )
    parser.add_argument("language", nargs="*", choices=[*LANGUAGES, []], help="only these: fr, it, pt")
    named = parser.parse_args(arguments).language or list(LANGUAGES)
    texts = extracted()
    for short in named:
        language = LANGUAGES[short]
        for domain in DOMAINS:
            file = catalogue(language, domain)
            new = merged(texts[domain], read(file), language)
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.exists() or file.read_text(encoding="utf-8") != str(new) + "\n":
                file.write_text(str(new) + "\n", encoding="utf-8")
            print(
                f"{short} {domain}: {len(new)} texts, {len(new) - len(new.translated_entries())} to translate"
            )
    compile_catalogues()
    return 0


if __name__ == "__main__":
    sys.exit(main())
