"""Pages of the tutorials: all of them, the steps of one, and a step at the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

import engine
from analysis import game_record
from arena.web.cache.pages import everybody, shared_page
from arena.web.http.refusals import refusal
from arena.web.http.requests import json_object
from arena.web.variants import in_words
from friendlies.tutorials.steps import steps_of
from friendlies.tutorials.tables import NotThisStep, lesson

if TYPE_CHECKING:
    from django.http import HttpRequest

    from engine import Variant
    from friendlies.tutorials.steps.step import TutorialStep
    from friendlies.tutorials.tables import Lesson


@dataclass(frozen=True, slots=True)
class TutorialRow:
    """A variant's tutorial in a list."""

    variant: Variant
    steps: tuple[TutorialStep, ...]

    @property
    def keys(self) -> str:
        """The steps by what a browser remembers them by."""
        return " ".join(step.key for step in self.steps)


def row(variant: str, steps: tuple[TutorialStep, ...]) -> TutorialRow:
    """A variant's tutorial in the reader's language."""
    return TutorialRow(in_words(engine.VARIANTS[variant]), steps)


def names() -> list[str]:
    """What the seats are called."""
    return [gettext("You"), gettext("Opponent")]


def page_state(lesson: Lesson, known: int = 0, refused: str = "") -> dict[str, Any]:
    """What the page of a step lacks that has `known` events."""
    return {
        **lesson.state(known, refused),
        "moves": lesson.moves,
        "done": lesson.is_done,
        "hint": lesson.hint(),
    }


def first_state(lesson: Lesson) -> dict[str, Any]:
    """What the page of a step begins with: a record's head as well."""
    head = game_record.head(
        game=f"{lesson.variant}-{lesson.step.key}",
        variant=lesson.variant,
        seats=[game_record.seat_head(name) for name in names()],
        start=lesson.start,
        clock=None,
        result=None,
        status="running",
        rules=engine.RULES_VERSION,
    )
    return {**page_state(lesson), "record": head}


@shared_page(among=everybody)
@gzip_page
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Every tutorial."""
    rows = [row(name, steps_of(name)) for name in engine.VARIANTS]
    return render(request, "tutorials/overview.html", {"tutorials": rows})


@shared_page(among=everybody)
@gzip_page
@require_safe
def tutorial(request: HttpRequest, variant: str) -> HttpResponse:
    """The steps of a variant's tutorial."""
    steps = _steps(variant)
    return render(request, "tutorials/tutorial.html", {"row": row(variant, steps)})


@never_cache
@require_safe
def step(request: HttpRequest, variant: str, number: int) -> HttpResponse:
    """A step at the table."""
    steps, found = _steps(variant), _step(variant, number)
    context = {
        "row": row(variant, steps),
        "step": found,
        "number": number,
        "last": number == len(steps),
        "seats": [{"bot": name} for name in names()],
        "stops": any("stop" in ply for ply in found.plies),
        "passes": "pass" in found.plies,
    }
    return render(request, "tutorials/step.html", context)


@never_cache
@require_safe
def state(request: HttpRequest, variant: str, number: int) -> JsonResponse:
    """What the page of a step begins with."""
    return JsonResponse(first_state(lesson(variant, _step(variant, number))))


@never_cache
@require_POST
def move(request: HttpRequest, variant: str, number: int) -> HttpResponse:
    """The table after `moves` and one action more, or with a reason why that was not what is asked for.

    Nothing is kept: a page says each time what it has done so far.
    """
    said = json_object(request)
    table = lesson(variant, _step(variant, number))
    try:
        table.replay(said.get("moves"))
    except NotThisStep as error:
        return refusal("moves", str(error), 400)
    known = len(table.events)
    refused = "" if table.is_done else table.why_not(said)
    return JsonResponse(page_state(table, known, refused))


def _steps(variant: str) -> tuple[TutorialStep, ...]:
    if variant not in engine.VARIANTS:
        raise Http404("expected a variant")
    return steps_of(variant)


def _step(variant: str, number: int) -> TutorialStep:
    steps = _steps(variant)
    if not 1 <= number <= len(steps):
        raise Http404(f"expected a step from 1 to {len(steps)}")
    return steps[number - 1]
