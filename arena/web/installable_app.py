"""The site as an app to install (Web Application Manifest, W3C), and what it shows without a connection."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from arena.web.cache.pages import everybody, shared_page
from arena.web.http.security_headers import render_import_map

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


BAR: Final = "#143c2e"
PAPER: Final = "#f4efe3"
SIZES: Final = (192, 512)


@require_safe
@cache_control(max_age=3600, public=True)
def manifest(request: HttpRequest) -> JsonResponse:
    """What a browser needs to know to install the site."""
    icons = [
        {
            "src": static(f"img/icon-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for size in SIZES
        for purpose in ("any", "maskable")
    ]
    places = (("Play", "play:new"), ("Puzzles", "puzzles:overview"), ("Live", "games:tv"))
    return JsonResponse(
        {
            "id": "/",
            "name": "Crapette Arena",
            "short_name": "Crapette",
            "description": "Bots play Crapette, competitive solitaire. Watch them, and play against them.",
            "lang": "en",
            "start_url": reverse("home"),
            "scope": "/",
            "display": "standalone",
            "background_color": PAPER,
            "theme_color": BAR,
            "categories": ["games", "cards"],
            "icons": icons,
            "shortcuts": [{"name": name, "url": reverse(address)} for name, address in places],
        },
        content_type="application/manifest+json",
    )


SHELL: Final = (
    *("css/base.css", "js/theme.js", "js/site.js", "img/mark.svg", "img/icons.svg"),
    *("fonts/figtree.woff2", "fonts/fraunces.woff2"),
)
"""What the page without a connection needs."""


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of this version of the static files."""
    shell = [static(path) for path in SHELL]
    return render(
        request,
        "offline/worker.js",
        {
            "version": _version(),
            "offline": reverse("offline"),
            "shell": json.dumps(shell),
        },
        content_type="text/javascript",
    )


@shared_page(among=everybody)
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What is shown in place of a page that cannot be reached."""
    return render(request, "offline/page.html")


def _version() -> str:
    """Another one whenever a static file has changed."""
    manifest = getattr(staticfiles_storage, "manifest_hash", "") or render_import_map()
    return hashlib.sha256(manifest.encode()).hexdigest()[:12]
