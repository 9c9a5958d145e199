"""Ratings, what waits, and the audit."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from django.http import Http404, HttpRequest
from ninja import Path, Query, Router
from pydantic import Field

from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.schemas.common import Board, Schema, Slug, Variant
from arena.web.processes.capacity import games_at_once
from bots.models import Bot
from engine.boards import BOARDS
from tournaments.models import Lead, Rating, RatingPoint
from tournaments.operation import ledger, queue
from tournaments.ratings import won_endings
from tournaments.ratings.leaderboards import BoardName, rated_boards
from tournaments.ratings.leaderboards import board as board_of_name
from tournaments.ratings.tallies import opponents
from tournaments.ratings.won_endings import NONE_SOLVED

if TYPE_CHECKING:
    from tournaments.models import Rating
    from tournaments.ratings.won_endings import HeldEndings


class BoardOut(Schema):
    """A leaderboard: a variant with its number of seats."""

    board: str = Field(examples=["crapette/3"])
    title: str
    variant: str
    players: int
    rated: bool = Field(description="Whether anything is rated on it yet.")


class Boards(Schema):
    """Every board, in the engine's order."""

    items: list[BoardOut]


class RatingOut(Schema):
    """A version's rating on a board, in Elo. A house bot stands at 1500."""

    board: Board
    bot: Slug
    name: str
    version: int
    place: int | None = Field(description="On the leaderboard; null elsewhere.")
    elo: float
    error: float = Field(description="One standard error.")
    low: float | None = Field(description="The lower end of the 95 % interval; null if it has none.")
    high: float | None
    provisional: bool = Field(
        description="Whether it is still being measured: it then stands below the others."
    )
    anchored: bool = Field(description="Whether a chain of games leads to the anchor.")
    pairs: int
    games: int
    wins: int
    draws: int
    losses: int
    margin: float = Field(description="The mean margin of a pair.")
    superiority: float | None = Field(description="The likelihood of being stronger than the next.")
    solved_endings: int | None = Field(
        None, description="Endings of its games that the solver saw it win; null on leaderboards."
    )
    held_endings: int | None = Field(None, description="How many of these it won; null on leaderboards.")
    computed_at: datetime


class RatingPage(Schema):
    """A leaderboard, best first."""

    items: list[RatingOut]
    next: str | None


class RatingsOfBot(Schema):
    """The ratings of a bot's versions."""

    bot: Slug
    items: list[RatingOut]


class PointOut(Schema):
    """A rating at one moment."""

    board: str
    version: int
    at: datetime
    elo: float
    error: float
    games: int


class History(Schema):
    """How a bot's ratings went, newest first."""

    items: list[PointOut]
    next: str | None


class OpponentOut(Schema):
    """Single games against another bot in a variant, between two."""

    bot: Slug
    name: str
    variant: str
    wins: int
    draws: int
    losses: int


class Opponents(Schema):
    """A bot's results by opponent."""

    bot: Slug
    items: list[OpponentOut]


class WaitingOut(Schema):
    """A running tournament with games that wait."""

    tournament: Slug
    name: str
    planned: int = Field(description="Games planned, as far as is known.")
    finished: int
    running: int
    waiting: int
    hidden: bool = Field(description="Whether it plays hidden games, which are not counted here.")
    why: str = Field(description="Why it waits, in a sentence.")
    seconds: float = Field(description="To its last game, about.")


class WaitingCheck(Schema):
    """An upload that waits for its check."""

    bot: Slug
    version: int
    status: Literal["uploaded", "checking"]
    created_at: datetime


class LeadOut(Schema):
    """A version that took first place, and when."""

    bot: Slug
    name: str
    version: int
    elo: float
    at: datetime


class Leads(Schema):
    """Who took first place on a board, newest first."""

    items: list[LeadOut]
    next: str | None


class QueueOut(Schema):
    """What waits, in the order it will be done."""

    games_at_once: int
    checks: list[WaitingCheck]
    tournaments: list[WaitingOut]


