"""The games to watch, as the home page, TV and a game's page show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.values import covers
from arena.web.paths import path
from engine import variant
from tournaments.games.programme import programme
from tournaments.models import Game
from tournaments.pages.games.game_rows import GameRow, row

if TYPE_CHECKING:
    from datetime import datetime

TABLES_ON_TV = 4
LISTED = 16
"""Games that a page knows of; it asks again before it has shown them all."""


@dataclass(frozen=True, slots=True)
class Showing:
    """A game at a table that somebody watches: its row, when it was played, and what is known about it."""

    row: GameRow
    started: datetime | None
    finished: datetime | None
    ticks: bool
    values: str
    """The address of the win probabilities; empty if there will be none."""
    moves: str
    """The address of what `presenters.moves` gives."""
    live: str
    """The path of the websocket with the events; empty once the game is over."""
    audience: str


def showing(game: Game) -> Showing:
    """A game of `programme` or of `presenters.games.listed` as a table shows it."""
    played = game.tournament
    over = game.status in (Game.Status.FINISHED, Game.Status.VOID)
    valued = game.status != Game.Status.VOID and covers(played.variant, played.players)
    return Showing(
        row=row(game),
        started=game.started_at,
        finished=game.finished_at,
        ticks=variant(played.variant).in_ticks,
        values=path("games:values", game.pk) if valued else "",
        moves=path("games:moves", game.pk),
        live="" if over else f"/ws/games/{game.pk}/",
        audience=f"/ws/games/{game.pk}/audience/",
    )


def tables(limit: int) -> list[Showing]:
    """Return the games for this many tables, best first."""
    return [showing(game) for game in programme(limit)]


def listing(limit: int = LISTED) -> list[dict[str, Any]]:
    """The programme as the page's script reads it, the best first."""
    return [
        {
            "id": one.row.id,
            "url": one.row.url,
            "label": one.row.label,
            "variant": one.row.variant,
            "bots": " ".join(sorted(seat.url for seat in one.row.seats)),
            "running": one.row.status == Game.Status.RUNNING,
            "finished": one.finished.isoformat() if one.finished else None,
            "table": path("games:table", one.row.id),
        }
        for one in tables(limit)
    ]
