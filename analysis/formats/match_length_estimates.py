"""Estimates how long a match will be before it is created, by resampling pairs that were played.

The stored pairs are used until enough pairs of a variant have been played on the site itself.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from analysis.formats.matches import LEAST_MOST, POINTS, MatchRule, check, state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Points = tuple[int, int]

DRAWN: Final = 200
"""How many matches are simulated. With about five pairs per match, the mean is right to a few percent."""

LONGEST: Final = 200
"""The most pairs of any match."""

ENOUGH: Final = 20
"""With this many recent pairs, the stored ones are no longer used."""

# Points of 30 pairs a variant, both games of each added up: the greedy bot against the planner, in vitesse
# two that wait now and then.
_ITALIAN: Final = (
    (0, 78), (0, 86), (9, 37), (18, 70), (0, 92), (0, 49), (0, 98), (29, 22), (24, 0), (5, 23), (17, 0),
    (54, 56), (22, 19), (0, 47), (23, 12), (19, 37), (11, 0), (0, 111), (0, 72), (9, 26), (16, 20),
    (0, 86), (12, 20), (0, 13), (0, 116), (0, 46), (13, 29), (0, 61), (13, 14), (16, 21),
)  # fmt: skip
_CRAPETTE: Final = (
    (10, 54), (0, 78), (13, 59), (42, 45), (0, 66), (16, 45), (31, 41), (35, 36), (31, 41), (13, 52),
    (19, 40), (19, 44), (26, 32), (6, 51), (13, 60), (13, 47), (41, 23), (13, 53), (13, 55), (10, 40),
    (3, 63), (32, 34), (31, 36), (33, 25), (27, 26), (25, 34), (0, 73), (10, 48), (44, 22), (41, 44),
)  # fmt: skip
_RUSSIAN: Final = (
    (67, 88), (0, 106), (0, 146), (0, 127), (0, 103), (0, 146), (0, 118), (0, 127), (49, 63), (0, 124),
    (0, 137), (0, 139), (68, 77), (0, 88), (0, 164), (0, 166), (37, 91), (42, 35), (0, 143), (70, 99),
    (0, 150), (0, 145), (44, 94), (59, 71), (0, 111), (45, 96), (0, 155), (0, 132), (90, 65), (80, 0),
)  # fmt: skip
_VITESSE: Final = (
    (71, 73), (88, 58), (112, 132), (53, 98), (110, 83), (127, 68), (96, 73), (71, 101), (98, 116),
    (93, 86), (148, 69), (58, 50), (114, 110), (78, 65), (160, 95), (70, 80), (112, 112), (92, 95),
    (112, 80), (75, 100), (97, 73), (59, 87), (94, 77), (100, 94), (154, 70), (128, 131), (83, 77),
    (148, 75), (177, 65), (130, 75),
)  # fmt: skip
KEPT: Final[Mapping[str, Sequence[Points]]] = {
    "crapette": _CRAPETTE,
    "crapette-it": _ITALIAN,
    "crapette-it-strict": _ITALIAN,
    "russian-bank": _RUSSIAN,
    "vitesse": _VITESSE,
}


def mean_pairs(rule: MatchRule, played: Sequence[Points]) -> float:
    """Return how many pairs a match takes on average if its pairs are like the given ones."""
    dice = random.Random(1)  # noqa: S311  # the same estimate every time
    lengths = (state(rule, dice.choices(played, k=rule.most)).pairs for _ in range(DRAWN))
    return sum(lengths) / DRAWN


def samples(variant: str, recent: Sequence[Points] = ()) -> Sequence[Points]:
    """Return typical pairs of a variant: the recent ones if there are enough, otherwise the stored ones."""
    return recent if len(recent) >= ENOUGH else KEPT[variant]


def request_rule(variant: str, kind: str, target: int, recent: Sequence[Points] = ()) -> MatchRule:
    """Return the rule of a requested match, which is drawn after six times the average number of pairs.

    A match over a number of deals is drawn after ten more. Raises InvalidTournament.
    """
    check(variant, kind, target)
    endless = MatchRule(kind, target, LONGEST)
    if kind != POINTS:
        return replace(endless, most=target + LEAST_MOST)
    usual = mean_pairs(endless, samples(variant, recent))
    return replace(endless, most=min(LONGEST, max(LEAST_MOST, round(6 * usual))))
