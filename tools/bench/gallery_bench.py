"""``./crapette bench gallery``: measures how strong the house bots are on each board.

Neighbouring house bots play each other in the sandbox, with the ladder's clock. Ratings are fitted to all
their pairs, with greedy at 1500. With three and four seats each bot plays against planners. Results are kept
in bots/gallery.json: each run adds deals to them, and drops those of bots that have changed since.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table

import engine
from analysis import intervals
from analysis.ratings import elo
from analysis.ratings.match_arrays import Match
from kit.console.command import BadUsage, Parser, count
from kit.local import play
from kit.local.series import Played
from tools.bench.gallery_results import FILE, boards, load, meetings, save, share_interval

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from tools.bench.gallery_results import Meeting

PIECES: Final = {"sampler": 3, "oracle": 2}
"""Deals that a meeting plays at a time, by its first bot; `USUAL` for all others."""
USUAL: Final = 10
BOTS: Final = ("random", "cautious", "greedy", "planner", "sampler", "oracle")
ANCHOR: Final = BOTS.index("greedy")
HEADINGS: Final = {
    True: ("bot", "Elo", "± 95 %", "against its neighbour", "pairs", "CPU ms a turn"),
    False: ("bot", "first against planners", "95 %", "by chance", "deals", "CPU ms a turn"),
}
"""By whether there are two seats."""
LEVELS: Final = 100
"""So many pieces of each meeting at most: 1,000 pairs of fast bots, 200 of oracle's."""


