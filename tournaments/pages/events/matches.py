"""Matches in a crosstable and on the page of two who met; the sheets themselves are in `sheets`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from tournaments.models import Pairing
from tournaments.pages.events.meetings import meeting_url, sheet_url

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match as one of the two sees it; `won` is who has won it, nobody if it was `drawn` or is not over."""

    round: int
    url: str
    score: str
    won: str
    drawn: bool


def matches_of(tournament: Tournament, one: Entry, other: Entry) -> list[MatchRow]:
    """The matches of two entrants, round by round; none where pairs are counted one by one."""
    if tournament.match_rule is None:
        return []
    met = Q(first=one, second=other) | Q(first=other, second=one)
    found = []
    for pairing in tournament.pairings.filter(met):
        mine, theirs = pairing.points_first, pairing.points_second
        first, second = one, other
        if pairing.first_id != one.pk:
            mine, theirs, first, second = theirs, mine, other, one
        winner = {"first": first, "second": second}.get(pairing.match)
        found.append(
            MatchRow(
                pairing.round,
                sheet_url(tournament, pairing),
                f"{mine}–{theirs}",
                str(winner.version) if winner else "",
                pairing.match == Pairing.Match.DRAWN,
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class MatchCell:
    """What two made against each other on their sheets, ``312–280``, and where to read it."""

    score: str
    url: str


def match_cells(
    tournament: Tournament, entries: Mapping[int, Entry], labels: Sequence[str] = ()
) -> dict[tuple[int, int], MatchCell]:
    """For each (row, column) of entries' keys that have begun a match: the cell; a single sheet is linked.

    With `labels`, only matches of these groups.
    """
    met: dict[tuple[int, int], list[Pairing]] = {}
    begun = tournament.pairings.filter(second__isnull=False, pairs_made__gt=0)
    for one in begun.filter(label__in=labels) if labels else begun:
        if one.second_id is not None:
            met.setdefault((one.first_id, one.second_id), []).append(one)
            met.setdefault((one.second_id, one.first_id), []).append(one)
    cells = {}
    for (row, column), pairings in met.items():
        made = [one.points_first if one.first_id == row else one.points_second for one in pairings]
        against = sum(one.points_first + one.points_second for one in pairings) - sum(made)
        url = sheet_url(tournament, pairings[0])
        if len(pairings) > 1:
            url = meeting_url(tournament, entries[row], entries[column])
        cells[row, column] = MatchCell(f"{sum(made)}–{against}", url)
    return cells
