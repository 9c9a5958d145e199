"""Ratings, what waits, and the audit."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Path, Query, Router

from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.schemas.common import Slug, Variant
from arena.web.processes.capacity import games_at_once
from bots.models import Bot
from engine.boards import BOARDS
from tournaments.api.ratings_schemas import (
    AuditOut,
    Boards,
    History,
    Leads,
    Opponents,
    QueueOut,
    RatingPage,
    RatingsOfBot,
    rating_out,
)
from tournaments.models import Lead, Rating, RatingPoint
from tournaments.operation import audit, queue
from tournaments.ratings import held_endings
from tournaments.ratings.held_endings import NONE_SOLVED
from tournaments.ratings.ladders import BoardName, rated_boards
from tournaments.ratings.ladders import board as board_of_name
from tournaments.ratings.tallies import opponents

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
    held = held_endings.count_held(version__bot=bot)
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
    counts, at = audit.counted_ledger()
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
            for one in audit.variant_audits()
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
            for one in audit.voided_pairs()
        ],
    }  # fmt: skip
