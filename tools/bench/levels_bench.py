"""``./crapette bench levels``: what rating a house bot has at each of its levels, with greedy at 1500.

Each level plays the next one and the house bots of about its strength, in one process, as in ``./crapette
bench search``. Ratings are fitted to all pairs of a game.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from analysis.ratings import elo
from analysis.ratings.match_arrays import Match
from bots.house import LEVELS
from kit.console.command import Parser, count
from kit.console.output_files import write_whole
from tools.bench.search_bench import NAMES, README, chooser, find_kit, loaded, seated, timed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

BOT: Final = "oracle"
FULL: Final = len(LEVELS)
ANCHOR: Final = "greedy"
PLAYERS: Final = (ANCHOR, "cautious", "planner", *map(str, range(1, FULL + 1)))
"""Everyone in a fit by number: house bots, and levels by their numbers as text."""
FOES: Final = {
    **dict.fromkeys(("1", "2", "3", "4"), ("cautious", "greedy")),
    **dict.fromkeys(("5", "6", "7"), ("greedy", "planner")),
    str(FULL): ("planner",),
}
"""The house bots that each level plays."""
MEETINGS: Final = (
    *(("cautious", ANCHOR), ("planner", ANCHOR)),
    *((level, foe) for level, foes in FOES.items() for foe in foes),
    *((str(level + 1), str(level)) for level in range(1, FULL)),
)
SELDOM: Final = 3
"""The full level, which thinks for much longer, plays one pair in so many."""
USUAL: Final = ("crapaud", "crapette", "vitesse")
PART: Final = re.compile(r"(<!-- levels table -->\n).*?(<!-- /levels table -->)", re.DOTALL)
HEADING: Final = "| game | level | about | Elo | 95 % | pairs | ms a turn |\n|---|---|---|---|---|---|---|\n"


@dataclass(frozen=True)
class LevelPair:
    """Both games of a deal: half points of the first player, and CPU time and turns of both."""

    half_points: int
    cpu_s: tuple[float, float]
    turns: tuple[int, int]


@dataclass
class LevelBoard:
    """The pairs of a game of two seats by who met, and what each player's turns took."""

    name: str
    scores: dict[tuple[str, str], Counter[int]] = field(default_factory=dict)
    cpu_s: Counter[str] = field(default_factory=Counter)
    turns: Counter[str] = field(default_factory=Counter)

    def take(self, meeting: tuple[str, str], pair: LevelPair) -> None:
        """Count a pair."""
        self.scores.setdefault(meeting, Counter())[pair.half_points] += 1
        for player, seconds, turns in zip(meeting, pair.cpu_s, pair.turns, strict=True):
            self.cpu_s[player] += seconds  # type: ignore[assignment]  # a counter adds up fractions as well
            self.turns[player] += turns

    def rows(self) -> str:
        """Its lines of the table, one for each level that has played."""
        fit = elo.fit(map(self._match, self.scores), {PLAYERS.index(ANCHOR): elo.ANCHOR_ELO})
        lines: list[str] = []
        for level, about in enumerate(LEVELS, start=1):
            own = [scores.total() for meeting, scores in self.scores.items() if str(level) in meeting]
            if own:
                found = fit.estimate(PLAYERS.index(str(level)))
                reach = fit.reach * found.error
                lines.append(
                    f"| {f'`{self.name}`' if not lines else ''} | {level} | {about} | {found.elo:.0f} |"
                    f" {found.elo - reach:.0f} – {found.elo + reach:.0f} | {sum(own)} |"
                    f" {1000 * self.cpu_s[str(level)] / max(1, self.turns[str(level)]):.1f} |\n"
                )
        return "".join(lines)

    def _match(self, meeting: tuple[str, str]) -> Match:
        one, two, three, four, five = (self.scores[meeting][half] for half in range(5))
        first, second = map(PLAYERS.index, meeting)
        return Match(first, second, (one, two, three, four, five))


