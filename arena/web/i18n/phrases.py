"""Pieces of sentences in the reader's language: counted things, lists of names and people, days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.dateformat import format as date_format
from django.utils.formats import number_format
from django.utils.functional import keep_lazy_text
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy, ngettext_lazy, pgettext

from arena.web.paths import path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

    from django.contrib.auth.base_user import AbstractBaseUser
    from django.utils.functional import _StrPromise
    from django_stubs_ext import StrOrPromise

    from engine.variants import Variant

COUNTED: Final[dict[str, _StrPromise]] = {
    "bot": ngettext_lazy("%(count)s bot", "%(count)s bots", "number"),
    "deal": ngettext_lazy("%(count)s deal", "%(count)s deals", "number"),
    "extra pair": ngettext_lazy("%(count)s extra pair", "%(count)s extra pairs", "number"),
    "game": ngettext_lazy("%(count)s game", "%(count)s games", "number"),
    "group": ngettext_lazy("%(count)s group", "%(count)s groups", "number"),
    "pair": ngettext_lazy("%(count)s pair", "%(count)s pairs", "number"),
    "ply": ngettext_lazy("%(count)s ply", "%(count)s plies", "number"),
    "point": ngettext_lazy("%(count)s point", "%(count)s points", "number"),
    "round": ngettext_lazy("%(count)s round", "%(count)s rounds", "number"),
    "tick": ngettext_lazy("%(count)s tick", "%(count)s ticks", "number"),
}


def decimal(number: float, places: int = 2, *, signed: bool = False) -> str:
    """A number with so many places, as the reader's language writes it: ``-1,83``."""
    return f"{'+' if signed and number > 0 else ''}{number_format(number, places)}"


@keep_lazy_text
def fill(words: StrOrPromise, **values: object) -> str:
    """Words with their values put in; lazy where the words are, for what is made when a module is read."""
    return words % values


def long(plies: int, rules: Variant) -> str:
    """How long a game was: ``214 plies``, or ``97 ticks``."""
    return count_noun(plies, "tick" if rules.in_ticks else "ply")


def count_noun(number: int, noun: str) -> str:
    """``1 pair``, ``2,000 pairs``; the noun is a key of `COUNTED`."""
    return COUNTED[noun] % {"number": number, "count": intcomma(number)}


def list_names(names: Sequence[str]) -> str:
    """Names as a sentence lists them: ``Greedy``, ``Greedy and Planner``, ``Greedy, Planner and Oracle``."""
    if len(names) == 1:
        return names[0]
    return gettext("%(all_but_last)s and %(last)s") % {
        "all_but_last": ", ".join(names[:-1]),
        "last": names[-1],
    }


def either(names: Sequence[str]) -> str:
    """Alternatives as a sentence lists them: ``2``, ``2 or 3``, ``2 or 3 or 4``."""
    found = names[0]
    for name in names[1:]:
        found = gettext("%(one)s or %(other)s") % {"one": found, "other": name}
    return found


def day(moment: datetime) -> str:
    """``3 November``, as the clock of `moment` has it."""
    # Translators: day and month, by Django's date format (j: day, F: month).
    return date_format(moment, pgettext("date format", "j F"))


def short_day(moment: date) -> str:
    """``3 Nov``, as the clock of `moment` has it."""
    # Translators: day and short month, by Django's date format.
    return date_format(moment, pgettext("date format", "j M"))


def day_and_time(moment: datetime) -> str:
    """``3 Nov, 14:05``, as the clock of `moment` has it."""
    # Translators: day, short month and time, by Django's date format.
    return date_format(moment, pgettext("date format", "j M, H:i"))


def day_year_and_time(moment: datetime) -> str:
    """``3 Nov 2026, 14:05``, as the clock of `moment` has it."""
    # Translators: day, short month, year and time, by Django's date format.
    return date_format(moment, pgettext("date format", "j M Y, H:i"))


def whole_day(moment: date) -> str:
    """``03 November 2026``."""
    # Translators: day, month and year, by Django's date format (d: two digits).
    return date_format(moment, pgettext("date format", "d F Y"))


def person_link(user: AbstractBaseUser) -> SafeString:
    """A name that leads to the person's page; the name alone while the account is suspended."""
    name = user.get_username()
    if not user.is_active:
        return format_html("{}", name)
    return format_html('<a class="wrap-anywhere" href="{}">{}</a>', path("people:profile", name), name)


def people_links(users: Iterable[AbstractBaseUser]) -> SafeString:
    """Names as a sentence lists them, each with its link; empty for nobody."""
    links = [person_link(user) for user in users]
    # Only links that are escaped already, and our own words between them.
    return mark_safe(list_names(links)) if links else SafeString("")  # noqa: S308


PLACES = {1: gettext_lazy("1st"), 2: gettext_lazy("2nd"), 3: gettext_lazy("3rd"), 4: gettext_lazy("4th")}


def score(ranking: Sequence[Sequence[int]]) -> str:
    """``1–0`` as in chess for two; with more seats each seat's place, in seat order."""
    places = {seat: place for place, group in enumerate(ranking, start=1) for seat in group}
    if len(places) == 2:
        if places[0] == places[1]:
            return "½–½"
        return "1–0" if places[0] < places[1] else "0–1"
    return ", ".join(str(PLACES[places[seat]]) for seat in sorted(places))
