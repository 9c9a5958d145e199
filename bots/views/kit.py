"""The package `crapette` as this site serves it: a page that pip can read as well, and the files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import FileResponse, Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bots import kit_files

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

FOR_EVER = "public, max-age=31536000, immutable"
SOON_AGAIN = "public, max-age=60"


@require_safe
def kit(request: HttpRequest) -> HttpResponse:
    """Show how to install the package. pip finds the files by the links (``--find-links``)."""
    found = kit_files.packages(kit_files.FOLDER)
    site = request.build_absolute_uri("/kit/")
    answer = render(request, "docs/kit.html", {"packages": found, "site": site})
    answer["Cache-Control"] = SOON_AGAIN
    return answer


@require_safe
def kit_file(request: HttpRequest, name: str) -> FileResponse:
    """Download a file of the package. Another build has another name, so it may be kept for ever."""
    if name not in {package.name for package in kit_files.packages(kit_files.FOLDER)}:
        raise Http404(f"expected a file of the package, got {name!r}")
    answer = FileResponse((kit_files.FOLDER / name).open("rb"), content_type="application/octet-stream")
    answer["Cache-Control"] = FOR_EVER
    return answer
