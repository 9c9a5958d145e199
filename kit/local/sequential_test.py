"""A sequential test on this machine: its pairs, their luck, and where it stands. What the site does, without
a site (`analysis.sequential_standing`).

A pair counts once all pairs begun before it are over, so that a quick game has no say before slow ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.luck.measurement import luck_of
from analysis.luck.policy_agreement import tallies
from analysis.scores import Leg, pair_outcome
from analysis.sequential_standing import SequentialStanding, luck_of_pair, standing
from analysis.values import measures_luck
from analysis.values.seat_policies import choose_policy, of_house
from kit.local.series import Fixture, Played, SeriesPlan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from analysis.values.seat_policies import SeatPolicy
    from analysis.verdicts.sprt import Hypotheses

TALLIED: Final = 20
"""How many of a bot's games are compared with the known policies."""


@dataclass(slots=True)
class JudgedGame:
    """A finished game; `words` are kept until its luck is measured.

    `luck` is that of seat 0 in the result and in the margin, `alike` the tallies of each seat
    (`analysis.luck.policy_agreement`).
    """

    played: Played
    words: list[str] | None = None
    luck: tuple[float, float] | None = None
    alike: list[dict[str, int]] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        more: dict[str, Any] = {"luck": self.luck, "alike": self.alike}
        return {**self.played.as_dict(), **(more if self.words is None else {"words": self.words})}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> JudgedGame:
        """Read what `as_dict` wrote."""
        own = {"words", "luck", "alike"}
        played = Played.from_dict({key: value for key, value in fields.items() if key not in own})
        luck = fields.get("luck")
        return cls(played, fields.get("words"), luck and (luck[0], luck[1]), fields.get("alike", []))


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair as the tested bot sees it (`analysis.sequential_standing.TestedPair`)."""

    half_points: int
    margin: float
    luck: tuple[float, float] | None


class SequentialTest:
    """The games of a test of one bot, the first, against another."""

    def __init__(
        self, plan: SeriesPlan, houses: Sequence[str | None], asked: Hypotheses, stop_by: str
    ) -> None:
        self.plan = plan
        self.asked = asked
        self.stop_by = stop_by
        self.pairs: list[JudgedPair] = []
        self.games: dict[str, JudgedGame] = {}
        ticks = engine.variant(plan.variant).in_ticks
        self._known = [None if name is None else of_house(name, ticks=ticks) for name in houses]
        self._alike: list[list[dict[str, int]]] = [[], []]
        self._measured = measures_luck(plan.variant)
        self._standing: SequentialStanding | None = None

    def missing(self) -> Iterator[Fixture]:
        """Yield the games not played yet, pair by pair."""
        return (fixture for fixture in self.plan.games() if fixture.key not in self.games)

    def add(self, game: JudgedGame) -> None:
        """Take a finished game, and count every pair that counts now, as long as the test is open."""
        self.games[game.played.game] = game
        while not self.standing.decision and (legs := self._next()):
            self._count(legs)

    @property
    def standing(self) -> SequentialStanding:
        """Where the test stands."""
        if self._standing is None:
            self._standing = standing(self.pairs, self.asked, self.stop_by)
        return self._standing

    @property
    def over(self) -> bool:
        """Whether it is decided, or has no more pairs."""
        return bool(self.standing.decision) or len(self.pairs) >= self.plan.deals

    def _next(self) -> list[JudgedGame]:
        """The games of the pair that counts next, if both are over."""
        number = len(self.pairs)
        if number >= self.plan.deals:
            return []
        keys = [Fixture(self.plan, number, leg).key for leg in (0, 1)]
        return [self.games[key] for key in keys] if all(key in self.games for key in keys) else []

    def _count(self, legs: list[JudgedGame]) -> None:
        """Measure the luck of a pair and count it."""
        number = len(self.pairs)
        if self._measured:
            # By the games of earlier pairs alone, so that luck has mean zero.
            policies = [self._policy(bot) for bot in (0, 1)]
            for leg, game in enumerate(legs):
                self._measure(Fixture(self.plan, number, leg), game, policies)
            for leg, game in enumerate(legs):
                for seat, alike in enumerate(game.alike):
                    self._alike[(seat + leg) % 2].append(alike)
        outcome = pair_outcome(
            [
                Leg(leg, one.played.ranking, one.played.points, one.played.left, one.played.seat)
                for leg, one in enumerate(legs)
            ]
        )
        first, second = (game.luck for game in legs)
        luck = luck_of_pair(first, second) if first and second else None
        self.pairs.append(JudgedPair(outcome.score, outcome.margin, luck))
        self._standing = None

    def _policy(self, bot: int) -> SeatPolicy:
        return self._known[bot] or choose_policy(self._alike[bot][:TALLIED])

    def _measure(self, fixture: Fixture, game: JudgedGame, policies: Sequence[SeatPolicy]) -> None:
        """Find the luck of a game, unless an earlier run of the command did, and who plays alike."""
        if game.words is None:
            return
        start = engine.Position.parse(fixture.start())
        seats = fixture.seats()
        found = luck_of(start, game.words, (policies[seats[0]], policies[seats[1]]))
        game.luck = (found.result, found.margin)
        game.alike = [dict(tally) for tally in tallies(start, game.words)]
        game.words = None