def played(variant: str, meeting: tuple[str, str], seed: str, clock_ms: int) -> LevelPair:
    """Play a pair: one deal from both seats."""
    from crapette import local  # type: ignore[import-not-found]

    score, turns, spent = 0, [0, 0], ([0.0], [0.0])
    for own in range(2):
        seats = meeting if own == 0 else meeting[::-1]
        seen: tuple[set[int], set[int]] = (set(), set())
        bots = [loaded(BOT if player.isdecimal() else player, variant) for player in seats]
        choosers, stops = [], []
        for seat, (player, bot) in enumerate(zip(seats, bots, strict=True)):
            choose = levelled(player, chooser(variant, bot))
            choosers.append(timed(spent[seat ^ own], choose, seen[seat ^ own]))
            stops.append(levelled(player, bot["stop"]) if bot.get("stop") else None)
        ranking, _ = local.play(variant, seed, choosers, stops, clock_ms=clock_ms)
        score += 1 if len(ranking) == 1 else 2 * (ranking[0][0] == own)
        for first in range(2):
            turns[first] += len(seen[first])
    return LevelPair(score, (spent[0][0], spent[1][0]), (turns[0], turns[1]))


def levelled(player: str, answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A bot's function that is told the level of a player who is one."""
    if not player.isdecimal():
        return answer

    def answered(asked: Any) -> Any:
        asked.hello = {**asked.hello, "level": int(player)}
        return answer(asked)

    return answered


def begun_before(
    until: float, variant: str, meeting: tuple[str, str], seed: str, clock_ms: int
) -> LevelPair | None:
    """A pair played, unless it is too late to begin one."""
    return None if time.monotonic() > until else played(variant, meeting, seed, clock_ms)


def measured(given: argparse.Namespace) -> list[LevelBoard]:
    """Play the meetings of all boards in turn, until all are played or the time is over."""
    found = {name: LevelBoard(name) for name in given.variant or USUAL}
    wanted = [one for one in MEETINGS if not given.level or {str(level) for level in given.level} & {*one}]
    until = time.monotonic() + 60 * given.minutes
    with ProcessPoolExecutor(given.jobs, initializer=find_kit) as pool:
        asked = {}
        for number in range(given.pairs):
            for name in found:
                for meeting in wanted:
                    if number % SELDOM and str(FULL) in meeting:
                        continue
                    seed = f"{given.seed}/{name}/{'/'.join(meeting)}/{number}"
                    task = pool.submit(begun_before, until, name, meeting, seed, given.clock_ms)
                    asked[task] = name, meeting
        for done, each in enumerate(as_completed(asked), start=1):
            pair, (name, meeting) = each.result(), asked[each]
            if pair is not None:
                found[name].take(meeting, pair)
            if done % 100 == 0:
                sys.stderr.write(f"{done} of {len(asked)} pairs\n")
    return list(found.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench levels", description=str(__doc__).partition("\n\n")[0])
    pairs = [name for name in NAMES if seated(name)[1] == 2]
    parser.add_argument(
        "--variant", action="append", choices=pairs, help=f"may be repeated (default: {', '.join(USUAL)})"
    )
    parser.add_argument(
        "--level",
        action="append",
        type=int,
        choices=range(1, FULL + 1),
        help="only meetings of this level; may be repeated",
    )
    parser.add_argument(
        "--pairs", type=count, default=20, help="pairs of each meeting (default: %(default)s)"
    )
    parser.add_argument(
        "--minutes", type=count, default=60, help="begin no pair later (default: %(default)s)"
    )
    parser.add_argument(
        "--clock-ms", type=count, default=3000, help="the clock the bots are told of (default: %(default)s)"
    )
    parser.add_argument("--seed", default="levels", help="the deals (default: %(default)s)")
    parser.add_argument("--jobs", type=count, default=1, help="pairs at the same time (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="write the table into docs/author/gallery.md")
    given = parser.parse_args(arguments)
    table = HEADING + "".join(board.rows() for board in measured(given) if board.scores)
    sys.stdout.write(table)
    if given.write:
        text = README.read_text(encoding="utf-8")
        write_whole(README, PART.sub(rf"\g<1>{table}\g<2>", text).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
