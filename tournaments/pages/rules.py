"""The rules of each variant, with tables to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

import engine
from arena.web.cache.pages import everybody, shared_page
from arena.web.deck.miniature import miniature
from arena.web.deck.piles import piles_of
from arena.web.i18n import glossary
from arena.web.variants import FRONT_BOARDS, in_words
from tournaments.pages import examples

if TYPE_CHECKING:
    from django.http import HttpRequest

LAYOUT_SEED: Final = "0" * 64
"""The deal that the pictures of the rules show."""


@shared_page(among=everybody)
@gzip_page
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What all the games share, and a list of them."""
    worded = _worded()
    context = {
        "front": [one for one in worded if one.name in FRONT_BOARDS],
        "more": [one for one in worded if one.name not in FRONT_BOARDS],
        "start": FRONT_BOARDS[0],
    }
    return render(request, "rules/index.html", context)


@shared_page(among=everybody)
@gzip_page
@require_safe
def rules_variant(request: HttpRequest, variant: str) -> HttpResponse:
    """One variant: its rules in words, and an example to step through."""
    known = _variant(variant)
    context = {
        "variant": in_words(known),
        "variants": _worded(),
        "seats": [{"bot": gettext("Player %(number)s") % {"number": number}} for number in (1, 2)],
        "worked": variant in examples.WORKED,
    }
    return render(request, "rules/variant.html", context)


@gzip_page
@require_safe
def rules_example(request: HttpRequest, variant: str) -> JsonResponse:
    """The variant's example as a record for the viewer."""
    known = _variant(variant)
    response = JsonResponse(examples.record(known.name), json_dumps_params={"separators": (",", ":")})
    response["Cache-Control"] = "public, max-age=3600"
    return response


@gzip_page
@cache_control(public=True, max_age=3600)
@require_safe
def rules_layout(request: HttpRequest, variant: str) -> HttpResponse:
    """The table of a variant after the deal, as a small picture."""
    start = _variant(variant)
    dealt = piles_of(str(engine.deal(start.name, LAYOUT_SEED)))
    return HttpResponse(miniature(dealt, 2), content_type="image/svg+xml")


@shared_page(among=everybody)
@gzip_page
@require_safe
def glossary_page(request: HttpRequest) -> HttpResponse:
    """The words of the field, by heading."""
    return render(request, "glossary.html", {"groups": list(glossary.groups())})


def _worded() -> list[engine.Variant]:
    return [in_words(variant) for variant in engine.VARIANTS.values()]


def _variant(name: str) -> engine.Variant:
    known = engine.VARIANTS.get(name)
    if known is None:
        raise Http404(f"expected a variant, got {name!r}")
    return known
