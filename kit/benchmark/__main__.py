"""``crapette benchmark``: plays a bot on the deals of Crapette-1000, and shows it beside the house bots.

The deals of Crapette-1000, which never change, and their digests.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table

import engine
from analysis.intervals import score_interval
from kit.console.command import INTERRUPTED, BadUsage, Parser, count, run_command
from kit.console.screen import Screen
from kit.local import play
from kit.local.series import Played, SeriesPlan, SeriesTally, seed_of

if TYPE_CHECKING:
    from collections.abc import Sequence


SEED: Final = "crapette-1000"
DEALS: Final = 1000
OPPONENT: Final = "greedy"
"""Who is played against: it is deterministic, the same in every release, and takes next to no time."""
VARIANTS: Final = tuple(engine.VARIANTS)
FILE: Final = Path(__file__).with_name("reference.json")
"""For each game the digest of its deals, and the results of the reference bots."""


def plan(variant: str, deals: int = DEALS) -> SeriesPlan:
    """The first so many deals of a game, each played from both seats."""
    return SeriesPlan(variant, 2, deals, seed_of(SEED))


def digest(variant: str) -> str:
    """The SHA-256 of all deals of a game: of the lines of the positions in which both games of each begin."""
    total = hashlib.sha256()
    for fixture in plan(variant).games():
        total.update(f"{fixture.start()}\n".encode())
    return total.hexdigest()


def reference() -> dict[str, Any]:
    """What is published of each game: ``digest``, and by bot the numbers of its pairs by half points."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="crapette benchmark",
        description=f"Play a bot against {OPPONENT} on the {DEALS} deals of Crapette-1000, from both seats.",
        epilog="""\
examples:
  crapette benchmark mybot --variant crapaud --results mybot.json   all thousand deals; Ctrl-C and --resume
  crapette benchmark mybot --deals 100                              the first hundred, with a wider interval
  crapette benchmark                                                the table of the house bots

exit status:
  0  played      2  wrong arguments      75  this machine failed      130  interrupted""",
    )
    made.add_argument("bot", metavar="BOT", nargs="?", help="the name of a house bot, a file or a folder")
    made.add_argument("--variant", choices=VARIANTS, default="crapaud", help="default: %(default)s")
    made.add_argument("--deals", type=count, default=DEALS, help="how many deals to play, from the first on")
    made.add_argument("--results", type=Path, metavar="FILE", help="write every game here")
    made.add_argument("--resume", action="store_true", help="continue from the FILE of --results")
    made.add_argument("--jobs", type=count, default=1, help="games played at the same time (default: 1)")
    made.add_argument("--json", action="store_true", help="print the table as JSON")
    made.add_argument("--unsandboxed", action="store_true", help="run bots as ordinary programs")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    given = parser().parse_args(arguments)
    return run_command("crapette benchmark", lambda: _run(given))


def _run(given: Any) -> int:
    screen, published = Screen(), reference()
    if given.bot is None:
        if given.json:
            print(json.dumps({variant: scores(published[variant]["pairs"]) for variant in VARIANTS}))
        for variant in VARIANTS if not given.json else ():
            screen.print(table(variant, published[variant]["pairs"]))
        return 0
    if given.deals > DEALS:
        raise BadUsage(f"expected at most {DEALS} deals, got {given.deals}")
    if digest(given.variant) != published[given.variant]["digest"]:
        raise BadUsage(
            f"the deals of {given.variant} are not those of Crapette-1000: this version of the rules"
            f" ({engine.RULES_VERSION}) deals differently"
        )
    results = given.results or Path(f"crapette-1000-{given.variant}-{Path(given.bot).stem}.json")
    words = [given.bot, OPPONENT, "--variant", given.variant, "--pairs", str(given.deals), "--seed", SEED]
    words += ["--json", str(results), "--jobs", str(given.jobs)]
    words += ["--resume"] * given.resume + ["--unsandboxed"] * given.unsandboxed
    with contextlib.redirect_stdout(sys.stderr if given.json else sys.stdout):
        status = play.main(words)
    if status not in {0, INTERRUPTED} or not results.exists():
        return status
    name, played = read_pairs(results)
    pairs = {**published[given.variant]["pairs"], name: played}
    if given.json:
        print(json.dumps({given.variant: scores(pairs)}))
    else:
        screen.print(table(given.variant, pairs))
    return status


def read_pairs(results: Path) -> tuple[str, Sequence[int]]:
    """Of a file of results, the bot's name and the numbers of its pairs by half points."""
    found = json.loads(results.read_text(encoding="utf-8"))
    tally = SeriesTally(tuple(entry["name"] for entry in found["match"]["bots"]))
    for fields in found["games"]:
        tally.add(Played.from_dict(fields))
    return tally.names[0], tally.penta(tally.names[0])


def scores(pairs: dict[str, Sequence[int]]) -> list[dict[str, Any]]:
    """The bots on the deals of a game, best first, each with its score against the opponent."""
    found = []
    for name, penta in pairs.items():
        score = score_interval(penta)
        if score is not None:
            found.append(
                {
                    "bot": name,
                    "score": round(score.value, 4),
                    "low": round(score.low, 4),
                    "high": round(score.high, 4),
                    "pairs": sum(penta),
                }
            )
    return sorted(found, key=lambda row: (-row["score"], row["bot"]))


def table(variant: str, pairs: dict[str, Sequence[int]]) -> Table:
    """The bots on the deals of a game, best first, each by its score against the opponent."""
    made = Table("bot", f"score against {OPPONENT}", "95 %", "pairs", title=f"Crapette-1000 {variant}")
    for column in made.columns[1:]:
        column.justify = "right"
    for row in scores(pairs):
        made.add_row(
            row["bot"], f"{row['score']:.1%}", f"{row['low']:.1%} – {row['high']:.1%}", str(row["pairs"])
        )
    return made


if __name__ == "__main__":
    sys.exit(main())
