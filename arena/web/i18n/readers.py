"""The language and the time zone of an answer: what its reader reads in.

The language is the account's own, else the cookie's, else the browser's, else English. The first two are set
by the switch at the foot of every page (`arena.accounts.views`). The time zone is the account's own, else
the browser's, kept by a script in a cookie, else UTC. What programs read stays in English and UTC: the API,
downloads, and whatever else has the address of a file.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import lazy

from arena.web.i18n.phrases import day_and_time, day_year_and_time

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponseBase
    from django.utils.functional import Promise

ENGLISH: Final = ("/api/", "/admin/", "/health", "/ready", "/metrics")
"""Addresses below these are for programs and for the operator."""
SPOKEN: Final = (
    *("/state.json", "/example.json", "/programme.json"),
    *("/deep.json", "/explore.json", "/mistakes.json"),
)
"""Files with words that scripts put into pages, if only those of a refusal."""
TAGS: Final = {"en-gb": "en", "pt-br": "pt-BR"}
"""How pages name a language, where it is not as Django does. Britons and Americans read the same English."""


def is_for_programs(path: str) -> bool:
    """Whether an answer at this address is English whoever asks: programs read it, or operators."""
    return path.startswith(ENGLISH) or ("." in path.rpartition("/")[2] and not path.endswith(SPOKEN))


def offer(code: str) -> str:
    """The language that this site offers for a code, such as ``pt-br`` for ``pt``; English for all others."""
    try:
        return translation.get_supported_language_variant(code)
    except LookupError:
        return settings.LANGUAGE_CODE


def say_in(text: str | Promise, code: str) -> str:
    """A text in a person's language, by its code; English if they have none. For workers, who speak none."""
    with translation.override(offer(code)):
        return str(text)


def current() -> str:
    """The language spoken now: one of those offered, so that caches have one entry for each of them."""
    code = translation.get_language()
    return code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def tag(code: str) -> str:
    """How ``<html lang>`` and ``Content-Language`` name a language: ``en``, ``fr``, ``pt-BR``."""
    return TAGS.get(code, code)


ZONE_COOKIE: Final = "crapette_zone"
"""Set by `site.js`."""


@cache
def zone_names() -> tuple[str, ...]:
    """The zones that an account can choose, by name: places, and UTC."""
    return tuple(sorted(one for one in available_timezones() if "/" in one and not one.startswith("Etc/")))


def find_zone(name: str) -> ZoneInfo | None:
    """The zone of this name; None if there is none."""
    return ZoneInfo(name) if name in available() else None


@cache
def available() -> frozenset[str]:
    """Every zone that a browser may name."""
    return frozenset(available_timezones())


def zone_of(moment: datetime) -> str:
    """How the reader's zone is called at a moment: ``CET``, ``UTC``, ``UTC+03``."""
    name = timezone.localtime(moment).strftime("%Z")
    return f"UTC{name}" if name[:1] in "+-" else name


def moment_words(moment: datetime) -> str:
    """A moment for the reader, in their zone and with its name: ``3 Nov, 14:05 CET``."""
    here = timezone.localtime(moment)
    words = day_and_time if here.year == timezone.localtime().year else day_year_and_time
    return f"{words(here)} {zone_of(here)}"


def zone_name_now() -> str:
    """How the reader's zone is called now, with its place: ``Europe/Rome, CET``."""
    zone, name = timezone.get_current_timezone_name(), zone_of(timezone.now())
    return name if zone == name else f"{zone.replace('_', ' ')}, {name}"


zone_now: Final = lazy(zone_name_now, str)()
"""The same for what is made when a module is read: help of forms."""


def answered_in(
    code: str, request: HttpRequest, get_response: Callable[[HttpRequest], HttpResponseBase]
) -> HttpResponseBase:
    """The response in this language. A page says so, and what caches must tell apart."""
    with translation.override(code):
        request.LANGUAGE_CODE = code
        response = get_response(request)
    shown = request.path_info.endswith(SPOKEN) or response.status_code == 304
    if shown or response.headers.get("Content-Type", "").startswith("text/html"):
        response.headers.setdefault("Content-Language", tag(code))
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


class LanguageMiddleware:
    """Answers in the language of the cookie, or in the best one that the browser asks for.

    It stands before everything that may refuse a request, so that refusals are in that language too.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        if is_for_programs(request.path_info):
            with translation.override(settings.LANGUAGE_CODE):
                return self.get_response(request)
        return answered_in(translation.get_language_from_request(request), request, self.get_response)


class AccountLanguageMiddleware:
    """Answers whoever is signed in in the language of their account, if they chose one."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not is_for_programs(request.path_info):
            # Of nobody's account it has no language.
            kept = getattr(request.user, "language", "")
            if kept and kept != translation.get_language() and kept in dict(settings.LANGUAGES):
                return answered_in(kept, request, self.get_response)
        return self.get_response(request)


class TimeZoneMiddleware:
    """Answers in the reader's time zone. It stands behind sessions."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        if is_for_programs(request.path_info):
            return self.get_response(request)
        name = request.COOKIES.get(ZONE_COOKIE, "")
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            name = getattr(request.user, "time_zone", "") or name
        zone = find_zone(name) if name else None
        if zone is None:  # as it is
            return self.get_response(request)
        with timezone.override(zone):
            return self.get_response(request)
