"""The page in place of one that cannot be reached, and the service worker that shows it."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

from django.contrib.staticfiles.storage import staticfiles_storage
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from arena.web.cache.pages import everybody, shared_page
from arena.web.http.security_headers import render_import_map

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

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
