"""A finished game of a person: its replay, its record, and what it teaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from analysis.event_log import canonical
from analysis.questions.whatif import Asked, NotAsked
from analysis.values import covers
from arena.web.http.refusals import refusal
from arena.web.variants import variant_title
from friendlies import questions
from friendlies.games.turns import SEATS
from friendlies.pages import duplicates
from friendlies.pages import games as pages
from friendlies.pages.access import find_friendly, finished_friendly, player_of
from friendlies.tables import state as friendly
from tournaments.questions.responses import Thought, thoughtful, told_as_json, told_to_all

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from friendlies.models import Friendly


@gzip_page
@never_cache
@require_safe
def replay(request: HttpRequest, friendly_id: UUID) -> HttpResponse:
    """A finished game in the ordinary viewer, beside what bots made of the same deal."""
    row = find_friendly(friendly_id)
    player = player_of(request)
    mine = player.plays(row)
    if row.is_secret and not mine:
        return render(request, "play/no_table.html", {"daily": True}, status=403)
    if row.keeps_its_cards:
        return render(request, "play/no_table.html", {"daily": True, "gave_up": True}, status=403)
    if not row.is_over:
        raise Http404("expected a game that is over")
    context = {
        "row": pages.row(row),
        "game": row,
        "variant": variant_title(row.variant),
        "seats": friendly.seats(row),
        "mine": mine,
        "field": duplicates.field_of(row),
        "valued": is_valued(row),
        "next": duplicates.next_deal(row, player) if mine else None,
    }
    return render(request, "play/replay.html", context)


@gzip_page
@require_safe
def record(request: HttpRequest, friendly_id: UUID) -> HttpResponse:
    """The record of a finished game."""
    row = finished_friendly(request, friendly_id)
    return HttpResponse(canonical(friendly.record(row)), content_type="application/json")


@gzip_page
@require_safe
@thoughtful
def explore_friendly(request: HttpRequest, friendly_id: UUID) -> HttpResponse | Thought:
    """A finished game played on, as `games.game_explore` does."""
    row = finished_friendly(request, friendly_id)
    if row.in_ticks:
        return refusal("ticks", gettext("You can’t play on from a game in ticks."), 409)
    try:
        asked = Asked.parse(request.GET)
    except NotAsked as error:
        return refusal("query", str(error), 400)
    return Thought(questions.branch(row, asked))


@gzip_page
@require_safe
@thoughtful
def values(request: HttpRequest, friendly_id: UUID) -> HttpResponse | Thought:
    """Who was expected to win after every event of a finished game, and what luck did to it."""
    row = _valued(request, friendly_id)
    return Thought(questions.expected_question(row), told_as_json if row.is_secret else told_to_all)


@gzip_page
@require_safe
@thoughtful
def mistakes(request: HttpRequest, friendly_id: UUID) -> HttpResponse | Thought:
    """Where the planner would have done clearly better in a finished game."""
    row = _valued(request, friendly_id)
    return Thought(questions.mistakes(row), told_as_json if row.is_secret else told_to_all)


def _valued(request: HttpRequest, friendly_id: UUID) -> Friendly:
    row = finished_friendly(request, friendly_id)
    if not is_valued(row):
        raise Http404("expected a game with a value function")
    return row


def is_valued(row: Friendly) -> bool:
    """Whether who was expected to win can be told once the game is over."""
    return not row.in_ticks and covers(row.variant, SEATS)
