"""What the house bots' games against each other say so far, kept in one file that is committed.

Results belong to the bots that made them: each is kept with hashes of the bots' sources, and dropped once
one of them, what they import to choose their moves, or the rules have changed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import engine
from analysis import intervals
from bots.house import HOUSE_BOTS
from engine.variants import VARIANTS
from kit.bot.project import to_pack
from kit.console.output_files import write_whole
from kit.local.series import SeriesTally

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kit.local.series import Played

FILE: Final = Path(__file__).parents[2] / "bots" / "gallery.json"
FORMAT: Final = 1
NEIGHBOURS: Final = (
    ("random", "cautious"),
    ("cautious", "greedy"),
    ("greedy", "planner"),
    ("sampler", "planner"),
    ("oracle", "planner"),
)
"""Who plays whom between two. Greedy in JavaScript and in C makes greedy's moves, as a test proves."""
AGAINST: Final = "planner"
"""Who has all other seats where there are more."""
VISITORS: Final = ("random", "cautious", "greedy", "sampler", "oracle")
CHOOSING: Final = ("policies", "turns/search", "turns/knowledge", "ticks/tracker.py")
"""Parts of the engine that bots choose by. What the core does follows from the version of the rules."""


@dataclass
class Meeting:
    """All deals that two bots have played so far, of `seats` seats: the second has all but one of them.

    `scores` count deals by what the first made of them: half points of its pair between two; with more seats
    the games it won in twelfths, so that first places can be shared. `cpu_ms` and `turns` add up all players
    of a name. `deals` were begun, so the next ones are new. `sources` are the bots' when they played.
    """

    variant: str
    seats: int
    first: str
    second: str
    sources: list[str]
    deals: int = 0
    scores: Counter[int] = field(default_factory=Counter)
    cpu_ms: dict[str, int] = field(default_factory=dict)
    turns: dict[str, float] = field(default_factory=dict)

    @classmethod
    def new(cls, variant: str, seats: int, first: str, second: str) -> Meeting:
        """A meeting of the bots as they are now, with nothing played."""
        return cls(variant, seats, first, second, [source(first), source(second)])

    @property
    def key(self) -> str:
        """What tells meetings apart, and their deals."""
        return f"{self.variant}/{self.seats}/{self.first}/{self.second}"

    @property
    def played(self) -> int:
        """Whole deals."""
        return self.scores.total()

    @property
    def penta(self) -> tuple[int, int, int, int, int]:
        """Between two, pairs by the first's half points."""
        one, two, three, four, five = (self.scores[half] for half in range(5))
        return one, two, three, four, five

    def take(self, games: Iterable[Played], deals: int) -> None:
        """Count the games of so many new deals. A deal counts only if it was played from every seat."""
        games = list(games)
        names = next((game.seats for game in games), ())
        tally = SeriesTally(sorted(names))
        for game in games:
            tally.add(game)
        for deal in tally.whole:
            self.scores[self._score(deal)] += 1
            for game in deal:
                for name, ms in zip(game.seats, game.times, strict=True):
                    bot = name.partition(" #")[0]
                    self.cpu_ms[bot] = self.cpu_ms.get(bot, 0) + ms
                    self.turns[bot] = self.turns.get(bot, 0.0) + game.turns / len(game.seats)
        self.deals += deals

    def _score(self, deal: Sequence[Played]) -> int:
        if self.seats == 2:
            return round(2 * sum(game.scores()[self.first] for game in deal))
        shares = (
            12 // len(game.ranking[0])
            for game in deal
            if self.first in {game.seats[seat] for seat in game.ranking[0]}
        )
        return sum(shares)

    def as_dict(self) -> dict[str, object]:
        """As JSON; `of` reads it."""
        return {**asdict(self), "scores": {str(score): self.scores[score] for score in sorted(self.scores)}}

    @classmethod
    def of(cls, fields: dict[str, object]) -> Meeting:
        """The meeting that `as_dict` wrote."""
        made = cls(**fields)  # type: ignore[arg-type] # what a file says is checked by use
        made.scores = Counter({int(score): number for score, number in made.scores.items()})
        return made


def boards() -> list[tuple[str, int]]:
    """Every variant with each number of seats."""
    return [(variant.name, seats) for variant in VARIANTS.values() for seats in variant.players]


def meetings(board: tuple[str, int]) -> list[tuple[str, str]]:
    """Who plays whom on a board, the fastest first."""
    return [*NEIGHBOURS] if board[1] == 2 else [(visitor, AGAINST) for visitor in VISITORS]


def load(file: Path = FILE) -> tuple[dict[str, Meeting], list[str]]:
    """What stands, by key, for every meeting there is; and the keys of results that no longer do."""
    found = {
        one.key: one for board in boards() for one in (Meeting.new(*board, *two) for two in meetings(board))
    }
    stale = []
    for one in stored(file):
        now = found.get(one.key)
        if now is not None and now.sources == one.sources:
            found[one.key] = one
        else:
            stale.append(one.key)
    return found, stale


def stored(file: Path = FILE) -> list[Meeting]:
    """All that the file holds, of whatever versions of the bots."""
    if not file.exists():
        return []
    return [Meeting.of(fields) for fields in json.loads(file.read_text())["meetings"]]


def save(found: dict[str, Meeting], file: Path = FILE) -> None:
    """Write what was played, a meeting a line."""
    lines = [json.dumps(one.as_dict()) for one in found.values() if one.played]
    text = f'{{"format": {FORMAT}, "meetings": [\n' + ",\n".join(lines) + "\n]}\n"
    write_whole(file, text.encode())


@cache
def source(bot: str) -> str:
    """The first digits of the SHA-256 of all that decides what a house bot plays."""
    digest = hashlib.sha256(f"rules {engine.RULES_VERSION}\n".encode())
    folder = HOUSE_BOTS[bot].directory
    for path in sorted(to_pack(folder)):
        digest.update(b"%s\n%s\n" % (path.name.encode(), path.read_bytes()))
    for path in _choosing():
        digest.update(b"%s\n%s\n" % (path.name.encode(), path.read_bytes()))
    return digest.hexdigest()[:16]


def _choosing() -> list[Path]:
    base = Path(engine.__file__).parent
    found = (base / part for part in CHOOSING)
    return sorted(path for part in found for path in ([part] if part.is_file() else part.rglob("*.py")))


def share_interval(scores: Counter[int], whole: int) -> intervals.Interval:
    """The mean of deals' scores as a share of `whole`, by `score_interval`'s idea for any scale."""
    total = scores.total()
    added = Counter({0: intervals.Z95**2 / 4, whole: intervals.Z95**2 / 4})
    weighed = {score: scores[score] + added.get(score, 0.0) for score in {*scores, *added}}
    weight = sum(weighed.values())
    value = sum(score * count for score, count in scores.items()) / (whole * total)
    centre = sum(score * count for score, count in weighed.items()) / (whole * weight)
    spread = sum(count * (score / whole - centre) ** 2 for score, count in weighed.items()) / weight
    half = intervals.Z95 * math.sqrt(spread / weight)
    return intervals.Interval(value, min(max(0.0, centre - half), value), max(min(1.0, centre + half), value))
