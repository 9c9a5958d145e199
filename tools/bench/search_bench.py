"""``./crapette bench search``: a house bot against planner, for little CPU time a question.

Both play in one process, without sandbox or protocol, so that many more games fit into a minute than with
``./crapette bench gallery``. The bot is told a clock, which decides how long it thinks about a question. With
three and four seats, planners have all the others.

With ``--think-ms`` oracle thinks so long about each question, whatever the clock. Given several times, this
shows how strength grows with time.

With ``--resume FILE`` every deal is kept as a line of FILE. The same command, stopped at any time and given
again, plays only what is missing there; deals of bots or of an engine that changed since are played again.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import math
import re
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from analysis import intervals
from bots.house import HOUSE_BOTS
from engine.variants import VARIANTS
from kit.console.command import Parser, count
from kit.console.output_files import write_whole
from tools.bench.gallery_results import boards, share_interval, source

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

ROOT: Final = Path(__file__).parents[2]
README: Final = ROOT / "docs/author/gallery.md"
PART: Final = re.compile(r"(<!-- search table -->\n).*?(<!-- /search table -->)", re.DOTALL)
CURVE: Final = re.compile(r"(<!-- time table -->\n).*?(<!-- /time table -->)", re.DOTALL)
NAMES: Final = [f"{variant}/{seats}" if seats > 2 else variant for variant, seats in boards()]
ROW: Final = re.compile(r"\| `(\S+)`(?:, (\d+) ms)? \|")
HEADING: Final = (
    "| {} | score against planner | Elo | Elo, 95 % | deals | CPU ms a turn |\n|---|---|---|---|---|---|\n"
)


@dataclass(frozen=True)
class Deal:
    """One deal played from every seat: what the bot made of it, in twelfths of a game, and what its turns
    took."""

    score: int
    cpu_s: float
    turns: int


@dataclass(frozen=True)
class DealFile:
    """Deals kept as lines of JSON. `made_by` is what plays them, by hashes of its source, and the clock."""

    path: Path
    made_by: str

    def read(self) -> dict[tuple[str, int, str], Deal]:
        """The deals that the same bots played with the same clock, by board, time to think and seed.

        A last line that was cut off is left out.
        """
        found = {}
        for line in self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []:
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if row.pop("made_by") == self.made_by:
                place = row.pop("board"), row.pop("think_ms"), row.pop("seed")
                found[place] = Deal(**row)
        return found

    def add(self, board: Board, seed: str, deal: Deal) -> None:
        """Keep a deal."""
        row = {"made_by": self.made_by, "board": board.name, "think_ms": board.think_ms, "seed": seed}
        whole = not self.path.exists() or self.path.read_bytes()[-1:] in {b"", b"\n"}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(("" if whole else "\n") + json.dumps({**row, **asdict(deal)}) + "\n")


@dataclass
class Board:
    """The deals of a variant, with a number of seats, by the bot's score in twelfths of a game.

    Where `think_ms` is not 0, the bot thought so long about a question.
    """

    name: str
    scores: Counter[int] = field(default_factory=Counter)
    cpu_s: float = 0.0
    turns: int = 0
    think_ms: int = 0

    @property
    def seats(self) -> int:
        """How many play."""
        return seated(self.name)[1]

    def take(self, deal: Deal) -> None:
        """Count a deal."""
        self.scores[deal.score] += 1
        self.cpu_s += deal.cpu_s
        self.turns += deal.turns

    def row(self) -> str:
        """Its line of the table."""
        if self.seats == 2:
            found = intervals.score_interval(tuple(self.scores[6 * half] for half in range(5)))
            assert found is not None  # at least one pair
        else:
            found = share_interval(self.scores, 12 * self.seats)
        ms = 1000 * self.cpu_s / max(1, self.turns)
        score = f"{found.value:.1%} ({found.low:.1%} – {found.high:.1%})"
        elos = [elo(found.value), f"{elo(found.low)} – {elo(found.high)}"] if self.seats == 2 else ["", ""]
        words = score if self.seats == 2 else f"first in {score}, by chance {1 / self.seats:.0%}"
        name = f"`{self.name}`" + (f", {self.think_ms} ms" if self.think_ms else "")
        return f"| {' | '.join((name, words, *elos, str(self.scores.total()), f'{ms:.0f}'))} |\n"


def seated(name: str) -> tuple[str, int]:
    """The variant of a board and its number of seats.

    >>> seated("crapette/3"), seated("crapo")
    (('crapette', 3), ('crapo', 2))
    """
    variant, _, seats = name.partition("/")
    return variant, int(seats or 2)


def elo(score: float) -> str:
    """How much stronger a score shows a bot to be.

    >>> elo(0.5), elo(0.75), elo(0.25), elo(1.0)
    ('+0', '+191', '−191', '∞')
    """
    if not 0 < score < 1:
        return "∞" if score else "−∞"
    return f"{400 * math.log10(score / (1 - score)):+.0f}".replace("-", "−")


@cache
def loaded(name: str, variant: str) -> dict[str, Any]:
    """What a house bot gives to `crapette.run`, by the names of its parameters.

    It is loaded again for each variant: in the arena a process plays one game, and a bot may keep what it
    knows of that, such as oracle its net.
    """
    import crapette  # type: ignore[import-not-found]

    given: dict[str, Any] = {}
    folder = HOUSE_BOTS[name].directory
    for other in folder.glob("*.py"):
        sys.modules.pop(other.stem, None)  # another bot's
    run, crapette.run = crapette.run, lambda choose, **more: given.update(more, choose=choose)
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(f"house_{name}_{variant}", folder / "bot.py")
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    finally:
        sys.path.remove(str(folder))
        crapette.run = run
    return given


def played(name: str, bot: str, seed: str, clock_ms: int, think_ms: int = 0) -> Deal:
    """Play one deal of a board from all its seats; the bot thinks `think_ms` about a question if not 0."""
    from crapette import local

    variant, seats = seated(name)
    if think_ms:
        constants = loaded(bot, variant)["choose"].__globals__
        constants["MOST_S"] = think_ms / 1000
        clock_ms = round(1000 * constants["RESERVE_S"]) + think_ms * constants["SHARE"]
    score, turns, spent = 0, 0, [0.0]
    for own in range(seats):
        seen: set[int] = set()
        bots = [loaded(bot if seat == own else "planner", variant) for seat in range(seats)]
        choosers = [chooser(variant, each) for each in bots]
        choosers[own] = timed(spent, choosers[own], seen)
        stops = [each["stop"] for each in bots] if seats == 2 else []
        ranking, _ = local.play(variant, seed, choosers, stops, clock_ms=clock_ms)
        score += 12 // len(ranking[0]) * (own in ranking[0])
        turns += len(seen)
    return Deal(score, spent[0], turns)


def chooser(variant: str, bot: dict[str, Any]) -> Callable[[Any], Any]:
    """What of a bot plays a game of the variant. What plays in ticks remembers its game: each has its own."""
    found: Callable[[Any], Any] = copy.deepcopy(bot["tick"]) if VARIANTS[variant].in_ticks else bot["choose"]
    return found


def timed(spent: list[float], choose: Callable[[Any], Any], seen: set[int]) -> Callable[[Any], Any]:
    """A bot's `choose` that adds up its CPU time, and the turns in which it was asked."""

    def chosen(turn: Any) -> Any:
        began = time.process_time()
        answer = choose(turn)
        spent[0] += time.process_time() - began
        last = turn.events[-1] if turn.events else {}
        seen.add(last.get("turn_number", turn.tick))
        return answer

    return chosen


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench search", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument("--bot", choices=["sampler", "oracle"], default="oracle", help="(default: oracle)")
    parser.add_argument("--variant", action="append", choices=NAMES, help="may be repeated (default: all)")
    parser.add_argument("--pairs", type=count, default=20, help="deals of each (default: %(default)s)")
    parser.add_argument(
        "--minutes", type=count, default=60, help="begin no deal later (default: %(default)s)"
    )
    parser.add_argument(
        "--clock-ms",
        type=count,
        default=60_000,
        help="the clock the bot is told of (default: %(default)s, the ladder's)",
    )
    parser.add_argument(
        "--think-ms",
        type=count,
        action="append",
        help="CPU time for a question, whatever the clock; may be repeated; only oracle, in games of turns",
    )
    parser.add_argument("--seed", default="search", help="the deals (default: %(default)s)")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep the deals in FILE, and go on there")
    parser.add_argument("--jobs", type=count, default=1, help="deals at the same time (default: %(default)s)")
    parser.add_argument(
        "--write",
        action="store_true",
        help="put the rows into the table in docs/author/gallery.md; others stay",
    )
    given = parser.parse_args(arguments)
    if given.think_ms:
        given.variant = given.variant or [name for name in NAMES if not VARIANTS[seated(name)[0]].in_ticks]
        if given.bot != "oracle" or any(VARIANTS[seated(name)[0]].in_ticks for name in given.variant):
            parser.error("--think-ms needs --bot oracle and a game of turns")
    rows = "".join(board.row() for board in measured(given) if board.scores)
    sys.stdout.write(HEADING.format("game, time for a question" if given.think_ms else "game") + rows)
    if given.write:
        text = README.read_text(encoding="utf-8")
        part = CURVE if given.think_ms else PART
        write_whole(README, part.sub(lambda found: renewed(found[0], rows), text).encode())
    return 0


