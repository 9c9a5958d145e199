"""Computes how large a tournament will be, before it is created."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.errors import InvalidTournament
from analysis.formats import circle
from analysis.formats.groups import check, group_rounds, meetings_of, snake

if TYPE_CHECKING:
    from analysis.formats.groups import GroupRule


@dataclass(frozen=True, slots=True)
class Size:
    """Rounds, pairings, pairs and games of a tournament; upper limits where results decide."""

    rounds: int
    pairings: int
    pairs: int
    games: int

    def seconds(self, seconds_a_game: float, at_once: int) -> float:
        """Estimate the duration with `at_once` games running in parallel."""
        return math.ceil(self.games / max(1, at_once)) * seconds_a_game


def size(
    kind: str,
    entrants: int,
    *,
    players: int,
    cycles: int,
    rounds: int,
    pairs: int,
    groups: GroupRule | None = None,
) -> Size:
    """Return the size of a tournament. Raises InvalidTournament if the number of entrants does not fit.

    `pairs` is the number per pairing; in a sequential test, the most that are played. `groups` is the rule of
    a tournament that has some.
    """
    least = 2 if players == 2 else players
    if entrants < least:
        raise InvalidTournament(f"Choose at least {least} bots. You chose {entrants}.", "versions")
    if players != 2 and kind != "round-robin":
        raise InvalidTournament(f"With {players} seats, only a round-robin is possible.", "format")
    if kind == "groups" and groups is not None:
        return _staged(groups.for_entrants(entrants), entrants, cycles, pairs)
    count = _counts(kind, entrants, players, cycles, rounds)
    return Size(count[0], count[1], count[1] * pairs, count[1] * pairs * players)


def _staged(rule: GroupRule, entrants: int, cycles: int, pairs: int) -> Size:
    """Return the size of groups with a knock-out after them."""
    check(rule, entrants)
    met = sum(meetings_of(len(group), cycles) for group in snake(range(entrants), rule.groups))
    matches = rule.qualifiers - 1
    rounds = group_rounds(entrants, rule.groups, cycles) + matches.bit_length()
    played = met * pairs + matches * (rule.knockout_pairs or pairs)
    return Size(rounds, met + matches, played, 2 * played)


def _counts(kind: str, entrants: int, players: int, cycles: int, rounds: int) -> tuple[int, int]:
    """Return rounds and pairings; upper limits where results decide."""
    doublings = (entrants - 1).bit_length()
    groups = math.comb(entrants, players) * cycles
    most = circle.rounds(entrants)
    if kind == "swiss" and not 1 <= rounds <= most:
        raise InvalidTournament(
            f"With {entrants} entrants, a Swiss has 1 to {most} rounds. You asked for {rounds}.", "rounds"
        )
    if kind == "sprt" and entrants != 2:
        raise InvalidTournament(f"A test compares two versions. You chose {entrants}.", "versions")
    counts = {
        "round-robin": (most * cycles if players == 2 else groups, groups),
        "gauntlet": (cycles, (entrants - 1) * cycles),
        "swiss": (rounds, entrants // 2 * rounds),
        "single-elimination": (doublings, entrants - 1),
        "double-elimination": (2 * doublings + 1, 2 * entrants - 1),
        "sprt": (1, 1),
    }
    if kind not in counts:
        raise InvalidTournament("Choose a format from the list.", "format")
    return counts[kind]
