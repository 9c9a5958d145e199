"""``./crapette bench gallery``: measures how strong the house bots are in each variant.

Neighbouring house bots play each other in the sandbox, with the ladder's clock. Ratings are fitted to all
their pairs, with greedy at 1500. For three or four seats, use `./crapette play`.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table

import engine
from analysis import intervals
from analysis.ratings import elo
from analysis.ratings.matches import Match
from kit import play
from kit.series import Played, SeriesTally
from kit.usage import BadUsage, Parser, count, made_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

MEETINGS: Final = (
    ("random", "cautious"),
    ("cautious", "greedy"),
    ("greedy", "planner"),
    ("sampler", "planner"),
    ("oracle", "planner"),
)
"""Who plays whom. Greedy in JavaScript and in C plays greedy's game move for move, as a test proves."""
BOTS: Final = ("random", "cautious", "greedy", "planner", "sampler", "oracle")
ANCHOR: Final = BOTS.index("greedy")


@dataclass
class Found:
    """What a variant's games say: pairs of each meeting, and by bot CPU milliseconds, turns and pairs."""

    matches: list[Match] = field(default_factory=list)
    cpu_ms: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    turns: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    pairs: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def take(self, first: str, second: str, games: Sequence[Played]) -> None:
        """Count the games of a meeting; a pair of which one game is missing does not count."""
        tally = SeriesTally([first, second])
        for game in games:
            tally.add(game)
        penta = [0] * 5
        for pair in tally.whole:
            penta[round(2 * sum(game.scores()[first] for game in pair))] += 1
            for game in pair:
                for name, ms in zip(game.seats, game.times, strict=True):
                    self.cpu_ms[name] += ms
                    self.turns[name] += game.turns / 2
        for name in (first, second):
            self.pairs[name] += len(tally.whole)
        self.matches.append(
            Match(BOTS.index(first), BOTS.index(second), (penta[0], penta[1], penta[2], penta[3], penta[4]))
        )


def met(variant: str, first: str, second: str, folder: Path, given: Given) -> list[Played]:
    """Play what is missing of a meeting and return its games. Raises BadUsage where that cannot be."""
    file = folder / f"{variant}-{first}-{second}.json"
    if given.pairs:
        words = [first, second, "--variant", variant, "--pairs", str(given.pairs), "--jobs", str(given.jobs)]
        words += ["--seed", given.seed, "--json", str(file), *(["--resume"] if file.exists() else [])]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            status = play.main(words)
        if status:
            raise BadUsage(f"{first} against {second} in {variant} was broken off: {said.getvalue().strip()}")
    if not file.exists():
        return []
    return [Played.from_dict(fields) for fields in json.loads(file.read_text())["games"]]


@dataclass(frozen=True)
class Given:
    """How much to play, and how."""

    pairs: int
    jobs: int
    seed: str


def table(variant: str, found: Found) -> Table:
    """The gallery of a variant, weakest first."""
    fit = elo.fit(found.matches, {ANCHOR: elo.ANCHOR_ELO})
    made = Table("bot", "Elo", "± 95 %", "pairs", "CPU ms a turn", title=variant, title_justify="left")
    for column in made.columns[1:]:
        column.justify = "right"
    for number, name in enumerate(BOTS):
        if not found.pairs[name]:
            continue
        estimate = fit.estimate(number)
        error = f"{intervals.Z95 * estimate.error:.0f}" if number != ANCHOR else "anchor"
        spent = found.cpu_ms[name] / max(1.0, found.turns[name])
        made.add_row(name, f"{estimate.elo:.0f}", error, str(found.pairs[name]), f"{spent:.1f}")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 2 if it cannot be done as asked."""
    parser = Parser(prog="crapette bench gallery", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument(
        "--variant",
        action="append",
        choices=list(engine.VARIANTS),
        help="only this variant; may be repeated (default: all)",
    )
    parser.add_argument(
        "--pairs", type=count, default=20, metavar="N", help="pairs of each meeting (default: %(default)s)"
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=sorted({*BOTS} - {BOTS[ANCHOR]}),
        help="leave out a bot, such as oracle, whose games take a hundred times as long; may be repeated",
    )
    parser.add_argument("--show", action="store_true", help="play nothing; show the results in the folder")
    parser.add_argument("--jobs", type=count, default=1, help="games at the same time (default: %(default)s)")
    parser.add_argument(
        "--seed",
        default="gallery",
        help="any text; the same seed gives the same deals (default: %(default)s)",
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="keep the games in this folder, and continue from it"
    )
    given = parser.parse_args(arguments)
    how = Given(0 if given.show else given.pairs, given.jobs, given.seed)
    console = Console(highlight=False)
    with tempfile.TemporaryDirectory() as passing:
        folder = given.folder or Path(passing)
        try:
            made_folder("--folder", folder)
            for variant in given.variant or engine.VARIANTS:
                found = Found()
                for first, second in MEETINGS:
                    if first in given.without or second in given.without:
                        continue
                    found.take(first, second, met(variant, first, second, folder, how))
                console.print(table(variant, found))
        except BadUsage as error:
            parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
