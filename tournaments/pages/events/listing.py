"""The list of tournaments: what is played now, what comes, what is over, and the ladders in one panel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.core.paginator import Paginator
from django.db.models import Case, F, Value, When
from django.db.models.functions import Coalesce

from arena.web.cache.values import shared_rows
from tournaments.events.winners import endings
from tournaments.models import Tournament
from tournaments.pages.events import standings
from tournaments.ratings.leaderboards import ladders as every_ladder
from tournaments.ratings.leaderboards import list_tournaments

if TYPE_CHECKING:
    from django.core.paginator import Page
    from django.db.models import QuerySet

    from tournaments.events.winners import EventEnding
    from tournaments.models import Entry
    from tournaments.pages.events.standings import TournamentRow

PER_PAGE: Final = 20
Status = Tournament.Status
NOW: Final = (Status.RUNNING, Status.PAUSED)


@dataclass(frozen=True, slots=True)
class OverRow:
    """An event that is over, with who won it; several where even the tie-breaks are equal.

    Of a duel `score` is how it ended.
    """

    row: TournamentRow
    winners: list[Entry]
    score: str = ""
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class TournamentList:
    """One page of the list in its three parts; the first page has the ladders, too."""

    page: Page[Any]
    now: list[TournamentRow]
    coming: list[TournamentRow]
    over: list[OverRow]
    ladders: list[TournamentRow]

    @property
    def idle(self) -> int:
        """How many ladders have nothing to play."""
        return sum(one.is_idle for one in self.ladders)


def tournament_list(page: str | None) -> TournamentList:
    """A page of the list; the same few queries however long it is, once winners are known."""
    shown = _events(page)
    events = list(shown)
    ladders = every_ladder() if shown.number == 1 else []
    rows = standings.rows([*events, *ladders])
    won = endings(events)
    listed = rows[: len(events)]
    return TournamentList(
        shown,
        [one for one in listed if one.tournament.status in NOW],
        [one for one in listed if one.tournament.status == Status.DRAFT],
        [_over(one, won.get(one.tournament.pk)) for one in listed if one.tournament.is_over],
        rows[len(events) :],
    )


def _over(row: TournamentRow, ending: EventEnding | None) -> OverRow:
    if ending is None:
        return OverRow(row, [])
    return OverRow(row, ending.first, standings.score_text(ending), ending.is_drawn)


@shared_rows
def _events(number: str | None) -> Page[Any]:
    """The events on a page."""
    page = Paginator(_ordered(), PER_PAGE).get_page(number)
    page.object_list = list(page.object_list)
    return page


def _ordered() -> QuerySet[Tournament]:
    """Events by what they mean to a visitor now: running, paused, the next to start, the last to end."""
    rank = Case(
        When(status=Status.RUNNING, then=Value(0)),
        When(status=Status.PAUSED, then=Value(1)),
        When(status=Status.DRAFT, then=Value(2)),
        default=Value(3),
    )
    starts = Case(When(status=Status.DRAFT, then=Coalesce("starts_at", "registration_until")))
    return (
        list_tournaments()
        .exclude(format=Tournament.Format.LADDER)
        .annotate(rank=rank, soonest=starts)
        .order_by(
            "rank",
            F("soonest").asc(nulls_last=True),
            F("finished_at").desc(nulls_last=True),
            F("started_at").desc(nulls_last=True),
            "-created_at",
            "-id",
        )
    )