def renewed(part: str, rows: str) -> str:
    """A table with its marks, with these rows in the place of those for the same.

    >>> old = "<!-- -->\\n| game |\\n|---|\\n| `crapaud` | 1 |\\n| `crapette` | 2 |\\n<!-- /search table -->"
    >>> renewed(old, "| `crapette` | 3 |\\n| `crapo` | 4 |\\n").splitlines()[3:-1]
    ['| `crapaud` | 1 |', '| `crapo` | 4 |', '| `crapette` | 3 |']
    """
    lines = part.splitlines(keepends=True)
    known = {}
    for line in (*lines, *rows.splitlines(keepends=True)):
        if found := ROW.match(line):
            known[NAMES.index(found[1]), int(found[2] or 0)] = line
    return "".join((*lines[:3], *(known[place] for place in sorted(known)), lines[-1]))


def measured(given: argparse.Namespace) -> list[Board]:
    """Play the deals of the boards in turn, until all are played or the time is over."""
    found = [Board(name, think_ms=ms) for name in given.variant or NAMES for ms in given.think_ms or [0]]
    made_by = f"{given.bot} {source(given.bot)}, planner {source('planner')}, {given.clock_ms} ms"
    file = DealFile(given.resume, made_by) if given.resume else None
    kept = file.read() if file else {}
    until = time.monotonic() + 60 * given.minutes
    with ProcessPoolExecutor(given.jobs, initializer=find_kit) as pool:
        asked = {}
        for number in range(given.pairs):
            for board in found:
                seed = f"{given.seed}/{board.name}/{number}"
                if (board.name, board.think_ms, seed) in kept:
                    board.take(kept[board.name, board.think_ms, seed])
                    continue
                clocks = given.clock_ms, board.think_ms
                asked[pool.submit(begun_before, until, board.name, given.bot, seed, *clocks)] = board, seed
        for each in as_completed(asked):
            if each.exception():
                pool.shutdown(cancel_futures=True)  # or all other deals would be played first
            deal, (board, seed) = each.result(), asked[each]
            if deal is not None:
                board.take(deal)
                if file:
                    file.add(board, seed, deal)
                sys.stderr.write(board.row())
    return found


def begun_before(until: float, name: str, bot: str, seed: str, clock_ms: int, think_ms: int) -> Deal | None:
    """A deal played, unless it is too late to begin one."""
    return None if time.monotonic() > until else played(name, bot, seed, clock_ms, think_ms)


def find_kit() -> None:
    """Let house bots find what they import."""
    sys.path.insert(0, str(ROOT / "kit" / "sdk"))


if __name__ == "__main__":
    sys.exit(main())
