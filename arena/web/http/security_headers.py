"""The headers on every answer: what its page may load, and who may keep it.

The one inline script that pages may have is the import map of our own ES modules: a module
``arena/static/js/viewer/state.js`` is imported everywhere as ``"arena/viewer/state"``. Bare names and one map
instead of relative paths: a hashed file name then stands in one place only, and no module can be loaded twice
under two addresses (rewriting the imports inside modules misses some of them without a word).
"""

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponseBase
from django.templatetags.static import static

from arena.web.storage.static_files import Collected

STATIC = Path(__file__).resolve().parents[2] / "static"
SCRIPTS = "js/"
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"


def render_import_map() -> str:
    """The import map as JSON text, with the addresses the static files are served under now."""
    imports = {
        f"arena/{name.removeprefix(SCRIPTS).removesuffix('.js')}": static(name)
        for name in _imported_scripts()
    }
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")


def _imported_scripts() -> list[str]:
    """The scripts by path: every module of ours, or of collected files those that bundles import."""
    if isinstance(staticfiles_storage, Collected):
        return staticfiles_storage.imported_scripts()
    return [path.relative_to(STATIC).as_posix() for path in sorted((STATIC / SCRIPTS).rglob("*.js"))]


def import_map() -> tuple[str, str]:
    """The import map, and the source of a policy that allows just it; made once, except when developing."""
    return _import_map.__wrapped__() if settings.DEBUG else _import_map()


@cache
def _import_map() -> tuple[str, str]:
    text = render_import_map()
    digest = hashlib.sha256(text.encode()).digest()
    return text, f"'sha256-{base64.b64encode(digest).decode()}'"


def content_policy(*, frame_ancestors: str = "'none'", sources: Sequence[str] = ()) -> str:
    """Return what a page may load: only our own files, and no inline script except the import map.

    `frame_ancestors` says which sites may show the page within theirs. Scripts, styles, frames and requests
    may also go to `sources`.
    """
    also = "".join(f" {source}" for source in sources)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {import_map()[1]}{also}",
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
