"""Pages of signing in and of the second factor are kept by no browser and no proxy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.cache import add_never_cache_headers

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase

PREFIX: Final = "/accounts/"


class UncachedAccountsMiddleware:
    """Forbids keeping any page below ``/accounts/``.

    Some of them show an app's secret or recovery codes: whoever sits at the computer next must not find them
    by the browser's back button. allauth says so for a few of its pages only.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, with the header."""
        response = self.get_response(request)
        if request.path_info.startswith(PREFIX):
            add_never_cache_headers(response)
        return response
