"""The rules of each variant, with tables to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

WITHOUT_TURNS = ("vitesse",)
"""Games that have no position of houses and turns to draw (RULES 7)."""
EXAMPLE_SEED = "c0ffee" + "0" * 58


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What all the games share, and a list of them."""
    return render(request, "rules/index.html", {"variants": engine.VARIANTS.values()})


@require_safe
def rules_variant(request: HttpRequest, variant: str) -> HttpResponse:
    """One variant: its rules in words, and a deal of it."""
    known = engine.VARIANTS.get(variant)
    if known is None:
        raise Http404(f"expected a variant, got {variant!r}")
    position = "" if variant in WITHOUT_TURNS else str(engine.deal(variant, EXAMPLE_SEED).public())
    context = {"variant": known, "variants": engine.VARIANTS.values(), "position": position}
    return render(request, "rules/variant.html", context)
