"""The site as an app to install: its name, colours and icons (Web Application Manifest, W3C)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from django.http import HttpRequest

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
