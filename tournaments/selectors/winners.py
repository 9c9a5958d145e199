"""Who won the events of a list."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from arena.web.cache import values
from tournaments.models import Entry, Tournament
from tournaments.selectors.standings import tournament_standings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

MOST: Final = 2_000
"""Events whose winner a process remembers; with more it forgets all and begins again."""

_known: dict[tuple[int, datetime], tuple[int, ...]] = {}
_lock = threading.Lock()
values.forget_with(_known.clear)


def winners(tournaments: Iterable[Tournament]) -> dict[int, list[Entry]]:
    """The entrants in first place of each finished event, by its key; tests and ladders have none.

    Standings are worked out once for each end of an event: if a pair is voided later, the event has another
    end when that pair has been played again.
    """
    places = {
        one.pk: _first(one, one.finished_at) for one in tournaments if one.finished_at and _has_one(one)
    }
    keys = [key for first in places.values() for key in first]
    entries = Entry.objects.select_related("version__bot").in_bulk(keys)
    return {pk: [entries[key] for key in first if key in entries] for pk, first in places.items()}


def _has_one(tournament: Tournament) -> bool:
    endless = (Tournament.Format.LADDER, Tournament.Format.SPRT)
    return tournament.status == Tournament.Status.FINISHED and tournament.format not in endless


def _first(tournament: Tournament, finished: datetime) -> tuple[int, ...]:
    key = (tournament.pk, finished)
    found = _known.get(key)
    if found is None:
        ordered = tournament_standings(tournament)
        found = tuple(one.entry.pk for one in ordered if one.row.place == 1 and one.row.games)
        with _lock:
            if len(_known) >= MOST:
                _known.clear()
            _known[key] = found
    return found
