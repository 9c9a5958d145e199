"""How bots ended the events of a season, and the table over them.

Only events that are finished count: not while they hide results, nor while a voided pair is played again,
nor if they were cancelled.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.web.cache import values
from tournaments.events.standings import tournament_standings
from tournaments.models import Tournament
from tournaments.series.points import Finish, Score, SeriesRow, scores, series_table
from tournaments.series.seasons import events_of, places_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from tournaments.series.models import Season, SeasonEvent

MOST: Final = 5_000
"""Events whose places a process remembers; with more it forgets those that it worked out first."""

_known: dict[tuple[int, datetime], tuple[Finish, ...]] = {}
_lock = threading.Lock()
values.forget_with(_known.clear)


def counts(tournament: Tournament) -> bool:
    """Whether the results of an event count."""
    return tournament.status == Tournament.Status.FINISHED and not tournament.hides_results


def table_of(season: Season, events: Iterable[SeasonEvent]) -> list[SeriesRow]:
    """The table of a season over those of its events that count, by the key of each."""
    got: dict[int, dict[int, Score]] = {
        one.tournament_id: scores(season.scheme, season.points, finishes(one.tournament))
        for one in events
        if counts(one.tournament)
    }
    return series_table(got, season.best)


def finishes(tournament: Tournament) -> tuple[Finish, ...]:
    """How the versions that played ended a finished event.

    They are worked out once for each end of an event: if a pair is voided later, the event has another end
    when that pair has been played again.
    """
    if tournament.finished_at is None:
        return ()
    key = (tournament.pk, tournament.finished_at)
    found = _known.get(key)
    if found is None:
        found = _read(tournament)
        with _lock:
            while len(_known) >= MOST:
                _known.pop(next(iter(_known), key), None)
            _known[key] = found
    return found


def unknown(events: Iterable[SeasonEvent]) -> int:
    """How many of these events count and have yet to be worked out."""
    counted = (one.tournament for one in events if counts(one.tournament))
    return sum((one.pk, one.finished_at) not in _known for one in counted)


def _read(tournament: Tournament) -> tuple[Finish, ...]:
    rows = [(one.entry.version.bot_id, one.row) for one in tournament_standings(tournament) if one.row.games]
    sharing = Counter(row.place for _, row in rows)
    return tuple(Finish(bot, row.place, sharing[row.place], row.points / row.possible) for bot, row in rows)


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """The table of a season before any names are read: its rows, and its events in order."""

    season: Season
    rows: Sequence[SeriesRow]
    events: Sequence[SeasonEvent]

    @property
    def counting(self) -> frozenset[int]:
        """The keys of its events that count; of a closed season, those that counted when it was closed."""
        if not self.season.is_open:
            return frozenset(event for row in self.rows for event in row.scores)
        return frozenset(one.tournament_id for one in self.events if counts(one.tournament))

    @property
    def counted(self) -> int:
        """How many of its events count."""
        return len(self.counting)

    @property
    def expected(self) -> int:
        """How many events there are to be, as far as is known."""
        held = sum(one.tournament.status != Tournament.Status.CANCELLED for one in self.events)
        return max(self.season.planned, held)

    @property
    def first(self) -> list[int]:
        """The bots in first place."""
        return [row.bot for row in self.rows if row.place == 1]


def season_table(season: Season, events: Sequence[SeasonEvent] | None = None) -> SeasonTable:
    """The table of a season: worked out while it is open, as it was stored once it is closed."""
    if events is None:
        events = events_of([season])[season.pk]
    if season.is_open:
        return SeasonTable(season, table_of(season, events), events)
    rows = [
        SeriesRow(
            one.bot_id, one.place, one.points, {int(key): Score(**got) for key, got in one.scores.items()}
        )
        for one in places_of(season)
    ]
    return SeasonTable(season, rows, events)
