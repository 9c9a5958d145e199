"""What takes thought: how likely each seat was to win, its mistakes, luck, and what if.

Nothing of it is worked out here. A first request queues the question for an analysis process and answers 202;
the same request again answers 200 once it is worked out.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router

import engine
from analysis.questions.whatif import MOST_MOVES, Asked
from arena.api.bearer import Caller
from arena.api.operations import route
from arena.api.schemas.common import Slug
from arena.web.http.refusals import refusal
from tournaments.api.analyses_schemas import (
    LuckOut,
    Mistakes,
    PerformancesOut,
    PlayerOn,
    Span,
    Values,
    WhatIf,
    luck_out,
    performances_out,
)
from tournaments.api.tournaments import find
from tournaments.events.standings import entrants, meetings
from tournaments.games import luck, records
from tournaments.models import Game
from tournaments.questions import question_types
from tournaments.questions.performances import event_performances
from tournaments.questions.responses import asker, thought_about

router = Router()
LONGEST_MOVES = 6_000
"""Characters: as many moves as are tried, in an address that every server takes."""
THINKING = (409, 503)


def _game(key: UUID) -> Game:
    found = records.find_game(key, "luck")
    if found is None:
        raise Http404(f"Expected a game, got {str(key)!r}.")
    return found


def _asked(request: HttpRequest, question: question_types.Question) -> HttpResponse:
    """The answer to a question if it is there, or 202 while an analysis process works on it."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return thought_about(question, asker(caller.user, caller.address))


def _has_values(game: Game) -> HttpResponse | None:
    """A refusal of a game that no value function knows; None if one does."""
    if luck.has_values(game):
        return None
    return refusal("no-values", "Only finished two-player games played in turns have values.", 409)


@route(router, "GET", "games/{game}/values/", Values, later=True, refuses=THINKING)
def get_values(request: HttpRequest, game: Path[UUID]) -> HttpResponse:
    """How likely seat 0 was to win after every event of a finished game, and what of it was luck.

    The lists begin before the first event, so the entry with the index n is after n events.
    """
    found = _game(game)
    return _has_values(found) or _asked(request, question_types.expected_question(found))


@route(router, "GET", "games/{game}/mistakes/", Mistakes, later=True, refuses=THINKING)
def get_mistakes(request: HttpRequest, game: Path[UUID]) -> HttpResponse:
    """Turns of a finished game in which Planner found a clearly better line, with both lines."""
    found = _game(game)
    return _has_values(found) or _asked(request, question_types.mistakes(found))


@route(router, "GET", "games/{game}/luck/", LuckOut)
def get_luck(request: HttpRequest, game: Path[UUID]) -> dict[str, Any]:
    """How much of a finished game's result was luck, as its page shows it.

    The arena measures every finished game between two; until then `luck` is null.
    """
    found = _game(game)
    return {"game": str(found.pk), "luck": luck_out(luck.panel(found))}


@route(router, "GET", "games/{game}/what-if/", WhatIf, later=True, refuses=THINKING)
def try_what_if(
    request: HttpRequest,
    game: Path[UUID],
    at: int = Query(ge=0, le=999_999, description="How many events to keep.", examples=[12]),
    moves: str = Query(
        "",
        max_length=LONGEST_MOVES,
        description=f"Moves to make then, with commas between; at most {MOST_MOVES}.",
        examples=["draw"],
    ),
    bot: PlayerOn | None = Query(None, description="A house bot that plays on after the moves."),
    span: Span = Query("turn", description="How far the bot plays: to the end of the turn, or of the game."),
) -> HttpResponse:
    """Play on from any point of a finished game, by hand or by a bot.

    An illegal move ends the line, and `refused` says why. `legal` are the moves at the end of it.
    """
    found = _game(game)
    if found.status != Game.Status.FINISHED:
        return refusal("not-finished", "You can play on only from a finished game.", 409)
    if engine.variant(found.tournament.variant).in_ticks:
        return refusal("ticks", "You can’t play on from a game in ticks.", 409)
    words = tuple(word for word in moves.split(",") if word)[: MOST_MOVES + 1]
    return _asked(request, question_types.branch(found, Asked(at, words, bot or "", span)))


@route(router, "GET", "tournaments/{slug}/performances/", PerformancesOut)
def get_performances(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """How strong each entrant of a tournament of two seats was by its games alone, best first.

    An analysis process works it out and does so again as pairs are played: `pairs` says how many count, and
    `behind` how many were played since. The mean of entrants who met is 1500.
    """
    found = find(slug)
    return performances_out(found, event_performances(found, meetings(found), entrants(found.pk).values()))