def piece(one: Meeting) -> int:
    """How many deals a meeting plays at a time: some seconds' worth; two of oracle's take a minute."""
    usual = PIECES.get(one.first, USUAL)
    return max(1, 2 * usual // one.seats)


def next_of(found: Iterable[Meeting], slower: Sequence[str] = tuple(PIECES)) -> Meeting | None:
    """The meeting that has played fewest pieces, of equal ones the fastest; None once all have enough."""
    names = ("", *slower)

    def rank(one: Meeting) -> tuple[int, int]:
        return one.deals // piece(one), names.index(one.first) if one.first in names else 0

    left = [one for one in found if rank(one)[0] < LEVELS]
    return min(left, key=rank, default=None)


def met(one: Meeting, deals: int, jobs: int) -> list[Played]:
    """Play new deals of a meeting. Raises BadUsage where that cannot be."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.json"
        bots = [one.first, *[one.second] * (one.seats - 1)]
        words = [*bots, "--variant", one.variant, "--pairs", str(deals), "--jobs", str(jobs)]
        words += ["--seed", f"gallery/{one.key}/{one.deals}", "--json", str(file)]
        with contextlib.redirect_stdout(io.StringIO()):
            status = play.main(words)
        if status:
            raise BadUsage(f"{one.key} was broken off, for the reason above")
        return [Played.from_dict(fields) for fields in json.loads(file.read_text())["games"]]


def add(found: dict[str, Meeting], given: argparse.Namespace, console: Console) -> None:
    """Play deals for some minutes, where fewest were played, and keep each piece as soon as it is over."""
    until = time.monotonic() + 60 * given.minutes
    wanted = [
        one
        for one in found.values()
        if (not given.variant or one.variant in given.variant)
        and not {one.first, one.second} & set(given.without)
    ]
    longest = 0.0
    # A piece is not begun that would probably end late, once one was played.
    while (now := time.monotonic()) + longest < until or not longest:
        one = next_of(wanted)
        if one is None:
            break
        deals = piece(one)
        one.take(met(one, deals, given.jobs), deals)
        save(found, given.file)
        took = time.monotonic() - now
        longest = max(longest, took)
        console.print(f"{one.key}: {one.played} deals, {took:.1f} s", style="dim")


@dataclass(frozen=True)
class BoardTable:
    """One board's rows under `HEADINGS`, as text."""

    title: str
    pairs: bool
    rows: list[tuple[str, ...]]


def tables(found: dict[str, Meeting], only: Sequence[str] = ()) -> list[BoardTable]:
    """The tables of all boards of which there are results, or of some variants'."""
    made = []
    for variant, seats in boards():
        if only and variant not in only:
            continue
        played = [found[f"{variant}/{seats}/{one}/{two}"] for one, two in meetings((variant, seats))]
        played = [one for one in played if one.played]
        title = variant if seats == 2 else f"{variant}, {seats} seats"
        if played:
            made.append(BoardTable(title, seats == 2, _rated(played) if seats == 2 else _firsts(played)))
    return made


def markdown(made: Iterable[BoardTable]) -> str:
    """The tables as the README shows them: games of two in one table, the others below."""
    lines: list[str] = []
    made = list(made)
    for pairs in (True, False):
        own = [table for table in made if table.pairs is pairs]
        if not own:
            continue
        lines += ["", "| game | " + " | ".join(HEADINGS[pairs]) + " |", "|---|---|" + "---|" * 5]
        for table in own:
            for number, row in enumerate(table.rows):
                game = f"`{table.title}`" if number == 0 else ""
                lines.append("| " + " | ".join((game, *row)) + " |")
    return "\n".join(lines[1:]) + "\n"


def _rated(played: Sequence[Meeting]) -> list[tuple[str, ...]]:
    matches = [Match(BOTS.index(one.first), BOTS.index(one.second), one.penta) for one in played]
    fit = elo.fit(matches, {ANCHOR: elo.ANCHOR_ELO})
    rows: list[tuple[str, ...]] = []
    for number, name in enumerate(BOTS):
        own = [one for one in played if name in (one.first, one.second)]
        if not own:
            continue
        try:
            estimate = fit.estimate(number)
        except KeyError:
            continue
        rated = f"{estimate.elo:.0f}" if estimate.anchored or number == ANCHOR else "?"
        error = "anchor" if number == ANCHOR else f"{fit.reach * estimate.error:.0f}" if rated != "?" else ""
        rows.append(
            (name, rated, error, _score(name, own), str(sum(one.played for one in own)), _cost(name, own))
        )
    return rows


def _score(name: str, own: Sequence[Meeting]) -> str:
    """The score against the neighbour that the bot is measured by, with its interval."""
    one = next((one for one in own if one.first == name), None)
    penta = None if one is None else one.penta
    if one is None and name == "planner":  # the only one that is second in its own step up
        one = next((one for one in own if one.first == "greedy"), None)
        penta = None if one is None else one.penta[::-1]
    if one is None or penta is None:
        return ""
    found = intervals.score_interval(penta)
    assert found is not None  # only meetings with pairs are shown
    other = one.second if one.first == name else one.first
    return f"{found.value:.1%} ({found.low:.1%} – {found.high:.1%}) against {other}"


def _firsts(played: Sequence[Meeting]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for one in played:
        share = share_interval(one.scores, 12 * one.seats)
        rows.append(
            (
                one.first,
                f"{share.value:.1%}",
                f"{share.low:.1%} – {share.high:.1%}",
                f"{1 / one.seats:.1%}",
                str(one.played),
                _cost(one.first, [one]),
            )
        )
    return rows


def _cost(name: str, own: Sequence[Meeting]) -> str:
    ms = sum(one.cpu_ms.get(name, 0) for one in own)
    turns = sum(one.turns.get(name, 0.0) for one in own)
    return f"{ms / max(1.0, turns):.1f}"


def options() -> Parser:
    """The command line."""
    parser = Parser(prog="crapette bench gallery", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument(
        "--variant",
        action="append",
        choices=list(engine.VARIANTS),
        help="only this variant; may be repeated (default: all)",
    )
    parser.add_argument(
        "--minutes",
        type=count,
        default=4,
        metavar="M",
        help="play for about so long, where fewest deals were played so far (default: %(default)s)",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=sorted({*BOTS} - {"greedy"}),
        help="leave out a bot, such as oracle, whose games take a hundred times as long; may be repeated",
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--table", action="store_true", help="play nothing; print what stands")
    shown.add_argument("--markdown", action="store_true", help="the same as docs/author/gallery.md has it")
    parser.add_argument("--jobs", type=count, default=1, help="games at the same time (default: %(default)s)")
    parser.add_argument(
        "--file", type=Path, default=FILE, help="where results are kept (default: bots/gallery.json)"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 2 if it cannot be done as asked."""
    parser = options()
    given = parser.parse_args(arguments)
    console = Console(highlight=False)
    found, stale = load(given.file)
    if given.markdown:
        sys.stdout.write(markdown(tables(found, given.variant or ())))
        return 0
    for key in stale:
        console.print(f"{key}: dropped, as a bot or the rules have changed since", style="dim")
    try:
        if not given.table:
            add(found, given, console)
    except BadUsage as error:
        parser.error(str(error))
    for made in tables(found, given.variant or ()):
        table = Table(*HEADINGS[made.pairs], title=made.title, title_justify="left")
        for column in table.columns[1:]:
            column.justify = "right"
        for row in made.rows:
            table.add_row(*row)
        console.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
