"""Who won the events of a list."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.web.cache import values
from tournaments.events.standings import tournament_standings
from tournaments.models import Entry, Tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from tournaments.events.standings import Standing

MOST: Final = 2_000
"""Events whose winner a process remembers; with more it forgets all and begins again."""

Points = tuple[float, float]
_known: dict[tuple[int, datetime], tuple[tuple[int, ...], Points | None]] = {}
_lock = threading.Lock()
values.forget_with(_known.clear)


@dataclass(frozen=True, slots=True)
class EventEnding:
    """Who is in first place of an event, several where even the tie-breaks are equal.

    Of a duel both are there, the one with more points first, and `points` are what they have.
    """

    first: list[Entry]
    points: Points | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether it is a duel in which nobody is ahead."""
        return self.points is not None and self.points[0] == self.points[1]


def endings(tournaments: Iterable[Tournament]) -> dict[int, EventEnding]:
    """How each finished event ended, by its key; tests and ladders do not end so.

    Standings are worked out once for each end of an event: if a pair is voided later, the event has another
    end when that pair has been played again.
    """
    places = {
        one.pk: _first(one, one.finished_at) for one in tournaments if one.finished_at and _has_one(one)
    }
    keys = [key for first, _ in places.values() for key in first]
    entries = Entry.objects.select_related("version__bot").in_bulk(keys)
    return {
        pk: EventEnding([entries[key] for key in first if key in entries], points)
        for pk, (first, points) in places.items()
    }


def is_duel_format(tournament: Tournament) -> bool:
    """Whether an event that started with two entrants is a duel."""
    if tournament.status == Tournament.Status.DRAFT:
        return False
    kinds = (Tournament.Format.ROUND_ROBIN, Tournament.Format.GAUNTLET)
    return tournament.format in kinds and tournament.players == 2


def duel(tournament: Tournament, ordered: Sequence[Standing]) -> EventEnding | None:
    """How a duel stands by its standings: an event in which two bots meet and nothing else is decided."""
    if not is_duel_format(tournament) or len(ordered) != 2:
        return None
    points = {one.entry.pk: one.row.points for one in ordered}
    matches = tournament.pairings.filter(second__isnull=False) if tournament.match_rule else ()
    # Their sheets say more than who won, unless one left a match: it loses that, whatever its sheet says.
    if matches and not any(met.forfeited_by_id for met in matches):
        points = dict.fromkeys(points, 0.0)
        for met in matches:
            points[met.first_id] += met.points_first
            points[met.second_id or 0] += met.points_second
    one, other = sorted((row.entry for row in ordered), key=lambda entry: -points[entry.pk])
    return EventEnding([one, other], (points[one.pk], points[other.pk]))


def _has_one(tournament: Tournament) -> bool:
    endless = (Tournament.Format.LADDER, Tournament.Format.SPRT)
    return tournament.status == Tournament.Status.FINISHED and tournament.format not in endless


def _first(tournament: Tournament, finished: datetime) -> tuple[tuple[int, ...], Points | None]:
    key = (tournament.pk, finished)
    found = _known.get(key)
    if found is None:
        ordered = tournament_standings(tournament)
        met = duel(tournament, ordered)
        first = met.first if met else [one.entry for one in ordered if one.row.place == 1 and one.row.games]
        found = (tuple(one.pk for one in first), met.points if met else None)
        with _lock:
            if len(_known) >= MOST:
                _known.clear()
            _known[key] = found
    return found
