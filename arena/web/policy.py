"""The headers on every answer: what its page may load, and who may keep it."""

from collections.abc import Callable, Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from arena.web import importmap

PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"


def content_policy(*, frame_ancestors: str = "'none'", sources: Sequence[str] = ()) -> str:
    """Return what a page may load: only our own files, and no inline script except the import map.

    `frame_ancestors` says which sites may show the page within theirs. Scripts, styles, frames and requests
    may also go to `sources`.
    """
    also = "".join(f" {source}" for source in sources)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {importmap.policy_hash()}{also}",
            f"style-src 'self'{also}",
            *([f"frame-src{also}"] if also else []),
            "img-src 'self' data: blob:",
            "font-src 'self'",
            f"connect-src 'self'{also}",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            f"frame-ancestors {frame_ancestors}",
        )
    )


class PolicyMiddleware:
    """Sets policy headers on every answer that has none of its own, and lets nobody keep what is personal.

    What whoever has a session or a token gets is personal: pages, refusals, downloads, everything. Whoever
    sits at the computer next must not find it by the browser's back button: a join key, a bot's log, recovery
    codes. So is all below ``/accounts/``, and an answer that sets a cookie. No view has to think of it.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, with the headers."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", content_policy())
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        personal = (
            settings.SESSION_COOKIE_NAME in request.COOKIES
            or "Authorization" in request.headers
            or request.path_info.startswith("/accounts/")
            or bool(response.cookies)
        )
        # A file that is named by what is in it, and the same for everybody, says that it is immutable.
        if personal and "immutable" not in response.get("Cache-Control", ""):
            response["Cache-Control"] = "private, no-store"
        return response
