"""A series of deals between the same bots: its games, their results, and who is better.

Each deal is played once for every seat, so that each bot has each seat once. The suits are renamed in each
leg. So luck cancels out and memory does not help. With two bots, a deal is a pair. Deals are the units of the
statistics.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis import intervals
from analysis.formats import committed_seeds
from analysis.scores import half_points
from analysis.verdicts.difference import difference, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analysis.verdicts.difference import Difference


@dataclass(frozen=True, slots=True)
class SeriesPlan:
    """What to play: the variant, the number of seats and deals, and the seed (64 hex digits).

    `given` is the full position of a deal that is played in place of those that follow from the seed.
    """

    variant: str
    players: int
    deals: int
    seed: str
    given: str | None = None

    def games(self) -> Iterator[Fixture]:
        """Yield every game, deal by deal."""
        for number in range(self.deals):
            for leg in range(self.players):
                yield Fixture(self, number, leg)


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game of a plan: leg ``leg`` (from 0) of deal ``deal`` (from 0)."""

    plan: SeriesPlan
    deal: int
    leg: int

    @property
    def key(self) -> str:
        """The game's name in files: ``0007-2`` is the second leg of the seventh deal."""
        return f"{self.deal + 1:04}-{self.leg + 1}"

    @property
    def seed(self) -> str:
        """The seed of the deal (RULES 2)."""
        return committed_seeds.deal_seed(self.plan.seed, 1, self.deal + 1)

    @property
    def suits(self) -> str:
        """How the suits are renamed in this leg."""
        return committed_seeds.leg_suits(self.seed, self.leg, engine.SUIT_RELABELLINGS)

    def start(self) -> str:
        """The full position that the game starts from."""
        plan = self.plan
        if plan.given is not None:
            return str(engine.Position.parse(plan.given).relabelled(self.suits))
        return str(engine.deal(plan.variant, self.seed, plan.players).relabelled(self.suits))

    def seats(self) -> tuple[int, ...]:
        """The number of the bot in each seat."""
        return tuple((seat + self.leg) % self.plan.players for seat in range(self.plan.players))


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game, as ``--json`` writes it.

    By seat, ``seats`` are names and ``times`` CPU milliseconds.
    """

    game: str
    seed: str
    suits: str
    seats: tuple[str, ...]
    ranking: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    left: tuple[int, ...]
    termination: str
    seat: int | None
    detail: str
    plies: int
    turns: int
    times: tuple[int, ...]
    evidence: list[dict[str, Any]] = field(default_factory=list)
    parts: list[list[dict[str, Any]]] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object.

        It has evidence only if a bot spoiled the game, and the parts of the points (`engine.points.Part`, by
        seat) only if the game belongs to a match.
        """
        fields = asdict(self) | {"outcome": self.outcome}
        for name in ("evidence", "parts"):
            if not fields[name]:
                del fields[name]
        return fields

    @property
    def outcome(self) -> str:
        """Who won: a bot's name, or "draw" if the first place is shared."""
        first = self.ranking[0]
        return self.seats[first[0]] if len(first) == 1 else "draw"

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Played:
        """Read what `as_dict` wrote."""
        made = {key: value for key, value in fields.items() if key != "outcome"}
        made["ranking"] = tuple(tuple(group) for group in fields["ranking"])
        for key in ("seats", "points", "left", "times"):
            made[key] = tuple(fields[key])
        return cls(**made)

    def scores(self) -> dict[str, float]:
        """Each bot's score in the game, from 0 (behind all others) to 1."""
        return {
            name: half_points(self.ranking, seat) / (2 * (len(self.seats) - 1))
            for seat, name in enumerate(self.seats)
        }


@dataclass(frozen=True, slots=True)
class BotScore:
    """One bot's result: its mean score per game with its 95 % interval, and games won, drawn or shared, and
    lost."""

    name: str
    score: intervals.Interval
    won: int
    shared: int
    lost: int
    points: int


def describe(found: Difference, first: str, second: str) -> str:
    """Say in one sentence which of two bots is better and how certain that is."""
    if found.superiority < 0.5:
        first, second, found = second, first, found.flip()
    sure = percent(found.superiority)
    if found.low > 0:
        return f"{first} is better than {second}: {found.words} ({sure} certain)."
    if sure == percent(0.5) or not round(found.elo):
        return f"Undecided: {first} and {second} are level so far, {found.words}."
    return f"Undecided: {first} is ahead of {second}, {found.words}, but that is only {sure} certain."


class SeriesTally:
    """Counts the games of a series, in any order. Only complete deals count for the statistics."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.games: list[Played] = []
        self._deals: dict[str, list[Played]] = defaultdict(list)

    def add(self, game: Played) -> None:
        """Count a game."""
        self.games.append(game)
        self._deals[game.game.partition("-")[0]].append(game)

    @property
    def whole(self) -> list[list[Played]]:
        """The deals that have been played from every seat."""
        return [games for games in self._deals.values() if len(games) == len(self.names)]

    def standings(self) -> list[BotScore]:
        """Return every bot's result, best first, ties sorted by name."""
        found = [self._standing(name) for name in self.names]
        return sorted(found, key=lambda standing: (-standing.score.value, standing.name))

    def verdict(self) -> Difference | None:
        """Compare two bots by their complete pairs; None without such a pair, or with more than two bots."""
        if len(self.names) != 2 or not self.whole:
            return None
        return difference(self.penta(self.names[0]))

    def _standing(self, name: str) -> BotScore:
        scores = [game.scores()[name] for game in self.games]
        points = [game.points[game.seats.index(name)] for game in self.games]
        return BotScore(
            name=name,
            score=self._interval(name),
            won=scores.count(1.0),
            shared=sum(0 < score < 1 for score in scores),
            lost=scores.count(0.0),
            points=sum(points),
        )

    def _interval(self, name: str) -> intervals.Interval:
        if len(self.names) == 2:
            return intervals.score_interval(self.penta(name)) or _UNKNOWN
        # With more seats, a deal's mean score has too many possible values to count, so use its moments.
        deals = [sum(game.scores()[name] for game in games) / len(games) for games in self.whole]
        if not deals:
            return _UNKNOWN
        value = sum(deals) / len(deals)
        added = intervals.Z95**2 / 4
        total = len(deals) + 2 * added
        centre = (sum(deals) + added) / total
        spread = sum((x - centre) ** 2 for x in deals) + added * (centre**2 + (1 - centre) ** 2)
        half = intervals.Z95 * math.sqrt(spread) / total
        return intervals.Interval(value, max(0.0, centre - half), min(1.0, centre + half))

    def penta(self, name: str | None = None) -> tuple[int, int, int, int, int]:
        """How many complete pairs gave a bot, the first if none is named, 0 to 4 half points."""
        own = self.names[0] if name is None else name
        counts = [0] * 5
        for games in self.whole:
            counts[round(2 * sum(game.scores()[own] for game in games))] += 1
        return counts[0], counts[1], counts[2], counts[3], counts[4]


_UNKNOWN: Final = intervals.Interval(0.5, 0.0, 1.0)


def seed_of(text: str) -> str:
    """Return 64 hex digits for a seed: the seed itself if it has that form, otherwise its hash."""
    if len(text) == 64 and set(text) <= set("0123456789abcdef"):
        return text
    return hashlib.sha256(text.encode()).hexdigest()
