"""Where a knock-out tournament stands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from analysis.formats.bracket import (
    MATCH_POINTS,
    Node,
    PlayedMatch,
    State,
    bracket,
    most_extra,
    resolve,
    went_on,
    winners,
)
from analysis.formats.groups import in_group
from tournaments.models import Pairing, Tournament
from tournaments.pairing.groups import group_stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Entry
    from tournaments.pairing.groups import GroupStage

KNOCK_OUT = (Tournament.Format.SINGLE_ELIMINATION, Tournament.Format.DOUBLE_ELIMINATION)
BRACKETED = (*KNOCK_OUT, Tournament.Format.GROUPS)
"""Formats that have a bracket, at the latest in the end."""


class DecidedBy(StrEnum):
    """What decided a match of a bracket."""

    SCORE = "score"
    EXTRA_PAIRS = "extra-pairs"
    MARGIN = "margin"
    GROUP_PLACE = "group-place"
    SEEDING = "seeding"
    FORFEIT = "forfeit"
    EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Bracket:
    """The matches there are, what is known of them, the winner (entry's key) of each that is over by label.

    `seeds` are the entrants' keys by their seeds, None where nobody is known yet. `level` are the keys of
    pairings that are played but not decided: another pair must be played. `stage` are the groups before the
    knock-out, if there were any. `earlier` are the labels of matches that ended otherwise than when the next
    one was made, as a pair was voided since.
    """

    nodes: list[Node]
    state: State
    winners: dict[str, int]
    level: list[int]
    seeds: Sequence[int | None]
    stage: GroupStage | None = None
    earlier: frozenset[str] = frozenset()

    def rounds_won(self) -> dict[int, int]:
        """How many matches each entrant (by key) has won; byes are none."""
        return Counter(self.winners.values())

    def decided_by(self, tournament: Tournament, pairing: Pairing) -> DecidedBy | None:
        """What decided a match, None while it is open and for meetings of groups and byes."""
        if pairing.label not in self.winners:
            return None
        if pairing.label in self.earlier or pairing.forfeited_by_id is not None:
            return DecidedBy.EARLIER if pairing.label in self.earlier else DecidedBy.FORFEIT
        if tournament.match_rule is not None:
            level = pairing.match == Pairing.Match.DRAWN
            margin = float(pairing.points_first - pairing.points_second)
        else:
            level = pairing.wins == pairing.losses
            margin = pairing.margin_sum
            if not level and pairing.pairs_planned > tournament.knockout_pairs:
                return DecidedBy.EXTRA_PAIRS
        if not level:
            return DecidedBy.SCORE
        if margin:
            return DecidedBy.MARGIN
        slots = self.stage.slots if self.stage else {}
        places = {slots[key].place for key in pairing.entry_ids if key in slots}
        return DecidedBy.GROUP_PLACE if len(places) > 1 else DecidedBy.SEEDING


def find_bracket(tournament: Tournament) -> Bracket | None:
    """The bracket of an event that has one, or will, and at least two entrants; None before the groups are
    drawn up."""
    if tournament.format not in BRACKETED:
        return None
    entries = list(tournament.entries.order_by("number"))
    if len(entries) < 2:
        return None
    found = current_bracket(tournament, entries)
    return None if tournament.group_rule and found.stage is None else found


def current_bracket(tournament: Tournament, entries: Sequence[Entry]) -> Bracket:
    """The bracket after the finished matches; `entries` in the order of their seeds.

    After groups it is that of those who advance.
    """
    stage = group_stage(tournament, entries)
    seeds: Sequence[int | None] = stage.seeds if stage else [entry.pk for entry in entries]
    nodes = bracket(len(seeds), double=tournament.format == Tournament.Format.DOUBLE_ELIMINATION)
    keys: dict[str, int] = {}
    met: dict[str, Sequence[int]] = {}
    played: list[PlayedMatch] = []
    for pairing in tournament.pairings.filter(second__isnull=False):
        if stage and in_group(pairing.label):
            continue
        one, other = met[pairing.label] = pairing.entry_ids
        if pairing.pairs_done < pairing.pairs_planned:
            continue
        points = (pairing.wins + pairing.draws / 2, pairing.losses + pairing.draws / 2)
        margin, extra = pairing.margin_sum, pairing.pairs_planned - tournament.knockout_pairs
        most = most_extra(pairing.label, nodes, tournament.options)
        if pairing.forfeited_by_id is not None:
            points = MATCH_POINTS["first" if pairing.won_by_forfeit == one else "second"]
        elif tournament.match_rule is not None:
            if not pairing.match:
                continue  # another pair is about to be planned
            points, extra = MATCH_POINTS[pairing.match], most
            margin = pairing.points_first - pairing.points_second
        keys[pairing.label] = pairing.pk
        played.append(PlayedMatch(pairing.label, (one, other), points, margin, extra, most))
    better = stage.better if stage else {entry.pk: entry.number for entry in entries}
    won, level = winners(played, better)
    stands = went_on(nodes, won, met)
    return Bracket(
        nodes,
        resolve(seeds, nodes, stands),
        {label: stands[label] for label in keys if label in stands},
        [keys[label] for label in level if label not in stands],
        seeds,
        stage,
        frozenset(label for label in keys if stands.get(label) != won.get(label)),
    )
