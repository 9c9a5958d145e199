"""Pages of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.manual.pages import BY_NAME, PAGES, rendered
from arena.manual.search import search
from arena.web.cache.pages import everybody, shared_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LONGEST_QUERY = 100


@shared_page(among=everybody)
@gzip_page
@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    """All pages, and the sections that have the words of ``?q=``."""
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    context = {"pages": PAGES, "query": query, "found": search(query) if query else []}
    return render(request, "docs/search.html", context)


@shared_page(among=everybody)
@gzip_page
@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """One page of the documentation."""
    found = BY_NAME.get(name)
    if found is None:
        raise Http404(f"expected a page of the documentation, got {name!r}")
    if found.view:
        return redirect(found.url)
    return render(request, "docs/page.html", {"page": found, "rendered": rendered(name), "pages": PAGES})
