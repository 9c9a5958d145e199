"""A tournament's table as pages show it: standings with tie-breaks, and the crosstable with its intervals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from tournaments.domain.intervals import Interval, score_interval
from tournaments.domain.scores import margins
from tournaments.domain.standings import Meeting, Row, crosstable, match_as_game, standings
from tournaments.models import Pair, Pairing, Result
from tournaments.selectors.ratings import PENTA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tournaments.models import Entry, Tournament


AT_ONCE = 1_000
"""Keys in one query; databases limit how many there may be."""


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
    if tournament.match_rule is not None:
        return [match_meeting(one) for one in rows if one.match]
    # Plain rows: of 19,900 pairings the objects alone would cost half a second.
    return [
        Meeting(first, second, wins, draws, losses, tuple(penta), 2 * margin)
        for first, second, wins, draws, losses, margin, *penta in rows.values_list(
            "first", "second", "wins", "draws", "losses", "margin_sum", *PENTA
        )
    ]


def match_meeting(pairing: Pairing) -> Meeting:
    """A match to points that is over, counted as one game; the margin is that of its sheet."""
    margin = pairing.points_first - pairing.points_second
    if pairing.second_id is None:
        raise ValueError(f"expected two who met, got a bye of entry {pairing.first_id}")
    return match_as_game(pairing.first_id, pairing.second_id, pairing.match, margin)


def group_results(tournament: Tournament, pairs: Sequence[int] | None = None) -> Iterable[Result]:
    """Results with seats of the accepted pairs, or of those pairs alone, a thousand at a time."""
    results = (
        Result.objects.filter(game__tournament=tournament).prefetch_related("game__seats").order_by("pk")
    )
    if pairs is None:
        return results.filter(game__pair__status=Pair.Status.ACCEPTED)
    return [
        result
        for start in range(0, len(pairs), AT_ONCE)
        for result in results.filter(game__pair__in=pairs[start : start + AT_ONCE])
    ]


def group_meetings(tournament: Tournament, pairs: Sequence[int] | None = None) -> list[Meeting]:
    """Each game of several seats as a meeting of each two of its seats: won by whoever is ranked higher."""
    results = group_results(tournament, pairs)
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
    return _bye_points(tournament, tournament.pairings.filter(second=None).values_list("first", flat=True))


def _bye_points(tournament: Tournament, firsts: Iterable[int]) -> dict[int, float]:
    worth = 0.5 if tournament.match_rule else tournament.players * tournament.pairs_per_pairing / 2
    found: dict[int, float] = {}
    for entry in firsts:
        found[entry] = found.get(entry, 0.0) + worth
    return found


def rows_of(
    tournament: Tournament, entries: Sequence[int], pairings: Sequence[Pairing], pairs: Sequence[Pair]
) -> list[Row]:
    """The rows that follow from these pairings and pairs, whatever was accepted since they were read."""
    if tournament.players > 2:
        accepted = [pair.pk for pair in pairs if pair.status == Pair.Status.ACCEPTED]
        met = group_meetings(tournament, accepted)
    elif tournament.match_rule is not None:
        met = [match_meeting(one) for one in pairings if one.match]
    else:
        met = [
            Meeting(
                one.first_id, one.second_id, one.wins, one.draws, one.losses, one.penta, 2 * one.margin_sum
            )
            for one in pairings
            if one.second_id is not None and one.pairs_done
        ]
    byes = _bye_points(tournament, [one.first_id for one in pairings if one.second_id is None])
    return standings(list(entries), met, byes)
