"""What takes thought: how likely each seat was to win, its mistakes, luck, and what if.

Nothing of it is worked out here. A first request queues the question for an analysis process and answers 202;
the same request again answers 200 once it is worked out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router
from pydantic import Field

import engine
from analysis.questions.whatif import BOTS, MOST_MOVES, SPANS, Asked
from arena.api.bearer import Caller
from arena.api.operations import route
from arena.api.schemas.common import Schema, Slug
from arena.web.http.refusals import refusal
from tournaments.api.tournaments import find
from tournaments.api.tournaments_schemas import EntryOut, entry_out
from tournaments.events.standings import entrants, meetings
from tournaments.games import luck, records
from tournaments.models import Game
from tournaments.questions import question_types
from tournaments.questions.performances import event_performances
from tournaments.questions.responses import asker, thought_about

if TYPE_CHECKING:
    from tournaments.games.luck import LuckPanel
    from tournaments.models import Entry, Tournament
    from tournaments.questions.performances import Performances

if TYPE_CHECKING:
    # As many words as there are: mypy reads no tuples of them.
    PlayerOn = str
    Span = str
else:
    PlayerOn = Literal[BOTS]
    Span = Literal[SPANS]
GAME = "6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d"


class Values(Schema):
    """The expected result of seat 0 before the first event and after each, by index."""

    format: int = Field(examples=[1])
    game: str = Field(examples=[GAME])
    version: int = Field(description="Of the value function.", examples=[1])
    win: list[float] = Field(description="Points seat 0 can expect, from 0 to 1.", examples=[[0.52, 0.49]])
    margin: list[float] = Field(description="The expected margin in cards or points.", examples=[[1.5, -0.4]])
    luck: list[float] = Field(description="What of the change of `win` was luck.", examples=[[0.02, -0.03]])
    skill: list[float] = Field(description="What of it was choice.", examples=[[0.0, 0.0]])


class MoveOut(Schema):
    """A move as text and in words."""

    move: str = Field(examples=["t8-f"])
    words: str = Field(examples=["8♦ house 8 → foundation"])


class LegalMove(MoveOut):
    """A move that can be made."""

    win: float | None = Field(
        default=None,
        description="Chance to win of who makes it, on average over cards it could turn up; null if unknown.",
        examples=[0.62],
    )


class Mistake(Schema):
    """A turn for which Planner found a clearly better line."""

    at: int = Field(description="Events before it.", examples=[12])
    ply: int = Field(description="Plies before it.", examples=[12])
    seat: int = Field(examples=[0])
    cost: float = Field(description="In points of a game: 1 is a win.", examples=[0.08])
    proved: bool = Field(
        default=False,
        description="Whether the cost is exact: the ending was solved for both lines.",
        examples=[False],
    )
    played: list[MoveOut]
    better: list[MoveOut]


class Mistakes(Schema):
    """A game's mistakes, in the order of the game."""

    format: int = Field(examples=[1])
    game: str = Field(examples=[GAME])
    bot: str = Field(description="Whose lines they are compared with.", examples=["planner"])
    clear: float = Field(description="The least cost of what is listed.", examples=[0.05])
    mistakes: list[Mistake]


class LuckFigures(Schema):
    """What luck did, seen from the luckier seat; points are 1 for a win and 0.5 for a draw."""

    seat: int = Field(examples=[1])
    name: str = Field(examples=["Greedy"])
    score: float = Field(examples=[1.0])
    luck: float = Field(description="What luck was worth, in points.", examples=[0.31])
    deal: float = Field(description="Of it, by the deal’s open cards.", examples=[0.05])
    cards: float = Field(description="Of it, by the cards turned up later.", examples=[0.26])
    fair: float = Field(
        description="The score without luck. An estimate that is right on average: it may pass 0 or 1.",
        examples=[0.69],
    )
    margin: float = Field(examples=[23.0])
    fair_margin: float = Field(examples=[14.2])
    reveals: int = Field(description="Cards that were turned up.", examples=[61])
    version: int = Field(description="Of the value function.", examples=[1])


class LuckOut(Schema):
    """The luck of a game; null until it is measured, and for games that nothing measures."""

    game: str = Field(examples=[GAME])
    luck: LuckFigures | None


class WhatIf(Schema):
    """A game played on: what happened since the event it was left at, and what is legal now."""

    events: list[dict[str, Any]] = Field(
        description="As in a game’s record.",
        examples=[[{"type": "move", "n": 12, "ply": 13, "seat": 0, "move": "draw", "card": "8S"}]],
    )
    legal: list[LegalMove] = Field(description="Best first, where chances are known.")
    refused: str = Field(description="Why a move was not made; empty if all were.", examples=[""])
    finished: bool = Field(examples=[False])
    bots: list[str] = Field(description="Who could play on.", examples=[list(BOTS)])


class Performance(Schema):
    """How strong an entrant was in this event."""

    entry: EntryOut
    elo: float = Field(examples=[1541.0])
    low: float | None = Field(description="Lower end of the 95 % interval; null if open.", examples=[1472.0])
    high: float | None = Field(description="Its upper end.", examples=[1610.0])


class PerformancesOut(Schema):
    """Performances, best first; empty until the first is worked out."""

    tournament: Slug
    pairs: int = Field(description="Pairs that these figures count.", examples=[120])
    behind: int = Field(description="Pairs played since.", examples=[3])
    items: list[Performance]


def luck_out(panel: LuckPanel | None) -> dict[str, Any] | None:
    """The luck of a game as its page shows it."""
    return None if panel is None else {name: getattr(panel, name) for name in LuckFigures.model_fields}


def performances_out(tournament: Tournament, found: Performances | None) -> dict[str, Any]:
    """The performances of an event, best first."""
    entries: dict[int, Entry] = {}
    if found is not None:
        entries = {one.pk: one for one in tournament.entries.select_related("version__bot")}
    items = [
        {"entry": entry_out(entries[key]), "elo": elo, "low": low, "high": high}
        for key, (elo, low, high) in (found.rows.items() if found else ())
        if key in entries
    ]
    return {
        "tournament": tournament.slug,
        "pairs": found.pairs if found else 0,
        "behind": found.behind if found else 0,
        "items": sorted(items, key=lambda one: -one["elo"]),
    }


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
