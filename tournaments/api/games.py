"""Games and their records."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router
from pydantic import Field

from analysis.event_log import canonical
from arena.api.bearer import Caller
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page, uuid
from arena.api.schemas.common import Day, Schema, Slug, Url, Variant, end_of, start_of
from arena.web.i18n.phrases import score
from arena.web.i18n.reasons import TERMINATIONS
from bots.errors import BotsError
from bots.models import Scope
from tournaments.games import bundles, records
from tournaments.games.search import Wanted, evidence_for, find_games, result_of
from tournaments.models import Game

if TYPE_CHECKING:
    from tournaments.models import Game

GAME: Final = "6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d"
DIGEST: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
ANY_OBJECT: Final[dict[str, Any]] = {"type": "object", "additionalProperties": True}


def _kind(kind: Any, description: str) -> dict[str, Any]:
    return {"type": kind, "description": description}


SEAT: Final[dict[str, Any]] = {
    "type": "object",
    "description": "Who sat there.",
    "required": ["bot", "version", "owner", "house", "url"],
    "properties": {
        "bot": _kind("string", "The bot's name."),
        "version": _kind(["integer", "null"], "Its version."),
        "owner": _kind(["string", "null"], "Its owner."),
        "house": _kind("boolean", "Whether it is a house bot."),
        "url": _kind(["string", "null"], "Its page."),
        "remote": _kind("boolean", "Whether its program ran on its author's hardware; then true."),
        "clock": {**ANY_OBJECT, "description": "Of a remote bot: its clock, in `wall` time."},
    },
}
EVENT: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What happened: a move, a tick, a call of stop or the end. The protocol explains it.",
    "required": ["n", "type"],
    "properties": {
        "n": _kind("integer", "Its number, from 0."),
        "type": _kind("string", "What kind of event it is."),
        "seat": _kind("integer", "Who did it."),
        "move": _kind("string", "The move, as text."),
    },
    "additionalProperties": True,
}
RECORD: Final[dict[str, Any]] = {
    "schema": {
        "type": "object",
        "description": "A game with every move; once it is over with `links`, `proof` and `digests`.",
        "required": [
            "format", "rules", "game", "variant", "players", "seats", "start", "clock", "result", "status",
            "events",
        ],
        "properties": {
            "format": _kind("integer", "Of the record."),
            "rules": _kind("integer", "The version of the rules."),
            "game": _kind("string", "The game's id."),
            "variant": _kind("string", "The game that is played."),
            "players": _kind("integer", "Seats."),
            "seats": {"type": "array", "items": SEAT},
            "start": _kind("string", "The first position; hidden cards are `??` until the game is over."),
            "clock": {**ANY_OBJECT, "description": "`bank_ms` and `increment_ms`."},
            "clock_scale": _kind("number", "What the host multiplied the clock by, unless that is 1."),
            "result": {
                **ANY_OBJECT,
                "type": ["object", "null"],
                "description": "How it ended; null while it is played.",
            },
            "status": _kind("string", "Where it stands."),
            "events": {"type": "array", "items": EVENT},
            "links": _kind("string", "The links of the hash chain."),
            "proof": {**ANY_OBJECT, "description": "What leads from the published commitment to this deal."},
            "digests": _kind("string", "Digests of the fields."),
        },
        "additionalProperties": True,
    },
    "example": {
        "format": 1,
        "rules": 1,
        "game": GAME,
        "variant": "crapaud",
        "players": 2,
        "seats": [
            {"bot": "Planner", "version": 3, "owner": "ada", "house": False, "url": "/bots/planner/"},
            {"bot": "Greedy", "version": 1, "owner": None, "house": True, "url": "/bots/greedy/"},
        ],
        "start": "crapaud 0 play - KHQSJDTC9D/4C/KS/8C7D6C/5C/TS9H8S/5S/QHJS …",
        "clock": {"bank_ms": 60000, "increment_ms": 500},
        "result": {"termination": "win", "seat": None, "detail": "Seat 0 went out.", "ranking": [[0], [1]]},
        "status": "finished",
        "events": [
            {"n": 0, "type": "move", "ply": 1, "seat": 0, "move": "t8-d1", "from": "t8", "to": "d1"}
        ],
        "digests": DIGEST,
    },
}  # fmt: skip


GameStatus = Literal["running", "finished"]
if TYPE_CHECKING:
    # As many words as there are: mypy reads no tuples of them.
    Ending = str
else:
    Ending = Literal[tuple(TERMINATIONS)]


class SeatOut(Schema):
    """Who sat at a seat, and what came of it."""

    seat: int = Field(description="From 0, in the order of play.")
    bot: Slug
    name: str
    version: int
    place: int | None = Field(description="1 for the winner; equal seats share a place.")
    points: int | None
    left: int | None = Field(description="Cards left.")
    cpu_ms: int | None


class GameOut(Schema):
    """A game. `record` is its address with every move."""

    id: str = Field(examples=["6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d"])
    status: GameStatus | Literal["queued", "void"]
    variant: str
    players: int
    tournament: Slug
    round: int
    table: int
    pair: int = Field(description="The number of the pair: its games play one deal with the seats swapped.")
    leg: int
    seats: list[SeatOut]
    score: str | None = Field(description="As in chess for two; with more seats each seat's place.")
    ending: str | None
    detail: str | None = Field(description="How it ended, in a sentence.")
    culprit: int | None = Field(description="The seat that forfeited, if one did.")
    plies: int | None
    turns: int | None
    started_at: datetime | None
    finished_at: datetime | None
    url: Url
    record: str


class GamePage(Schema):
    """Games, the last started first."""

    items: list[GameOut]
    next: str | None


class EvidenceOut(Schema):
    """What your bots left behind in a game: last messages, standard error, exit and resources, by seat."""

    game: str
    seats: list[dict[str, Any]]


class GamesOf(Schema):
    """Which games, by what was played. Filters add up."""

    bot: str = Field("", max_length=80, description="A bot's name in addresses.", examples=["greedy"])
    version: int | None = Field(None, ge=1, le=2**31 - 1, description="Of `bot`, which must be given.")
    opponent: str = Field("", max_length=80, description="Another bot that sat there; needs `bot`.")
    variant: Variant | None = None
    players: int | None = Field(None, ge=2, le=4)
    ending: Ending | None = Field(None, description="How it ended.")
    close: int | None = Field(
        None, ge=0, le=52, description="The loser had at most so many cards left; games of two seats only."
    )
    least_plies: int | None = Field(None, ge=0, le=100_000, description="So many plies or more.")
    most_plies: int | None = Field(None, ge=0, le=100_000, description="So many plies or fewer.")
    tournament: str = Field("", max_length=80, description="A tournament's name in addresses.")


class GameFilter(GamesOf):
    """Which games, by what was played and when. Filters add up."""

    status: GameStatus | None = None
    since: Day | None = Field(
        None, description="Started on this day or later (UTC).", examples=["2026-05-01"]
    )
    until: Day | None = Field(None, description="Started on this day or earlier (UTC).")


def game_out(game: Game) -> dict[str, Any]:
    """A game as everyone sees it: nothing of its deal."""
    result = result_of(game)
    places = (
        {seat: place for place, group in enumerate(result.ranking, start=1) for seat in group}
        if result
        else {}
    )

    def of(values: Any, seat: int) -> Any:
        return values[seat] if result and seat < len(values) else None

    seats = [
        {
            "seat": one.seat,
            "bot": one.version.bot.slug,
            "name": one.version.bot.name,
            "version": one.version.number,
            "place": places.get(one.seat),
            "points": of(result.points if result else (), one.seat),
            "left": of(result.left if result else (), one.seat),
            "cpu_ms": of(result.cpu_ms if result else (), one.seat),
        }
        for one in game.seats.all()
    ]
    pairing = game.pair.pairing
    return {
        "id": str(game.pk),
        "status": game.status,
        "variant": game.tournament.variant,
        "players": game.tournament.players,
        "tournament": game.tournament.slug,
        "round": pairing.round,
        "table": pairing.table,
        "pair": game.pair.number,
        "leg": game.leg,
        "seats": seats,
        "score": score(result.ranking) if result else None,
        "ending": result.termination if result else None,
        "detail": result.detail if result else None,
        "culprit": result.culprit if result else None,
        "plies": result.plies if result else None,
        "turns": result.turns if result else None,
        "started_at": game.started_at,
        "finished_at": game.finished_at,
        "url": game.get_absolute_url(),
        "record": f"/api/v1/games/{game.pk}/record/",
    }


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
