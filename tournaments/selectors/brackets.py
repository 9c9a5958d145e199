"""Where a knock-out tournament stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F

from analysis.formats.bracket import Node, State, bracket, resolve
from analysis.formats.groups import in_group
from analysis.formats.knockout import EXTRA_PAIRS, MATCH_POINTS, PlayedMatch, winners
from tournaments.models import Tournament
from tournaments.selectors.stages import group_stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Entry
    from tournaments.selectors.stages import GroupStage

KNOCK_OUT = (Tournament.Format.SINGLE_ELIMINATION, Tournament.Format.DOUBLE_ELIMINATION)
BRACKETED = (*KNOCK_OUT, Tournament.Format.GROUPS)
"""Formats that have a bracket, at the latest in the end."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """The matches there are, what is known of them, the winner (entry's key) of each that is over by label.

    `seeds` are the entrants' keys by their seeds, None where nobody is known yet. `level` are the keys of
    pairings that are played but not decided: another pair must be played. `stage` are the groups before the
    knock-out, if there were any.
    """

    nodes: list[Node]
    state: State
    winners: dict[str, int]
    level: list[int]
    seeds: Sequence[int | None]
    stage: GroupStage | None = None


def current_bracket(tournament: Tournament, entries: Sequence[Entry]) -> Bracket:
    """The bracket after the finished matches; `entries` in the order of their seeds.

    After groups it is that of those who advance.
    """
    stage = group_stage(tournament, entries)
    seeds: Sequence[int | None] = stage.seeds if stage else [entry.pk for entry in entries]
    keys: dict[str, int] = {}
    played: list[PlayedMatch] = []
    for pairing in tournament.pairings.filter(pairs_done__gte=F("pairs_planned"), second__isnull=False):
        if stage and in_group(pairing.label):
            continue
        one, other = pairing.entry_ids
        points = (pairing.wins + pairing.draws / 2, pairing.losses + pairing.draws / 2)
        margin, extra = pairing.margin_sum, pairing.pairs_planned - tournament.knockout_pairs
        if pairing.forfeited_by_id is not None:
            points = MATCH_POINTS["first" if pairing.won_by_forfeit == one else "second"]
        elif tournament.match_rule is not None:
            if not pairing.match:
                continue  # another pair is about to be planned
            points, extra = MATCH_POINTS[pairing.match], EXTRA_PAIRS
            margin = pairing.points_first - pairing.points_second
        keys[pairing.label] = pairing.pk
        played.append(PlayedMatch(pairing.label, (one, other), points, margin, extra))
    better = stage.better if stage else {entry.pk: entry.number for entry in entries}
    won, level = winners(played, better)
    nodes = bracket(len(seeds), double=tournament.format == Tournament.Format.DOUBLE_ELIMINATION)
    state = resolve(seeds, nodes, won)
    return Bracket(nodes, state, won, [keys[label] for label in level], seeds, stage)
