"""Small pieces of every page: ``{% load site %}``."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext_lazy

from arena.web import names
from arena.web.http.security_headers import import_map as map_of_modules
from arena.web.i18n import glossary, readers, reasons, scripts
from arena.web.i18n.messages import HIDDEN_TEXT, STORED, reword
from arena.web.i18n.phrases import person_link
from arena.web.i18n.readers import moment_words, zone_name_now, zone_names
from arena.web.paths import path
from arena.web.variants import event_title

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.contrib.auth.base_user import AbstractBaseUser


ERROR: Final = re.compile(
    r"(Uncaught )?([\w.]+\.)?\w*(Error|Exception|Interrupt|Exit)\b(:|$)"  # Python and JavaScript
    r"|thread '.*' panicked|fatal error|panic: |error(\[\w+\])?: |Segmentation fault|Assertion .* failed"
)
"""How languages begin the line that names an error."""
PLACE: Final = re.compile(r'\s*File ".*", line \d+|\s+at .*:\d+(:\d+)?\)?$|\s*[\w./-]+:\d+:\d+')
"""How they say where."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line, and what it is: an error, a place in a program, or nothing special."""

    text: str
    kind: str = ""


def log_lines(text: str) -> Iterator[LogLine]:
    """The lines of a text; the last one needs no line end."""
    for line in text.rstrip("\n").split("\n"):
        yield LogLine(line, "error" if ERROR.match(line) else "place" if PLACE.match(line) else "")


register = template.Library()

SPANS: Final = (
    (86_400, ngettext_lazy("%(number)s day", "%(number)s days", "number")),
    (3_600, ngettext_lazy("%(number)s hour", "%(number)s hours", "number")),
    (60, ngettext_lazy("%(number)s minute", "%(number)s minutes", "number")),
)
CELLS: Final = 5
"""Cells in each direction; the left half is mirrored, as on a playing card's back."""
SHAPES: Final = (
    "M0-3.4 3.4 0 0 3.4-3.4 0Z",
    "M-2.8-2.8H2.8V2.8H-2.8Z",
    "M0-3.2 3.2 2.6H-3.2Z",
    "M-3.2 0A3.2 3.2 0 1 1 3.2 0 3.2 3.2 0 1 1-3.2 0Z",
)
SECONDS: Final = ngettext_lazy("%(number)s second", "%(number)s seconds", "number")


@register.simple_tag
@cache
def icon(name: str) -> SafeString:
    """An icon of ``img/icons.svg``; decoration only, so put words or an aria-label beside it."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>', static("img/icons.svg"), name
    )


@register.simple_tag
@cache
def playing_card(text: str) -> SafeString:
    """A card of the deck (``AS``, ``TH``) or a back (``back0`` …), as decoration."""
    return format_html(
        '<svg class="playingcard" viewBox="0 0 250 350" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("cards/deck.svg"),
        text,
    )


@register.simple_tag
def cached_part(name: str, **values: object) -> SafeString:
    """A part that depends on these (hashable) values alone, such as a row of a list that many pages show.

    It is rendered once and kept while it is among those asked for lately: lists of games take 60 % more
    processor time without, other pages about 10 %. Give what only matters as there or not as
    ``name=name|yesno:"1,"``.
    """
    render = _kept.__wrapped__ if settings.DEBUG else _kept
    page = (readers.current(), get_script_prefix(), get_urlconf())
    return render(name, page, tuple(sorted(values.items())))


@lru_cache(maxsize=2_048)
def _kept(name: str, page: tuple[str | None, ...], values: tuple[tuple[str, object], ...]) -> SafeString:
    return SafeString(render_to_string(name, dict(values)))


@register.simple_tag
def language_tag() -> str:
    """The language of this page, as ``<html lang>`` names it."""
    return readers.tag(readers.current())


@register.simple_tag
def import_map() -> SafeString:
    """The page's import map; its hash is in the page's Content-Security-Policy."""
    # Our own file names as JSON, with "<" escaped: nothing in it can close the element.
    return mark_safe(f'<script type="importmap">{map_of_modules()[0]}</script>')  # noqa: S308


@register.simple_tag
def words_script() -> SafeString:
    """The script that brings what other scripts say in the language of this page; nothing in English."""
    code = readers.current()
    source = "" if code == settings.LANGUAGE_CODE else scripts.address(code)
    return format_html('<script src="{}" defer></script>', source) if source else SafeString("")


@register.simple_tag
def languages_offered() -> list[tuple[str, str, str, bool]]:
    """Each language with its code, how pages name it, its own name, and whether it is this page's."""
    now = readers.current()
    return [(code, readers.tag(code), str(name), code == now) for code, name in settings.LANGUAGES]


