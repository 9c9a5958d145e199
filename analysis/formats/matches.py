"""Matches: two bots play pairs until one has enough points and is ahead, or for a number of deals.

A pair is one deal in both seats, so neither side has the better cards. After each whole pair both games'
points are added to each side's total. A match to points ends when a side has reached the target and is ahead.
A match over a number of deals ends after that many pairs. While the sides are level, another pair is played.
A match without a winner after `most` pairs is drawn.

How long a match will be is estimated by resampling pairs that were played: stored ones, until enough of the
variant have been played on the site itself.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.errors import InvalidTournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Points = tuple[int, int]

POINTS: Final = "points"
DEALS: Final = "deals"

CHOSEN: Final = {POINTS: (10, 2_000), DEALS: (1, 50)}
"""The bounds of what can be chosen."""

LEAST_MOST: Final = 10
"""The fewest pairs after which a match without a winner is drawn."""
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


@dataclass(frozen=True, slots=True)
class MatchRule:
    """The length of a match: `target` points or deals, as `kind` says. It is drawn after `most` pairs."""

    kind: str
    target: int
    most: int

    @property
    def words(self) -> str:
        """``to 300 points``, ``of 10 deals``."""
        if self.kind == POINTS:
            return f"to {self.target} points"
        return f"of {self.target} deal{'' if self.target == 1 else 's'}"

    def as_options(self) -> dict[str, Any]:
        """Return the rule as a tournament's options store it."""
        return {"match": asdict(self)}


@dataclass(frozen=True, slots=True)
class MatchState:
    """The state of a match after the `pairs` that count. `winner` is 0 or 1, or None if open or drawn."""

    points: tuple[int, int]
    pairs: int
    over: bool
    winner: int | None

    @property
    def result(self) -> str:
        """``first``, ``second`` or ``drawn``; empty while the match goes on."""
        if not self.over:
            return ""
        return "drawn" if self.winner is None else ("first", "second")[self.winner]

    @property
    def margin(self) -> int:
        """How many points the first side is ahead."""
        return self.points[0] - self.points[1]


def rule_of(options: Mapping[str, Any]) -> MatchRule | None:
    """Return the rule in a tournament's options; None if pairs are counted one by one."""
    found = options.get("match")
    return MatchRule(found["kind"], found["target"], found["most"]) if found else None


def targets(variant: str) -> tuple[int, ...]:
    """The points to which the rules say that matches are played, the usual ones first (RULES 6, 7).

    Empty where the organiser chooses, and for an unknown variant.
    """
    found = engine.VARIANTS.get(variant)
    return found.targets if found else ()


def check(variant: str, kind: str, target: int) -> None:
    """Raise InvalidTournament unless this match is possible in the variant."""
    if kind not in CHOSEN:
        raise InvalidTournament("Choose a match to points or of deals.", "match")
    allowed = targets(variant) if kind == POINTS else ()
    if allowed and target not in allowed:
        named = " or ".join(str(one) for one in allowed)
        raise InvalidTournament(f"A match in this game goes to {named} points.", "target")
    if variant not in engine.VARIANTS or not engine.variant(variant).has_points:
        raise InvalidTournament("This game is not scored in points, so it has no matches.", "match")
    least, most = CHOSEN[kind]
    if not least <= target <= most:
        raise InvalidTournament(
            f"A match can have {least} to {most:,} {kind}. You asked for {target:,}.", "target"
        )


@dataclass(frozen=True, slots=True)
class MatchPair:
    """A pair of a match that is not void: number (from 1), whether it is accepted, both sides' points."""

    number: int
    accepted: bool
    points: tuple[int, int]


def count_points(live: Iterable[MatchPair]) -> list[tuple[int, int]]:
    """Return the points of the pairs that count, in order, up to the first not accepted.

    A pair that was voided and is played again counts before those that were played after it.
    """
    found: list[tuple[int, int]] = []
    for pair in sorted(live, key=lambda one: one.number):
        if pair.number != len(found) + 1 or not pair.accepted:
            break
        found.append(pair.points)
    return found


def state(rule: MatchRule, pairs: Iterable[tuple[int, int]]) -> MatchState:
    """Return the state of a match after these pairs (both sides' points, in the order of their numbers).

    Pairs played after the end of the match do not count.
    """
    first = second = count = 0
    for one, other in pairs:
        count, first, second = count + 1, first + one, second + other
        enough = count >= rule.target if rule.kind == DEALS else max(first, second) >= rule.target
        if enough and first != second:
            return MatchState((first, second), count, over=True, winner=int(second > first))
        if count >= rule.most:
            return MatchState((first, second), count, over=True, winner=None)
    return MatchState((first, second), count, over=False, winner=None)


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
