"""Where a knock-out tournament stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F

from analysis.formats.bracket import Node, State, bracket, resolve
from analysis.formats.knockout import EXTRA_PAIRS, MATCH_POINTS, PlayedMatch, winners
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Entry

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
    keys: dict[str, int] = {}
    played: list[PlayedMatch] = []
    for pairing in tournament.pairings.filter(pairs_done__gte=F("pairs_planned")):
        points = (pairing.wins + pairing.draws / 2, pairing.losses + pairing.draws / 2)
        margin, extra = pairing.margin_sum, pairing.pairs_planned - tournament.pairs_per_pairing
        if tournament.match_rule is not None:
            if not pairing.match:
                continue  # another pair is about to be planned
            points, extra = MATCH_POINTS[pairing.match], EXTRA_PAIRS
            margin = pairing.points_first - pairing.points_second
        one, other = pairing.entry_ids
        keys[pairing.label] = pairing.pk
        played.append(PlayedMatch(pairing.label, (one, other), points, margin, extra))
    won, level = winners(played, {entry.pk: entry.number for entry in entries})
    nodes = bracket(len(entries), double=tournament.format == Tournament.Format.DOUBLE_ELIMINATION)
    state = resolve([entry.pk for entry in entries], nodes, won)
    return Bracket(nodes, state, won, [keys[label] for label in level])
