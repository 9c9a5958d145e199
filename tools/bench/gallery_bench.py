"""``./crapette bench gallery``: measures how strong the house bots are on each board.

Neighbouring house bots play each other. Ratings are fitted to all their pairs, with greedy at 1500. With
three and four seats each bot plays against planners. With ``--think-ms`` oracle plays planner and thinks so
long about each question, whatever the clock: given several times, it shows how strength grows with time.

Results are kept in bots/gallery.json. The same command, stopped at any time and given again, plays only what
is missing there.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from analysis.ratings import elo
from analysis.ratings.match_arrays import Match
from engine.boards import BOARDS, parse_board
from engine.variants import VARIANTS
from kit.console.command import Parser, count
from tools.bench.house_meetings import (
    LADDER_MS,
    Meeting,
    add_options,
    elo_difference,
    heading,
    load_meetings,
    play_missing,
    show_tables,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NEIGHBOURS: Final = (
    ("random", "cautious"),
    ("cautious", "greedy"),
    ("greedy", "planner"),
    ("sampler", "planner"),
    ("oracle", "planner"),
)
"""Who plays whom between two. Greedy in JavaScript and in C makes greedy's moves, as a test proves."""
SEAT_BOTS: Final = ("random", "cautious", "greedy", "sampler", "oracle")
"""Who plays where there are more seats; `OPPONENT` has all others."""
OPPONENT: Final = "planner"
BOTS: Final = ("random", "cautious", "greedy", "planner", "sampler", "oracle")
ANCHOR: Final = BOTS.index("greedy")
CURVE_BOTS: Final = ("oracle", OPPONENT)
PAIRS_HEADING: Final = heading(
    "game", "bot", "Elo", "± 95 %", "against its neighbour", "pairs", "CPU ms a turn"
)
SEATS_HEADING: Final = heading(
    "game", "bot", "first against planners", "more than a planner", "deals", "CPU ms a turn"
)
CURVE_HEADING: Final = heading(
    "game, time for a question", "score against planner", "Elo, 95 %", "pairs", "CPU ms a turn"
)


def meetings_on(board: str) -> list[Meeting]:
    """Who plays whom on a board."""
    two = parse_board(board)[1] == 2
    return [
        Meeting(board, *names) for names in (NEIGHBOURS if two else ((one, OPPONENT) for one in SEAT_BOTS))
    ]


def rows_of_two(board: str, played: Sequence[Meeting]) -> str:
    """The rows of a board of two seats."""
    matches = [Match(BOTS.index(one.first), BOTS.index(one.second), one.penta) for one in played]
    fit = elo.fit(matches, {ANCHOR: elo.ANCHOR_ELO})
    rows = ""
    for number, name in enumerate(BOTS):
        own = [one for one in played if name in (one.first, one.second)]
        try:
            estimate = fit.estimate(number)
        except KeyError:
            continue
        rating = f"{estimate.elo:.0f}" if estimate.anchored or number == ANCHOR else "?"
        error = "anchor" if number == ANCHOR else f"{fit.reach * estimate.error:.0f}" if rating != "?" else ""
        cells = (name, rating, error, _score(name, own), str(sum(len(one.deals) for one in own)))
        rows += f"| {'' if rows else f'`{board}`'} | {' | '.join(cells)} | {cpu_per_turn(name, own)} |\n"
    return rows


def _score(name: str, own: Sequence[Meeting]) -> str:
    """The score against the neighbour that the bot is measured by, with its interval."""
    one = next((one for one in own if one.first == name), None)
    if one is not None:
        return f"{share_text(one)} against {one.second}"
    one = next((one for one in own if one.first == "greedy" and name == "planner"), None)
    if one is None:
        return ""
    found = one.interval()  # planner alone is second in its own step up
    return f"{1 - found.value:.1%} ({1 - found.high:.1%} – {1 - found.low:.1%}) against {one.first}"


