"""The table at which a person plays a bot, and what is done at it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from arena.web.http.idempotency import first_time
from arena.web.http.refusals import refusal
from arena.web.http.requests import json_object
from arena.web.variants import variant_title
from friendlies import questions
from friendlies.games.turns import Awaits
from friendlies.pages import duplicates
from friendlies.pages import games as pages
from friendlies.pages.access import find_friendly, own_friendly, player_of
from friendlies.pages.replay import is_valued
from friendlies.tables import new_games, tick_actions, turn_actions
from friendlies.tables import state as friendly
from friendlies.tables.state import number_of, page_state
from tournaments.questions.responses import Thought, thoughtful

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

HINT_STEPS = 4


@never_cache
@require_safe
def table(request: HttpRequest, friendly_id: UUID) -> HttpResponse:
    """The table for the person who plays; the replay for everybody once the game is over."""
    row = find_friendly(friendly_id)
    player = player_of(request)
    mine = player.plays(row)
    if not mine and not row.is_over:
        return render(request, "play/no_table.html", status=403)
    if row.is_over:
        return redirect("play:replay", friendly_id)
    context = {
        "row": pages.row(row),
        "game": row,
        "variant": variant_title(row.variant),
        "seats": friendly.seats(row),
        "stops": new_games.variants()[row.variant].stop_calls,
        "valued": is_valued(row),
        "next": duplicates.next_deal(row, player),
        "paces": new_games.PACES.values(),
    }
    return render(request, "play/table.html", context)


@gzip_page
@never_cache
@require_safe
def state(request: HttpRequest, friendly_id: UUID) -> JsonResponse:
    """What the person's page lacks (``?length=`` events of ``?epoch=``), with the record's head if it has
    nothing."""
    row = own_friendly(request, friendly_id)
    return JsonResponse(page_state(row, request.GET.get("length"), request.GET.get("epoch")))


@require_POST
def act(request: HttpRequest, friendly_id: UUID) -> JsonResponse:
    """Do something at the table; the answer is the new state, with the reason if it was refused."""
    row = own_friendly(request, friendly_id)
    action = json_object(request)
    length, epoch = action.get("length"), action.get("epoch")
    if row.in_ticks:  # its actions name their tick
        refused = tick_actions.act(row.pk, action)
    else:
        refused = turn_actions.act(row.pk, action, seen=(number_of(length), number_of(epoch)))
    row = find_friendly(friendly_id)
    found = page_state(row, length, epoch)
    return JsonResponse({**found, "refused": refused})


@require_POST
@thoughtful
def hint(request: HttpRequest, friendly_id: UUID) -> HttpResponse | Thought:
    """A hint of the step that is asked for (1 to `HINT_STEPS`)."""
    row = own_friendly(request, friendly_id)
    if row.daily is not None:
        return refusal("daily", gettext("There are no hints in the daily deal."), 409)
    if row.rated:
        return refusal("rated", gettext("There are no hints in a rated game."), 409)
    step = json_object(request).get("step")
    # In a game in ticks the person can act until it is over.
    may_act = not row.is_over if row.in_ticks else row.awaits == Awaits.PERSON
    if type(step) is not int or not 1 <= step <= HINT_STEPS or not may_act:
        return refusal("turn", gettext("You can ask for a hint only on your turn."), 409)

    question = questions.hints(row)

    def tell(answer: bytes) -> HttpResponse:
        # However often it is asked, it is one hint.
        if first_time(f"hint {row.pk} {question.key}"):
            new_games.count_hint(row)
        return JsonResponse(json.loads(answer)[step - 1])

    return Thought(question, tell)
