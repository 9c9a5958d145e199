"""Matches to points: scored when a pair is accepted or voided, given another pair while they are not over."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import F

from analysis.formats.matches import MatchPair, count_points, mean_pairs, request_rule, samples, state
from tournaments.models import Pair, Pairing, Tournament

if TYPE_CHECKING:
    from analysis.formats.matches import MatchRule, MatchState
    from tournaments.events.creation import NewTournament
    from tournaments.models import Tournament

AT_ONCE = 100
"""Recent pairs that an estimate looks at."""


def match_state(rule: MatchRule, pairing_id: int) -> MatchState:
    """Where a match stands after its accepted pairs."""
    live = Pair.objects.filter(pairing=pairing_id).exclude(status=Pair.Status.VOID)
    return state(rule, count_points(map(as_counted, live)))


def as_counted(pair: Pair) -> MatchPair:
    """A pair as the rule of a match sees it."""
    points = (pair.points_first or 0, pair.points_second or 0)
    return MatchPair(pair.number, pair.status == Pair.Status.ACCEPTED, points)


def open_rounds(tournament: Tournament) -> set[int]:
    """The rounds in which a match may still need pairs, and so deals."""
    if tournament.match_rule is None:
        return set()
    undecided = tournament.pairings.filter(match=Pairing.Match.OPEN, second__isnull=False)
    return set(undecided.values_list("round", flat=True))


def recent_points(variant: str) -> list[tuple[int, int]]:
    """Both sides' points of the pairs of a variant that were accepted last."""
    pairs = Pair.objects.filter(
        pairing__tournament__variant=variant,
        pairing__tournament__players=2,
        status=Pair.Status.ACCEPTED,
        points_first__isnull=False,
    ).order_by("-pk")
    return [
        (first or 0, second or 0)
        for first, second in pairs.values_list("points_first", "points_second")[:AT_ONCE]
    ]


def with_match(new: NewTournament, kind: str, target: int) -> NewTournament:
    """The same, of matches: to a number of points, or over a number of deals (`analysis.formats.matches`).

    How long one takes is measured by pairs of the variant that were played lately. Raises InvalidTournament.
    """
    recent = recent_points(new.variant)
    rule = request_rule(new.variant, kind, target, recent)
    expected = math.ceil(mean_pairs(rule, samples(new.variant, recent)))
    return replace(new, pairs_per_pairing=expected, options={**new.options, **rule.as_options()})


def score_match(tournament: Tournament, pairing_id: int) -> None:
    """Write down a pairing's score by its accepted pairs, if the tournament is of matches.

    Call in the transaction that changed a pair: of two that end at once, the second sees the first.
    """
    rule = tournament.match_rule
    if rule is None:
        return
    pairing = Pairing.objects.select_for_update(of=("self",)).get(pk=pairing_id)
    found = match_state(rule, pairing_id)
    Pairing.objects.filter(pk=pairing_id).update(
        points_first=found.points[0],
        points_second=found.points[1],
        match=forfeited_match(pairing) or found.result,
    )


def forfeited_match(pairing: Pairing) -> str:
    """Who won a match to points because the other one left the event; empty if nobody did."""
    if pairing.forfeited_by_id is None:
        return ""
    first = pairing.won_by_forfeit == pairing.first_id
    return Pairing.Match.FIRST if first else Pairing.Match.SECOND


def extend_matches(tournament: Tournament) -> int:
    """Plan another pair for the matches that are played so far and not over; how many there are.

    Call with the tournament's row locked.
    """
    if tournament.match_rule is None:
        return 0
    return tournament.pairings.filter(
        second__isnull=False, match=Pairing.Match.OPEN, pairs_done__gte=F("pairs_planned")
    ).update(pairs_planned=F("pairs_planned") + 1)
