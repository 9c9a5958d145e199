"""Where the matches of a tournament stand, by their accepted pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.formats.matches import MatchPair, count_points, state
from tournaments.models import Pair, Pairing, Tournament

if TYPE_CHECKING:
    from analysis.formats.matches import MatchRule, MatchState

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
