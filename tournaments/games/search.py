"""Games found by what was asked for: who played, in which variant, how it ended, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, Q

from bots.models import Bot
from tournaments.models import Evidence, Game, Result, Seat

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

SHOWN = (Game.Status.RUNNING, Game.Status.FINISHED)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which games; empty texts and None mean any. `opponent` sat at another seat than `bot`.

    `close` are cards that nobody had more of left at the end of a game of two seats."""

    bot: str = ""
    version: int | None = None
    opponent: str = ""
    variant: str = ""
    players: int | None = None
    ending: str = ""
    status: str = ""
    tournament: str = ""
    close: int | None = None
    least_plies: int | None = None
    most_plies: int | None = None
    started_from: datetime | None = None
    started_before: datetime | None = None


def find_games(wanted: Wanted) -> QuerySet[Game]:
    """The games being played and finished ones, with what a row of them needs."""
    narrowed = {
        "tournament__slug": wanted.tournament,
        "tournament__variant": wanted.variant,
        "tournament__players": wanted.players,
        "result__termination": wanted.ending,
        "result__plies__gte": wanted.least_plies,
        "result__plies__lte": wanted.most_plies,
        "started_at__gte": wanted.started_from,
        "started_at__lt": wanted.started_before,
    }
    found = Game.objects.filter(
        **{name: value for name, value in narrowed.items() if value not in ("", None)},
        status__in=[wanted.status] if wanted.status else SHOWN,
        started_at__isnull=False,
    )
    if wanted.close is not None:
        found = found.filter(
            tournament__players=2,
            result__isnull=False,
            result__left__0__lte=wanted.close,
            result__left__1__lte=wanted.close,
        )
    if wanted.bot:
        at = Q(version__bot__slug=wanted.bot)
        if wanted.version is not None:
            at &= Q(version__number=wanted.version)
        seats = Seat.objects.filter(at, game=OuterRef("pk"))
        if wanted.opponent:
            others = Seat.objects.filter(game=OuterRef("game"), version__bot__slug=wanted.opponent).exclude(
                seat=OuterRef("seat")
            )
            seats = seats.filter(Exists(others))
        found = found.filter(Exists(seats))
    return found.select_related("tournament", "result", "pair__pairing").prefetch_related(
        "seats__version__bot"
    )


def result_of(game: Game) -> Result | None:
    """The game's result, or None."""
    try:
        return game.result
    except Result.DoesNotExist:
        return None


def evidence_for(game: Game, viewer: Any) -> list[dict[str, Any]]:
    """What the viewer's own bots left behind, one entry a seat."""
    if not viewer.is_authenticated:
        return []
    found = Evidence.objects.filter(game=game).first()
    if found is None:
        return []
    entries = []
    left, _ = found.parts()
    mine = set(Bot.objects.of(viewer).filter(versions__seats__game=game).values_list("pk", flat=True))
    for seat in game.seats.all():
        if seat.version.bot_id in mine and seat.seat < len(left):
            entries.append({"seat": seat.seat, "bot": seat.version.bot.name, **left[seat.seat]})
    return entries
