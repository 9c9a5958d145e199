"""``./crapette bench levels``: what rating oracle has at each of its levels, with greedy at 1500.

Each level plays the next one and the house bots of about its strength, as in ``./crapette bench gallery``.
Ratings are fitted to all pairs of a game.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from analysis.ratings import elo
from analysis.ratings.match_arrays import Match
from bots.house import LEVELS
from kit.console.command import Parser
from tools.bench.house_meetings import (
    LEVEL,
    ORACLE,
    TWO_SEAT_BOARDS,
    Meeting,
    add_options,
    heading,
    play_missing,
    show_tables,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

CLOCK_MS: Final = 3000
"""What the bots are told of: the full level has some 30 ms for a question."""
FULL: Final = len(LEVELS)
NAMES: Final = [f"{ORACLE} at level {level}" for level in range(1, FULL + 1)]
ANCHOR: Final = "greedy"
PLAYERS: Final = (ANCHOR, "cautious", "planner", *NAMES)
"""Everyone in a fit by number."""
FOES: Final = {1: ("cautious", ANCHOR), 5: (ANCHOR, "planner"), FULL: ("planner",)}
"""The house bots that a level plays, and those after it up to the next one here."""
HEADING: Final = heading("game", *(f"level {level}" for level in range(1, FULL + 1)), "pairs a level")
ABOUT: Final = f"| *about* | {' | '.join(map(str, LEVELS))} | |\n"


def meetings(board: str) -> list[Meeting]:
    """Who plays whom on a board."""
    pairs = [("cautious", ANCHOR), ("planner", ANCHOR)]
    for level, name in enumerate(NAMES, start=1):
        pairs += [(name, foe) for foe in FOES[max(start for start in FOES if start <= level)]]
    pairs += [(stronger, weaker) for weaker, stronger in pairwise(NAMES)]
    return [Meeting(board, *pair, clock_ms=CLOCK_MS) for pair in pairs]


def row_of(board: str, played: Sequence[Meeting]) -> str:
    """A board's line of the table: each level's rating and what the 95 % interval adds and takes."""
    number = PLAYERS.index
    matches = [Match(number(one.first), number(one.second), one.penta) for one in played]
    fit = elo.fit(matches, {number(ANCHOR): elo.ANCHOR_ELO})
    cells, pairs = [f"`{board}`"], []
    for name in NAMES:
        own = [len(one.deals) for one in played if name in {one.first, one.second}]
        if not own:
            cells.append("")
            continue
        found = fit.estimate(number(name))
        cells.append(f"{found.elo:.0f} ±\u00a0{fit.reach * found.error:.0f}")
        pairs.append(sum(own))
    cells.append(f"{min(pairs)} – {max(pairs)}" if pairs else "")
    return f"| {' | '.join(cells)} |\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench levels", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument(
        "--board", action="append", choices=TWO_SEAT_BOARDS, help="may be repeated (default: all)"
    )
    parser.add_argument(
        "--level",
        action="append",
        type=int,
        choices=range(1, FULL + 1),
        help="only meetings of this level; may be repeated",
    )
    add_options(parser, pairs=50)
    given = parser.parse_args(arguments)
    found = [one for board in given.board or TWO_SEAT_BOARDS for one in meetings(board)]
    wanted = set(given.level or range(1, FULL + 1))
    play_missing([one for one in found if levels_in(one) & wanted or not levels_in(one)], given)
    given.table = True
    play_missing(found, given)
    rows = ""
    for board in TWO_SEAT_BOARDS:
        played = [one for one in found if one.board == board and one.deals]
        rows += row_of(board, played) if played else ""
    show_tables({"levels": HEADING + ABOUT + rows if rows else ""}, write=given.write)
    return 0


def levels_in(one: Meeting) -> set[int]:
    """The levels that play in a meeting."""
    return {int(found[1]) for name in (one.first, one.second) if (found := LEVEL.fullmatch(name))}


if __name__ == "__main__":
    sys.exit(main())