class VariantAudit(Schema):
    """The last recomputation of a variant's ratings."""

    board: str
    pairs_counted: int
    behind: int = Field(description="Changes that are not in the ratings yet.")
    computed_at: datetime | None
    audited_at: datetime | None
    differences: list[str]


class VoidedPair(Schema):
    """A pair that was voided, and why."""

    pair: int
    tournament: Slug
    round: int
    table: int
    reason: str
    score_when_replayed: int | None


class AuditOut(Schema):
    """The public ledger: nothing lost, nothing counted twice."""

    clean: bool
    counted_at: datetime
    games: int
    results: int
    lost: int
    counted_twice: int
    accepted_pairs: int
    voided_pairs: int
    attempts: dict[str, int] = Field(description="How attempts to play ended.")
    alarms: list[str] = Field(description="What is wrong at present.")
    variants: list[VariantAudit]
    voided: list[VoidedPair] = Field(description="The last ones.")


def rating_out(
    rating: Rating, place: int | None = None, endings: HeldEndings | None = None
) -> dict[str, Any]:
    """A rating; its version and bot are read already."""
    bot = rating.version.bot
    names = (
        "elo", "error", "low", "high", "provisional", "anchored", "pairs", "games", "wins", "draws", "losses",
        "margin", "superiority", "computed_at",
    )  # fmt: skip
    return {
        "board": rating.variant,
        "bot": bot.slug,
        "name": bot.name,
        "version": rating.version.number,
        "place": place,
        "solved_endings": endings.solved if endings else None,
        "held_endings": endings.held if endings else None,
        **{name: getattr(rating, name) for name in names},
    }


router = Router()
LAST = (Key("at", moment), Key("pk", number))


def _bot(slug: str) -> Bot:
    bot = Bot.objects.filter(slug=slug).first()
    if bot is None:
        raise Http404(f"Expected a bot, got {slug!r}.")
    return bot


@route(router, "GET", "ratings/", Boards)
def list_boards(request: HttpRequest) -> dict[str, Any]:
    """Every leaderboard."""
    rated = {str(one) for one in rated_boards()}
    boards = [BoardName.parse(name) for name in BOARDS]
    return {
        "items": [
            {
                "board": str(one),
                "title": one.title,
                "variant": one.variant,
                "players": one.players,
                "rated": str(one) in rated,
            }
            for one in boards
        ]
    }


