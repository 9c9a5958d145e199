"""What the site answers to somebody in particular is kept by no browser and no proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase

ACCOUNTS: Final = "/accounts/"
IMMUTABLE: Final = "immutable"
"""A file that is named by what is in it, and the same for everybody, says so."""


class PersonalAnswersMiddleware:
    """Forbids keeping what whoever has a session or a token gets: pages, refusals, downloads, everything.

    Whoever sits at the computer next must not find it by the browser's back button: a join key, a bot's log,
    recovery codes. So no view has to think of it. It also holds for all below ``/accounts/``, and for an
    answer that sets a cookie.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, with the header."""
        response = self._get_response(request)
        personal = (
            settings.SESSION_COOKIE_NAME in request.COOKIES
            or "Authorization" in request.headers
            or request.path_info.startswith(ACCOUNTS)
            or bool(response.cookies)
        )
        if personal and IMMUTABLE not in response.get("Cache-Control", ""):
            response["Cache-Control"] = "private, no-store"
        return response
