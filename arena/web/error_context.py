"""Lets an error remember which request it spoiled, for whoever hears of it later."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from arena.logs import note

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase


class AboutMiddleware:
    """Notes method, route and ids. An address itself may be a secret, such as a link to confirm something."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on."""
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> None:
        """Note it, and leave the error to others."""
        found = request.resolver_match
        if found is not None:
            ids = {name: str(one) for name, one in found.kwargs.items() if isinstance(one, int | UUID)}
            note(error, method=request.method or "", route=f"/{found.route}", **ids)
