"""Forms on pages that are the same for everybody: they have no token against forged requests."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

if TYPE_CHECKING:
    from django.http import HttpRequest


def comes_from_here(request: HttpRequest) -> bool:
    """Whether the browser says so. All that send forms today name the origin with them."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def page_before(request: HttpRequest) -> str:
    """The path of the page that a visitor came from, if it is one of ours; the home page otherwise."""
    came_from = request.POST.get("next") or request.headers.get("Referer", "")
    hosts = {request.get_host()}
    if not url_has_allowed_host_and_scheme(came_from, hosts, require_https=request.is_secure()):
        return reverse("home")
    parts = urlsplit(came_from)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    own = parts.path == request.path or not url_has_allowed_host_and_scheme(path, hosts)
    return reverse("home") if own else path
