"""A tournament's table as pages show it: standings with tie-breaks, and the crosstable with its intervals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from tournaments.domain.intervals import Interval, score_interval
from tournaments.domain.scores import margins
from tournaments.domain.standings import Meeting, Row, crosstable, standings
from tournaments.models import Pair, Pairing, Result
from tournaments.selectors.ratings import PENTA

if TYPE_CHECKING:
    from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant with its row; tie-breaks and place are the row's."""

    entry: Entry
    row: Row


@dataclass(frozen=True, slots=True)
class Cell:
    """What the row's entrant made against the column's; `significant` if ½ lies outside the 95 % interval."""

    meeting: Meeting
    interval: Interval | None

    @property
    def points(self) -> float:
        """The row's points in these games."""
        return self.meeting.wins + self.meeting.draws / 2

    @property
    def games(self) -> int:
        """Games in accepted pairs."""
        return self.meeting.wins + self.meeting.draws + self.meeting.losses

    @property
    def significant(self) -> bool:
        """Whether one is better than the other at the 5 % level."""
        return self.interval is not None and self.interval.excludes(0.5)


def tournament_standings(tournament: Tournament) -> list[Standing]:
    """All entrants, best first, in two queries."""
    entries = {
        entry.pk: entry
        for entry in tournament.entries.select_related("version__bot__owner").order_by("number")
    }
    rows = standings(list(entries), meetings(tournament), bye_points(tournament))
    return [Standing(entries[row.entrant], row) for row in rows]


def tournament_crosstable(tournament: Tournament) -> dict[tuple[int, int], Cell]:
    """For each (row, column) of entries' keys that have met: the cell."""
    cells = crosstable(meetings(tournament))
    return {key: Cell(meeting, score_interval(meeting.penta)) for key, meeting in cells.items()}


def meetings(tournament: Tournament) -> list[Meeting]:
    """What entrants have made against each other so far; in groups everyone plays everyone."""
    if tournament.players > 2:
        return group_meetings(tournament)
    rows = Pairing.objects.filter(tournament=tournament, second__isnull=False, pairs_done__gt=0)
    # Plain rows: of 19,900 pairings the objects alone would cost half a second.
    return [
        Meeting(first, second, wins, draws, losses, tuple(penta), 2 * margin)
        for first, second, wins, draws, losses, margin, *penta in rows.values_list(
            "first", "second", "wins", "draws", "losses", "margin_sum", *PENTA
        )
    ]


def group_meetings(tournament: Tournament) -> list[Meeting]:
    """Each game of several seats as a meeting of each two of its seats: won by whoever is ranked higher."""
    results = Result.objects.filter(
        game__tournament=tournament, game__pair__status=Pair.Status.ACCEPTED
    ).prefetch_related("game__seats")
    found = []
    for result in results:
        seats = {seat.seat: seat.entry_id for seat in result.game.seats.all()}
        rank = {seat: place for place, group in enumerate(result.ranking) for seat in group}
        worth = margins(result.points, result.left, result.culprit)
        for one, other in combinations(sorted(seats), 2):
            ahead, behind = rank[one] < rank[other], rank[one] > rank[other]
            found.append(
                Meeting(
                    seats[one],
                    seats[other],
                    int(ahead),
                    int(not (ahead or behind)),
                    int(behind),
                    margin=(worth[one] - worth[other]) * (len(seats) - 1) / len(seats),
                )
            )
    return found


def bye_points(tournament: Tournament) -> dict[int, float]:
    """What byes were worth, by entry: half of the games of a round."""
    worth = tournament.players * tournament.pairs_per_pairing / 2
    found: dict[int, float] = {}
    for entry in tournament.pairings.filter(second=None).values_list("first", flat=True):
        found[entry] = found.get(entry, 0.0) + worth
    return found