def share_text(one: Meeting) -> str:
    """The first's share of the games, in words."""
    found = one.interval()
    return f"{found.value:.1%} ({found.low:.1%} – {found.high:.1%})"


def rows_of_many(board: str, played: Sequence[Meeting]) -> str:
    """The rows of a board of three or four seats."""
    rows, chance = "", 1 / parse_board(board)[1]
    for one in played:
        found = one.interval()
        more = [
            f"{100 * (value - chance):+.0f}".replace("-", "−")
            for value in (found.value, found.low, found.high)
        ]
        cells = one.first, share_text(one), f"{more[0]} ({more[1]} – {more[2]}) points", str(len(one.deals))
        rows += (
            f"| {'' if rows else f'`{board}`'} | {' | '.join(cells)} | {cpu_per_turn(one.first, [one])} |\n"
        )
    return rows


def cpu_per_turn(name: str, own: Sequence[Meeting]) -> str:
    """The CPU time of a bot's turns, in ms."""
    found = [one.cpu((one.first, one.second).index(name)) for one in own]
    return f"{1000 * sum(seconds for seconds, _ in found) / max(1, sum(turns for _, turns in found)):.1f}"


def curve_rows(played: Sequence[Meeting]) -> str:
    """The rows of strength and time."""
    rows = ""
    for one in sorted(played, key=lambda one: (BOARDS.index(one.board), one.think_ms)):
        cells = f"`{one.board}`, {one.think_ms} ms", share_text(one), elo_difference(one), str(len(one.deals))
        rows += f"| {' | '.join(cells)} | {cpu_per_turn(one.first, [one])} |\n"
    return rows


def tables(found: Sequence[Meeting]) -> dict[str, str]:
    """All tables that the page has, by name."""
    made = {"gallery": "", "seats": "", "time": curve_rows([one for one in found if one.think_ms])}
    for board in BOARDS:
        played = [one for one in found if one.board == board and not one.think_ms]
        if played:
            two = parse_board(board)[1] == 2
            made["gallery" if two else "seats"] += (rows_of_two if two else rows_of_many)(board, played)
    headings = {"gallery": PAIRS_HEADING, "seats": SEATS_HEADING, "time": CURVE_HEADING}
    return {name: headings[name] + rows if rows else "" for name, rows in made.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench gallery", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument("--board", action="append", choices=BOARDS, help="may be repeated (default: all)")
    parser.add_argument(
        "--bot", action="append", choices=SEAT_BOTS, help="only meetings of this bot; may be repeated"
    )
    parser.add_argument(
        "--think-ms",
        type=count,
        action="append",
        help="CPU time of oracle for a question, whatever the clock; may be repeated; only in games of turns",
    )
    add_options(parser, pairs=100)
    given = parser.parse_args(arguments)
    boards = given.board or BOARDS
    if given.think_ms:
        turns = [board for board in boards if not VARIANTS[parse_board(board)[0]].in_ticks]
        wanted = [Meeting(board, *CURVE_BOTS, think_ms=ms) for board in turns for ms in given.think_ms]
    else:
        wanted = [
            one for board in boards for one in meetings_on(board) if not given.bot or one.first in given.bot
        ]
    play_missing(wanted, given)
    show_tables(tables(load_current(given.file)), write=given.write)
    return 0


def load_current(file: Path) -> list[Meeting]:
    """All that the file has of the gallery and of strength and time, of the bots as they are."""
    known = {one.key: one for board in BOARDS for one in meetings_on(board)}
    found = []
    for one in load_meetings(file):
        timed = one.think_ms and (one.first, one.second) == CURVE_BOTS and one.clock_ms == LADDER_MS
        now = Meeting(*one.key) if timed else known.get(one.key)
        if now is not None and now.made_by == one.made_by:
            found.append(one)
    order = [one.key for one in known.values()]
    return sorted(found, key=lambda one: order.index(one.key) if one.key in order else len(order))


if __name__ == "__main__":
    sys.exit(main())
