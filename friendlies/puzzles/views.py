"""Pages of puzzles: today's and one's own figures, a puzzle at the table, and what an answer was worth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from arena.web.cache.pages import shared_by_strangers
from arena.web.http.refusals import refusal
from arena.web.http.requests import json_object
from friendlies.games.turns import Awaits
from friendlies.pages.states import unstored_state
from friendlies.puzzles import attempts, days, presenters, questions, selectors
from friendlies.puzzles.models import Puzzle
from friendlies.tables.turn_actions import carry_out
from tournaments.questions.responses import Thought, thoughtful

if TYPE_CHECKING:
    from django.http import HttpRequest

    from friendlies.games.turns import PersonTable

LATEST: Final = 10


def _day(request: HttpRequest) -> str:
    """Whose puzzle is the day's: what the first page depends on besides the puzzles."""
    return days.day_now().isoformat()


@never_cache
@require_safe
@shared_by_strangers(by=_day)
def overview(request: HttpRequest) -> HttpResponse:
    """Today's puzzle, and how one has done so far."""
    attempts.adopt(request.user, request.session)
    today = days.today()
    solver = selectors.solver_of(request.user)
    context = {
        "today": presenters.row(today) if today else None,
        "table": presenters.middle(today) if today else [],
        "today_solved": _solved(request, today) if today else None,
        "solver": solver,
        "latest": selectors.latest(solver, LATEST) if solver else [],
        "count": Puzzle.objects.count(),
    }
    return render(request, "puzzles/overview.html", context)


@never_cache
@require_safe
def next_puzzle(request: HttpRequest) -> HttpResponse:
    """Go to a puzzle for this person; after the one of ``?after=`` for whoever is not signed in."""
    said = request.GET.get("after", "")
    known = said.isascii() and said.isdigit() and len(said) < 10
    after = Puzzle.objects.filter(pk=int(said)).first() if known else None
    found = selectors.next_for(request.user, after)
    return redirect(found) if found else redirect("puzzles:overview")


@never_cache
@require_safe
def puzzle(request: HttpRequest, number: int) -> HttpResponse:
    """A puzzle at the table."""
    attempts.adopt(request.user, request.session)
    row = get_object_or_404(Puzzle, pk=number)
    context = {
        "row": presenters.row(row),
        "puzzle": row,
        "seats": [{"bot": name} for name in presenters.names(row)],
        "face_down": presenters.face_down(row),
        "solved": _solved(request, row),
        "solver": selectors.solver_of(request.user),
    }
    return render(request, "puzzles/puzzle.html", context)


@never_cache
@require_safe
def state(request: HttpRequest, number: int) -> JsonResponse:
    """What the page of a puzzle begins with."""
    row = get_object_or_404(Puzzle, pk=number)
    return JsonResponse({**unstored_state(presenters.table_of(row, [])), "record": presenters.head(row)})


@never_cache
@require_POST
def step(request: HttpRequest, number: int) -> HttpResponse:
    """The table after `moves` and one action more (`do`: move or undo), or with a reason why it is refused.

    Nothing is kept: a page says each time what it has done so far.
    """
    row = get_object_or_404(Puzzle, pk=number)
    said = json_object(request)
    moves = said.get("moves")
    undone = said.get("do") == "undo"
    try:
        table = presenters.table_of(row, moves[:-1] if undone and isinstance(moves, list) else moves)
    except presenters.NotATurn as error:
        return refusal("moves", str(error), 400)
    known, refused = len(table.events), ""
    if said.get("do") == "move":
        refused = carry_out(table, said) if table.awaits is Awaits.PERSON else gettext("The turn is over.")
    return JsonResponse({**unstored_state(table, known, refused), "moves": presenters.words(table)})


@require_POST
@thoughtful
def answer(request: HttpRequest, number: int) -> HttpResponse | Thought:
    """Whether a whole turn solves the puzzle, once that is worked out; the first one of a person is rated."""
    row = get_object_or_404(Puzzle.objects.select_related("game"), pk=number)
    try:
        table = presenters.table_of(row, json_object(request).get("moves"))
    except presenters.NotATurn as error:
        return refusal("moves", str(error), 400)
    if table.awaits is Awaits.PERSON:
        return refusal("turn", gettext("Finish your turn first."), 409)
    return _judged(request, row, table)


def _solved(request: HttpRequest, row: Puzzle) -> bool | None:
    """Whether the first try of who asks solved a puzzle; None if there was none."""
    attempt = selectors.attempt_of(row, request.user)
    return attempt.solved if attempt is not None else attempts.solved_as_guest(request.session, row.pk)


def _judged(request: HttpRequest, row: Puzzle, table: PersonTable) -> Thought:
    moves = presenters.words(table)

    def tell(said: bytes) -> HttpResponse:
        found: dict[str, Any] = json.loads(said)
        told = presenters.describe_answer(row, moves, found)
        if found["wins"] is not None:
            told.update(presenters.solution(row))
            if request.user.is_authenticated:
                attempt, first = attempts.first_try(row.pk, request.user, moves, solved=found["wins"])
                told["rated"] = presenters.describe_rating(attempt, first=first)
            else:
                attempts.keep_try(request.session, row.pk, moves, solved=found["wins"])
        return JsonResponse(told)

    return Thought(questions.answer(row, moves), tell)
