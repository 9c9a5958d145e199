"""The board of a day's deal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from friendlies.models import Friendly
from friendlies.presenters.field import Compared, compared_of
from friendlies.selectors.state import person_name

if TYPE_CHECKING:
    from friendlies.models import Daily

SHOWN = 500


@dataclass(frozen=True, slots=True)
class Board:
    """The results of a day's deal, best first; `playing` are those that began and have no result."""

    rows: list[Compared]
    playing: int
    mine: Friendly | None


def board(daily: Daily, user: int | None) -> Board:
    """Return the board of a deal for an account: results by margin, games given up below all others.

    A link leads to a game only for its player while others may still play the deal.
    """
    games = Friendly.objects.filter(daily=daily).select_related("owner", "version__bot", "daily")
    games = games.defer("events", "start")
    done = games.filter(status=Friendly.Status.FINISHED, finished_at__lt=daily.ends_at)
    rows = [_row(one, user) for one in done.order_by("finished_at")[:SHOWN]]
    placed: list[Compared] = []
    for index, one in enumerate(sorted(rows, key=_rank)):
        equal = bool(placed) and _rank(placed[-1]) == _rank(one)
        placed.append(replace(one, place=placed[-1].place if equal else index + 1))
    mine = games.filter(owner=user).first() if user is not None else None
    return Board(placed, games.count() - done.count(), mine)


def _rank(one: Compared) -> tuple[bool, float]:
    return one.gave_up, -one.margin


def _row(game: Friendly, user: int | None) -> Compared:
    you = game.owner_id is not None and game.owner_id == user
    url = game.get_absolute_url() if you or not game.is_secret else ""
    told = compared_of(game.result or {}, game.seat, game.variant, url)
    return replace(told, who=person_name(game), opponent=game.version.bot.name, you=you)
