"""Matches: two bots play pairs until one has enough points and is ahead, or for a number of deals.

A pair is one deal in both seats, so neither side has the better cards. After each whole pair both games'
points are added to each side's total. A match to points ends when a side has reached the target and is ahead.
A match over a number of deals ends after that many pairs. While the sides are level, another pair is played.
A match without a winner after `most` pairs is drawn.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.errors import InvalidTournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

POINTS: Final = "points"
DEALS: Final = "deals"

CHOSEN: Final = {POINTS: (10, 2_000), DEALS: (1, 50)}
"""The bounds of what can be chosen."""

LEAST_MOST: Final = 10
"""The fewest pairs after which a match without a winner is drawn."""


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
