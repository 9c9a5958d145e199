"""Where a knock-out tournament stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F

from tournaments.domain.bracket import Node, State, bracket, resolve
from tournaments.domain.knockout import EXTRA_PAIRS, goes_on
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Entry


MATCH_POINTS = {"first": (1.0, 0.0), "second": (0.0, 1.0), "drawn": (0.5, 0.5)}
"""What a match to points is worth to both."""

KNOCK_OUT = (Tournament.Format.SINGLE_ELIMINATION, Tournament.Format.DOUBLE_ELIMINATION)


@dataclass(frozen=True, slots=True)
class Bracket:
    """The matches there are, what is known of them, the winner (entry's key) of each that is over by label.

    `level` are the keys of pairings that are played but not decided: another pair must be played.
    """

    nodes: list[Node]
    state: State
    winners: dict[str, int]
    level: list[int]


def current_bracket(tournament: Tournament, entries: Sequence[Entry]) -> Bracket:
    """The bracket after the finished matches; `entries` in the order of their seeds."""
    seeds = {entry.pk: entry.number for entry in entries}
    winners: dict[str, int] = {}
    level: list[int] = []
    for pairing in tournament.pairings.filter(pairs_done__gte=F("pairs_planned")):
        one, other = pairing.entry_ids
        points = (pairing.wins + pairing.draws / 2, pairing.losses + pairing.draws / 2)
        margin, extra = pairing.margin_sum, pairing.pairs_planned - tournament.pairs_per_pairing
        if tournament.match_rule is not None:
            if not pairing.match:
                continue  # another pair is about to be planned
            points, extra = MATCH_POINTS[pairing.match], EXTRA_PAIRS
            margin = pairing.points_first - pairing.points_second
        winner = goes_on(points, margin, (seeds[one], seeds[other]), extra)
        if winner is None:
            level.append(pairing.pk)
        else:
            winners[pairing.label] = (one, other)[winner]
    double = tournament.format == Tournament.Format.DOUBLE_ELIMINATION
    nodes = bracket(len(entries), double=double)
    return Bracket(nodes, resolve([entry.pk for entry in entries], nodes, winners), winners, level)
