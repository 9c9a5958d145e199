"""The language of an answer: the account's own, else the cookie's, else the browser's, else English.

The first two are set by the switch at the foot of every page (`arena.accounts.language`). What programs read
stays English: the API, downloads, and whatever else has the address of a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils import translation
from django.utils.cache import patch_vary_headers

if TYPE_CHECKING:
    from collections.abc import Callable

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
