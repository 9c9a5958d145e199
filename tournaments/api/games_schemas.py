"""Games, and who sat where."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from arena.api.schemas.common import Day, Schema, Slug, Url, Variant
from arena.web.i18n.phrases import score
from arena.web.i18n.reasons import TERMINATIONS
from tournaments.games.search import result_of

if TYPE_CHECKING:
    from tournaments.models import Game

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
