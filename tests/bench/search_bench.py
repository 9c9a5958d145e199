"""``./crapette bench search``: pairs of a house bot against planner, for little CPU time a question.

Both play in this process, without sandbox or protocol, so that many more games fit into a minute than with
``./crapette bench gallery``. The bot is told a clock of which it makes a given time for each question.
"""

from __future__ import annotations

import copy
import importlib.util
import math
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from analysis import intervals
from bots.house import HOUSE_BOTS
from engine.variants import VARIANTS
from kit.filing import write_whole
from kit.usage import Parser, count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT: Final = Path(__file__).parents[2]
README: Final = ROOT / "bots" / "README.md"
PART: Final = re.compile(r"(<!-- search table -->\n).*?(<!-- /search table -->)", re.DOTALL)
NAMES: Final = list(VARIANTS)
HEADING: Final = (
    "| game | score against planner | Elo | Elo, 95 % | pairs | CPU ms a turn |\n|---|---|---|---|---|---|\n"
)


@dataclass
class Board:
    """The pairs of one variant, by the bot's half points, and what its turns took."""

    variant: str
    scores: Counter[int] = field(default_factory=Counter)
    cpu_s: float = 0.0
    turns: int = 0

    def row(self) -> str:
        """Its line of the table."""
        found = intervals.score_interval(tuple(self.scores[half] for half in range(5)))
        assert found is not None  # at least one pair
        ms = 1000 * self.cpu_s / max(1, self.turns)
        score = f"{found.value:.1%} ({found.low:.1%} – {found.high:.1%})"
        elos = f"{elo(found.low)} – {elo(found.high)}"
        cells = (f"`{self.variant}`", score, elo(found.value), elos, str(self.scores.total()), f"{ms:.0f}")
        return f"| {' | '.join(cells)} |\n"


def elo(score: float) -> str:
    """How much stronger a score shows a bot to be.

    >>> elo(0.5), elo(0.75), elo(0.25), elo(1.0)
    ('+0', '+191', '−191', '∞')
    """
    if not 0 < score < 1:
        return "∞" if score else "−∞"
    return f"{400 * math.log10(score / (1 - score)):+.0f}".replace("-", "−")


def loaded(name: str) -> dict[str, Any]:
    """What a house bot gives to `crapette.run`, by the names of its parameters."""
    import crapette  # type: ignore[import-not-found]

    given: dict[str, Any] = {}
    folder = HOUSE_BOTS[name].directory
    for other in folder.glob("*.py"):
        sys.modules.pop(other.stem, None)  # another bot's
    run, crapette.run = crapette.run, lambda choose, **more: given.update(more, choose=choose)
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(f"house_{name}", folder / "bot.py")
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    finally:
        sys.path.remove(str(folder))
        crapette.run = run
    return given


def pair(board: Board, bot: dict[str, Any], other: dict[str, Any], seed: str, clock_ms: int) -> None:
    """Play one deal from both seats."""
    from crapette import local

    half = 0
    for own in range(2):
        seen: set[int] = set()
        bots = [bot, other] if own == 0 else [other, bot]
        choosers = [chooser(board.variant, each) for each in bots]
        choosers[own] = timed(board, choosers[own], seen)
        ranking, _ = local.play(
            board.variant, seed, choosers, [each["stop"] for each in bots], clock_ms=clock_ms
        )
        half += 1 if len(ranking[0]) > 1 else 2 * (ranking[0] == (own,))
        board.turns += len(seen)
    board.scores[half] += 1


def chooser(variant: str, bot: dict[str, Any]) -> Callable[[Any], Any]:
    """What of a bot plays a game of the variant. What plays in ticks remembers its game: each has its own."""
    found: Callable[[Any], Any] = copy.deepcopy(bot["tick"]) if VARIANTS[variant].in_ticks else bot["choose"]
    return found


def timed(board: Board, choose: Callable[[Any], Any], seen: set[int]) -> Callable[[Any], Any]:
    """A bot's `choose` that counts its CPU time, and the turns in which it was asked."""

    def chosen(turn: Any) -> Any:
        began = time.process_time()
        answer = choose(turn)
        board.cpu_s += time.process_time() - began
        last = turn.events[-1] if turn.events else {}
        seen.add(last.get("turn_number", turn.tick))
        return answer

    return chosen


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench search", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument("--bot", choices=["sampler", "oracle"], default="oracle", help="(default: oracle)")
    parser.add_argument("--variant", action="append", choices=NAMES, help="may be repeated (default: all)")
    parser.add_argument("--pairs", type=count, default=20, help="of each variant (default: %(default)s)")
    parser.add_argument(
        "--minutes", type=count, default=60, help="begin no pair later (default: %(default)s)"
    )
    parser.add_argument(
        "--clock-ms", type=count, default=3000, help="the clock the bot is told of (default: %(default)s)"
    )
    parser.add_argument("--seed", default="search", help="the deals (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="write the table into bots/README.md")
    given = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT / "kit" / "sdk"))
    bot, other = loaded(given.bot), loaded("planner")
    boards = [Board(variant) for variant in given.variant or NAMES]
    until = time.monotonic() + 60 * given.minutes
    for number in range(given.pairs):
        for board in boards:
            if number and time.monotonic() > until:
                break
            pair(board, bot, other, f"{given.seed}/{board.variant}/{number}", given.clock_ms)
            sys.stderr.write(board.row())
    table = HEADING + "".join(board.row() for board in boards)
    sys.stdout.write(table)
    if given.write:
        text = README.read_text(encoding="utf-8")
        write_whole(README, PART.sub(rf"\g<1>{table}\g<2>", text).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
