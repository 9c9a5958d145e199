"""Games and their records."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router

from analysis.event_log import canonical
from arena.api.bearer import Caller
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page, uuid
from arena.api.schemas.common import end_of, start_of
from bots.errors import BotsError
from bots.models import Scope
from tournaments.api.games_schemas import EvidenceOut, GameFilter, GameOut, GamePage, GamesOf, game_out
from tournaments.api.record import RECORD
from tournaments.games import bundles, records
from tournaments.games.search import Wanted, evidence_for, find_games
from tournaments.models import Game

router = Router()
LAST_STARTED = (Key("started_at", moment), Key("order", number), Key("pk", uuid))


class BadFilter(BotsError):
    """Filters that do not fit together."""

    code = "filter"


def wanted_games(filters: GamesOf, **more: Any) -> Wanted:
    """The filters as the selector takes them, with `more` of its fields. Raises :class:`BadFilter`."""
    for name in ("version", "opponent"):
        if getattr(filters, name) and not filters.bot:
            raise BadFilter(f"The filter {name!r} needs the filter 'bot'.", name)
    return Wanted(
        bot=filters.bot,
        version=filters.version,
        opponent=filters.opponent,
        variant=filters.variant or "",
        players=filters.players,
        ending=filters.ending or "",
        close=filters.close,
        least_plies=filters.least_plies,
        most_plies=filters.most_plies,
        tournament=filters.tournament,
        **more,
    )


def wanted_when(filters: GameFilter) -> Wanted:
    """The same with a status and days."""
    return wanted_games(
        filters,
        status=filters.status or "",
        started_from=start_of(filters.since) if filters.since else None,
        started_before=end_of(filters.until) if filters.until else None,
    )


@route(router, "GET", "games/", GamePage)
def list_games(
    request: HttpRequest, filters: Query[GameFilter], cursor: Cursor = "", limit: Limit = USUAL
) -> dict[str, Any]:
    """Games that are played or finished, the last started first.

    Friendlies are their players' own and not among them.
    """
    rows, following = page(find_games(wanted_when(filters)), LAST_STARTED, cursor, limit)
    return {"items": [game_out(game) for game in rows], "next": following}


@route(router, "GET", "games/{game}/", GameOut)
def get_game(request: HttpRequest, game: Path[UUID]) -> dict[str, Any]:
    """A game, without its moves."""
    return game_out(_game(game))


@route(
    router,
    "GET",
    "games/{game}/record/",
    media={"application/json": RECORD},
)
def get_record(request: HttpRequest, game: Path[UUID]) -> HttpResponse:
    """A game with every move, and once it is over with the proof that it is what was played.

    Hidden cards are in it only once the game is over, and seeds only once nothing is played on them any more.
    The bytes are those that are hashed, so that `crapette verify` can check them.
    """
    found = _game(game)
    response = HttpResponse(canonical(bundles.proved_record(found)), content_type="application/json")
    if found.status != Game.Status.FINISHED:
        response["Cache-Control"] = "no-store"
    return response


@route(router, "GET", "games/{game}/evidence/", EvidenceOut, needs=Scope.READ)
def get_evidence(request: HttpRequest, game: Path[UUID]) -> dict[str, Any]:
    """What your bots left behind in a game: last messages, standard error, exit and resources."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    found = _game(game)
    return {"game": str(found.pk), "seats": evidence_for(found, caller.owner)}


def _game(key: UUID) -> Game:
    found = records.find_game(key)
    if found is None:
        raise Http404(f"Expected a game, got {str(key)!r}.")
    return found