@register.simple_tag
@lru_cache(maxsize=2048)
def avatar(seed: str) -> SafeString:
    """A bot's picture by its slug, as decoration: put its name beside it. It never changes, as it is drawn
    from the SHA-256 of the slug."""
    digest = hashlib.sha256(seed.encode()).digest()
    hue = int.from_bytes(digest[:2], "big") * 360 >> 16
    ground, ink = f"hsl({hue} 50% 30%)", f"hsl({hue} 60% 92%)"
    shapes = (SHAPES[digest[1] % len(SHAPES)], SHAPES[digest[2] % len(SHAPES)])
    bits = int.from_bytes(digest[3:7], "big")
    half = -(-CELLS // 2)
    cells = []
    for cell in range(CELLS * half):
        row, column = divmod(cell, half)
        if bits >> cell & 1 or cell == CELLS * half // 2:
            shape = shapes[bits >> (cell + CELLS * half) & 1]
            cells += [
                f'<path transform="translate({8 + 8 * across} {8 + 8 * row})" d="{shape}"/>'
                for across in sorted({column, CELLS - 1 - column})
            ]
    return format_html(
        '<svg class="avatar" viewBox="0 0 48 48" aria-hidden="true" focusable="false">'
        '<rect width="48" height="48" rx="9" fill="{}"/><g fill="{}">{}</g></svg>',
        ground,
        ink,
        # Made of numbers and the constants above alone.
        mark_safe("".join(cells)),  # noqa: S308
    )


@register.filter
def person(user: AbstractBaseUser) -> SafeString:
    """A person's name, linked to their page."""
    return person_link(user)


@register.simple_tag
def term(key: str, label: str = "") -> SafeString:
    """A word of the field, linked to its entry in the glossary; says what it means when pointed at."""
    return _term(key, label, readers.current())


@cache
def _term(key: str, label: str, language: str) -> SafeString:
    found = glossary.BY_KEY[key]
    address = f"{reverse('glossary')}#{key}"
    return format_html(
        '<a class="term" href="{}" title="{}">{}</a>', address, found.short, label or found.word
    )


@register.filter
def visible(text: object) -> str:
    """What a stranger wrote, with controls that reorder text spelt out: ``⟨U+202E⟩``.

    What stands in place of a text that moderators hid is in the language of the page.
    """
    return gettext(HIDDEN_TEXT) if text == HIDDEN_TEXT else names.visible(str(text))


@register.filter
def in_language(text: str) -> str:
    """What the arena stored, or code without a framework says, in the language of the page."""
    found = reword(text, STORED)
    return gettext(text) if text and found == text else found


@register.filter
def reason(text: str) -> str:
    """Why a game or a check ended, line by line, in the language of the page (`arena.web.i18n.reasons`)."""
    return reasons.told_lines(text)


@register.filter
def lines_of_log(text: str) -> list[LogLine]:
    """The lines of what a program wrote, with what matters in them (`arena.web.templatetags.site`)."""
    return list(log_lines(text))


@register.filter
def event(name: str) -> str:
    """The name of a tournament in the language of the page, where the site itself gave it."""
    return event_title(name)


@register.filter
def moment(at: datetime) -> str:
    """A moment in the reader's time zone, with its name: ``3 Nov, 14:05 CET``."""
    return moment_words(at)


@register.simple_tag
def time_zones() -> tuple[tuple[str, ...], str]:
    """The time zones there are, and the reader's."""
    return zone_names(), zone_name_now()


@register.filter
def lasting(seconds: float | None) -> str:
    """About how long, for people: ``8 seconds``, ``12 minutes``, ``3 hours``; empty if unknown."""
    if seconds is None:
        return ""
    for size, words in SPANS:
        if seconds >= 0.9 * size:
            number = round(seconds / size) if seconds >= 1.5 * size else 1
            return words % {"number": number}
    return SECONDS % {"number": max(1, round(seconds))}


def _known_path(name: str) -> str:
    """The address of a page; "" if its app is left out of the addresses (a part of the site run alone)."""
    try:
        return path(name)
    except NoReverseMatch:
        return ""


@register.simple_tag(takes_context=True)
def nav_link(context: template.Context, name: str, label: str, *also: str) -> SafeString:
    """A link of the main navigation, marked as current on the pages below it and below those of `also`."""
    address = _known_path(name)
    if not address:
        return SafeString("")
    request = context.get("request")
    below = tuple(filter(None, (address, *map(_known_path, also))))
    current = request is not None and request.path.startswith(below)
    mark = SafeString(' aria-current="page"') if current else SafeString("")
    return format_html('<a href="{}"{}>{}</a>', address, mark, label)
