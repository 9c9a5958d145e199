"""Standings and crosstables from the results of each pairing so far.

A win is worth 1 and a draw ½. In matches to points, a match counts as one game. Ties on points are broken as
in chess tournaments, in this order: points scored against the entrants one is tied with (head-to-head), if
all of them met each other equally often, as otherwise it would say who met more of them; Sonneborn-Berger,
here the sum over opponents of the points scored against each times the opponent's points per game (a
fraction, so that an unfinished table is not skewed); Buchholz, the sum over games of the opponent's points
per game; the mean margin. Entrants that are equal in everything share a place.

A bye or a forfeit is no game, and costs neither its points nor tie-breaks: for Sonneborn-Berger and Buchholz
it counts as games against a virtual opponent that has as many points per game as oneself, byes and forfeits
included (the dummy opponent of the FIDE handbook, C.07, article 16, of 1 August 2024). What opponents
have per game, and the mean margin, are of games that were played.

In a gauntlet one entrant has many more games than the others, so points and tie-breaks are compared per game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Meeting:
    """The accepted pairs of one pairing, counted in single games, as `first` sees them.

    `penta[k]` are the pairs with k half points of 4 for the first, `margin` its margins summed over games.
    `unplayed` of the games were forfeited (`forfeit`), so they have no margin.
    """

    first: int
    second: int
    wins: int
    draws: int
    losses: int
    penta: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    margin: float = 0.0
    unplayed: int = 0

    def reverse(self) -> Meeting:
        """The same as `second` sees it."""
        penta = (self.penta[4], self.penta[3], self.penta[2], self.penta[1], self.penta[0])
        counts = (self.losses, self.draws, self.wins)
        return Meeting(self.second, self.first, *counts, penta, -self.margin, self.unplayed)


def match_as_game(first: int, second: int, result: str, margin: int) -> Meeting:
    """Return a match to points (`matches.MatchState`) as one game with the margin of its score sheet."""
    won, drawn, lost = (int(result == one) for one in ("first", "drawn", "second"))
    return Meeting(first, second, won, drawn, lost, margin=margin)


def forfeit(entrants: Sequence[int], by: int, games: int) -> list[Meeting]:
    """Return the games that were not played because the entrant `by` left: it lost each of them.

    With more than two seats the others are level among themselves.
    """
    return [
        Meeting(
            one,
            other,
            wins=games * (other == by),
            draws=games * (by not in (one, other)),
            losses=games * (one == by),
            unplayed=games,
        )
        for one, other in combinations(entrants, 2)
    ]


@dataclass(slots=True)
class Row:
    """One entrant's line; `margin_sum` over games, `bonus` for byes, tie-breaks filled in by `standings`.

    `unplayed` of its games were forfeited, by it or to it, with `awarded` points. `opponents` has points and
    games against each that were played. `per_game` is whether places go by points per game.
    """

    entrant: int
    wins: int = 0
    draws: int = 0
    losses: int = 0
    bonus: float = 0.0
    margin_sum: float = 0.0
    unplayed: int = 0
    awarded: float = 0.0
    per_game: bool = False
    head_to_head: float = 0.0
    sonneborn_berger: float = 0.0
    buchholz: float = 0.0
    place: int = 0
    tied: bool = False
    opponents: dict[int, list[float]] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """Games played, and those that were forfeited."""
        return self.wins + self.draws + self.losses

    @property
    def possible(self) -> float:
        """The most points it could have: one a game, and for each bye what its games could have brought."""
        return self.games + 2 * self.bonus

    @property
    def points(self) -> float:
        """One point for a win, half for a draw, plus the worth of byes: half of the points they stand for."""
        return self.wins + self.draws / 2 + self.bonus

    @property
    def rate(self) -> float:
        """Points per game that was played; ½ before the first."""
        played = self.games - self.unplayed
        return (self.points - self.bonus - self.awarded) / played if played else 0.5

    @property
    def margin(self) -> float:
        """Mean margin per game that was played."""
        played = self.games - self.unplayed
        return self.margin_sum / played if played else 0.0

    @property
    def score(self) -> float:
        """What the first comparison is by: points, or points per game."""
        return self._shared(self.points)

    def key(self) -> tuple[float, ...]:
        """The sort key that decides the place; larger is better. The tie-breaks are in their order."""
        sums = (self._shared(self.sonneborn_berger), self._shared(self.buchholz))
        return tuple(round(value, 9) for value in (self.score, self.head_to_head, *sums, self.margin))

    def _shared(self, whole: float) -> float:
        if not self.per_game:
            return whole
        return whole / self.possible if self.possible else 0.0


def standings(
    entrants: Sequence[int],
    meetings: Iterable[Meeting],
    bonus: Mapping[int, float] | None = None,
    *,
    per_game: bool = False,
) -> list[Row]:
    """Return the rows of all entrants, best first. Equals share a place and keep the order of `entrants`.

    `bonus` are points for byes. Meetings with anyone who is not an entrant are ignored. With `per_game`, for
    a gauntlet, the order is by points per game.
    """
    rows = {one: Row(one, bonus=(bonus or {}).get(one, 0.0), per_game=per_game) for one in entrants}
    for meeting in meetings:
        for view in (meeting, meeting.reverse()):
            if view.first in rows and view.second in rows:
                _count(rows[view.first], view)
    tied: dict[float, list[Row]] = {}
    for row in rows.values():
        tied.setdefault(round(row.score, 9), []).append(row)
        # The virtual opponent of byes and forfeits.
        own = row.points / row.possible if row.possible else 0.0
        row.sonneborn_berger = (row.bonus + row.awarded) * own
        row.buchholz = (2 * row.bonus + row.unplayed) * own
        for opponent, (points, games) in row.opponents.items():
            row.sonneborn_berger += points * rows[opponent].rate
            row.buchholz += games * rows[opponent].rate
    for group in tied.values():
        _meet_directly(group)
    ordered = sorted(rows.values(), key=Row.key, reverse=True)
    for index, row in enumerate(ordered):
        same = index > 0 and ordered[index - 1].key() == row.key()
        row.place = ordered[index - 1].place if same else index + 1
        if same:
            row.tied = ordered[index - 1].tied = True
    return ordered


def _meet_directly(group: Sequence[Row]) -> None:
    """Fill in head-to-head of those with equal points, if all of them met each other equally often."""
    met = {
        one.opponents.get(other.entrant, (0.0, 0.0))[1]
        for one in group
        for other in group
        if one is not other
    }
    if len(met) == 1 and 0 not in met:
        for row in group:
            row.head_to_head = sum(row.opponents[one.entrant][0] for one in group if one is not row)


def crosstable(meetings: Iterable[Meeting]) -> dict[tuple[int, int], Meeting]:
    """Return, for each (row, column) that met, the sum of their meetings as the row sees them."""
    cells: dict[tuple[int, int], Meeting] = {}
    for meeting in meetings:
        for view in (meeting, meeting.reverse()):
            key = (view.first, view.second)
            cells[key] = _sum(cells[key], view) if key in cells else view
    return cells


def _count(row: Row, view: Meeting) -> None:
    row.wins += view.wins
    row.draws += view.draws
    row.losses += view.losses
    row.margin_sum += view.margin
    if view.unplayed:
        row.unplayed += view.unplayed
        row.awarded += view.wins + view.draws / 2
        return
    against = row.opponents.setdefault(view.second, [0.0, 0.0])
    against[0] += view.wins + view.draws / 2
    against[1] += view.wins + view.draws + view.losses


def _sum(one: Meeting, other: Meeting) -> Meeting:
    penta = tuple(a + b for a, b in zip(one.penta, other.penta, strict=True))
    return Meeting(
        one.first,
        one.second,
        one.wins + other.wins,
        one.draws + other.draws,
        one.losses + other.losses,
        (penta[0], penta[1], penta[2], penta[3], penta[4]),
        one.margin + other.margin,
        one.unplayed + other.unplayed,
    )