@route(router, "GET", "ratings/{variant}/", RatingPage)
def get_leaderboard(
    request: HttpRequest,
    variant: Path[Variant],
    players: int = Query(2, ge=2, le=4),
    all_time: bool = Query(False, description="Also bots that no longer play."),
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> dict[str, Any]:
    """The leaderboard of a variant, best first.

    It is ordered by Elo, with versions still being measured (`provisional`) below the others. The cursor is a
    place: what moves between two pages may be seen twice or not at all.
    """
    name = BoardName(variant, players)
    if not name.exists:
        raise Http404(f"Expected one of {', '.join(BOARDS)}, got {str(name)!r}.")
    start = int(cursor) if cursor.isascii() and cursor.isdecimal() and len(cursor) < 7 else 0
    found = board_of_name(str(name), all_time=all_time).ratings(start, limit + 1)
    following = str(start + limit) if len(found) > limit else None
    items = [rating_out(one, place) for place, one in enumerate(found[:limit], start + 1)]
    return {"items": items, "next": following}


@route(router, "GET", "ratings/{variant}/leads/", Leads)
def list_leads(
    request: HttpRequest,
    variant: Path[Variant],
    players: int = Query(2, ge=2, le=4),
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> dict[str, Any]:
    """Who took first place on a board, newest first."""
    name = BoardName(variant, players)
    if not name.exists:
        raise Http404(f"Expected one of {', '.join(BOARDS)}, got {str(name)!r}.")
    found = Lead.objects.filter(board=str(name)).select_related("version__bot")
    rows, following = page(found, LAST, cursor, limit)
    return {
        "items": [
            {
                "bot": one.version.bot.slug,
                "name": one.version.bot.name,
                "version": one.version.number,
                "elo": one.elo,
                "at": one.at,
            }
            for one in rows
        ],
        "next": following,
    }


@route(router, "GET", "bots/{slug}/ratings/", RatingsOfBot)
def get_ratings_of_bot(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """The ratings of a bot's versions on every board, newest version first."""
    bot = _bot(slug)
    found = Rating.objects.filter(version__bot=bot, games__gt=0).select_related("version__bot")
    held = won_endings.count_held(version__bot=bot)
    return {
        "bot": slug,
        "items": [
            rating_out(one, endings=held.get((one.version_id, one.variant), NONE_SOLVED))
            for one in found.order_by("variant", "-version__number")
        ],
    }


@route(router, "GET", "bots/{slug}/rating-history/", History)
def get_rating_history(
    request: HttpRequest, slug: Path[Slug], cursor: Cursor = "", limit: Limit = USUAL
) -> dict[str, Any]:
    """How a bot's ratings went, newest first."""
    found = RatingPoint.objects.filter(version__bot=_bot(slug)).select_related("version")
    rows, following = page(found, LAST, cursor, limit)
    return {
        "items": [
            {
                "board": one.variant,
                "version": one.version.number,
                "at": one.at,
                "elo": one.elo,
                "error": one.error,
                "games": one.games,
            }
            for one in rows
        ],
        "next": following,
    }


@route(router, "GET", "bots/{slug}/opponents/", Opponents)
def get_opponents(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """A bot's results against each other bot, in tournaments of two seats."""
    return {
        "bot": slug,
        "items": [
            {
                "bot": one.url,
                "name": one.bot,
                "variant": one.name,
                "wins": one.wins,
                "draws": one.draws,
                "losses": one.losses,
            }
            for one in opponents(_bot(slug))
        ],
    }


@route(router, "GET", "queue/", QueueOut)
def get_queue(request: HttpRequest) -> dict[str, Any]:
    """Checks and tournaments that wait, in the order they will be done."""
    return {
        "games_at_once": games_at_once(),
        "checks": [
            {
                "bot": one.bot.slug,
                "version": one.number,
                "status": one.status,
                "created_at": one.created_at,
            }
            for one in queue.waiting_checks()
        ],
        "tournaments": [
            {
                "tournament": one.tournament.slug,
                "name": one.tournament.name,
                "planned": one.progress.planned,
                "finished": one.progress.finished,
                "running": one.progress.running,
                "waiting": one.progress.waiting,
                "hidden": one.hidden,
                "why": one.why,
                "seconds": one.seconds,
            }
            for one in queue.waiting_tournaments(games_at_once())
        ],
    }


@route(router, "GET", "audit/", AuditOut)
def get_audit(request: HttpRequest) -> dict[str, Any]:
    """The public ledger: what was lost, repeated or voided, and whether the audit agrees."""
    counts, at = ledger.counted_ledger()
    return {
        "clean": counts.clean,
        "counted_at": at,
        **{
            name: getattr(counts, name)
            for name in (
                "games", "results", "lost", "counted_twice", "accepted_pairs", "voided_pairs", "attempts",
            )
        },
        "alarms": counts.alarms,
        "variants": [
            {
                "board": one.variant,
                "pairs_counted": one.pairs_counted,
                "behind": one.behind,
                "computed_at": one.computed_at,
                "audited_at": one.audited_at,
                "differences": one.differences,
            }
            for one in ledger.variant_audits()
        ],
        "voided": [
            {
                "pair": one.pk,
                "tournament": one.pairing.tournament.slug,
                "round": one.pairing.round,
                "table": one.pairing.table,
                "reason": one.void_reason,
                "score_when_replayed": getattr(one, "again", None),
            }
            for one in ledger.voided_pairs()
        ],
    }  # fmt: skip
