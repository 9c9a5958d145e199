"""``./crapette bench calibration``: of the positions that pages tell as 70 %, how many are won?

Mixed bots play (planners of two depths, the greedy bot, two with errors), and planner with itself. Games of
turns between two are told as their pages tell them (`analysis.searches.win_chances`), at every card turned up
and every turn's end. Positions that the solver decides are counted apart: a bot may throw a won ending away.
Games of three and four seats and in ticks are told by oracle's search, which takes many seconds for a whole
game: so a few positions are drawn from each.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import product
from multiprocessing import Pool
from random import Random
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table as Printed

import engine
from analysis.searches.deep.ticks import judge_tick
from analysis.searches.deep.turns import cut_into_stretches, judge, shared_by
from analysis.searches.win_chances import chances
from analysis.training.selfplay import play
from analysis.training.sharpness import bots_game
from analysis.values import covers
from analysis.values.public_game_ticks import TickTable
from engine import TickPosition, TurnPosition
from engine.boards import parse_board
from engine.policies import perturbed, planner
from engine.policies.greedy import greedily
from engine.policies.tick_greedy import tick_greedy
from engine.policies.tick_planner import tick_planner
from engine.turns.conversion import to_core
from engine.turns.moves import STOP, texts
from kit.console.command import Parser, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DEALS: Final = "calibration"
BOARDS: Final = tuple(filter(covers, engine.VARIANTS))
BOTS: Final = ("mixed", "planner")
JUDGED_BOARDS: Final = ("crapette/3", "crapette/4", "vitesse")
"""Where oracle's search tells the chances."""
STRETCHES, TICKS = 3, 10
"""That are judged of a game; a tick takes a tenth of the time."""
EXPLANATION: Final = """
told: positions whose chance was told. 0-10 and so on: the mean of what was told, and what came of it.
gains: over 5 points by one's own choice.
decided, kept: positions that the solver decides, and those that ended so."""
MOST_GAIN: Final = 0.05
"""Points that nobody should gain by their own choice."""


@dataclass
class Reliability:
    """What was told of the games of a board: by tenth of the chance told, how often, in all, and what came of
    it; the squares of the errors; decided positions, and how many of them ended so; gains by own choice."""

    games: int = 0
    often: Counter[int] = field(default_factory=Counter)
    told: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    came: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    squares: float = 0.0
    decided: int = 0
    kept: int = 0
    gains: int = 0

    def add(self, chance: float, points: float) -> None:
        """A chance was told of a seat, and it made so many points in the end (0 to 1)."""
        tenth = min(9, int(chance * 10))
        self.often[tenth] += 1
        self.told[tenth] += chance
        self.came[tenth] += points
        self.squares += (chance - points) ** 2

    def join(self, other: Reliability) -> None:
        """Count in what was told of other games."""
        self.often.update(other.often)
        for tenth in other.often:
            self.told[tenth] += other.told[tenth]
            self.came[tenth] += other.came[tenth]
        for name in ("games", "squares", "decided", "kept", "gains"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def count_game(board: str, bots: str, number: int) -> Reliability:
    """One game of a board, of such `BOTS`."""
    if covers(board):
        return count_game_of_two(board, bots, number)
    found = Reliability(games=1)
    for wins, points in judged_chances(board, bots, number):
        for chance, own in zip(wins, points, strict=True):
            found.add(chance, own)
    return found


def count_game_of_two(variant: str, bots: str, number: int) -> Reliability:
    """A game of turns between two, as its page tells it."""
    start, played = bots_game(variant, DEALS, number, bots)
    found, points = Reliability(games=1), 0.5 + played.result / 2
    swings = chances(start, played.words).swings
    core, _ = to_core(start)
    names = [texts(2, seat) for seat in range(2)]
    movers = []
    for word in played.words:
        movers.append(core.turn)
        if word == STOP:
            core.stop()
        else:
            core.push(names[core.turn].index(word))
    before = None
    for place, swing in enumerate(swings[:-1]):
        if place and swing.skill * (1 - 2 * movers[place - 1]) / 2 > MOST_GAIN:
            found.gains += 1
        if swing.value == before:
            continue
        before = swing.value
        if abs(swing.value) == 1.0:
            found.decided += 1
            found.kept += swing.value == played.result
        else:
            found.add(0.5 + swing.value / 2, points)
    return found


def judged_chances(board: str, bots: str, number: int) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    """Each seat's chance as oracle judges it in some places of a game, and what share of the first place it
    had."""
    key = f"{DEALS}/{board}/{number}"
    rng = Random(key)
    rules, players = parse_board(board)
    start = engine.deal(rules, key, players)
    if isinstance(start, TickPosition):
        ways = [tick_greedy, tick_planner] if bots == "mixed" else [tick_planner]
        played = play(start, [rng.choice(ways) for _ in range(2)])
        share = (0.5 + played.result / 2, 0.5 - played.result / 2)
        table, drawn = TickTable(start), set(rng.sample(range(len(played.words)), TICKS))
        for place, word in enumerate(played.words):
            if place in drawn:
                after = judge_tick(table, word, rng).after
                yield (after, 1 - after), share
            table.follow(word)
        return
    if not isinstance(start, TurnPosition):
        raise TypeError(f"expected a position of turns or in ticks, got {start!r}")
    words, first = play_many(start, rng if bots == "mixed" else None)
    stretches = list(cut_into_stretches(start, words))
    for before, begins, ends in rng.sample(stretches, min(STRETCHES, len(stretches))):
        judged = judge(before, rng, words[begins:ends])
        if not judged.proved:
            yield (judged.played or judged.lines[0]).win, shared_by(first, players)


def play_many(start: TurnPosition, rng: Random | None) -> tuple[list[str], int]:
    """The words of a game at three or four seats until it is decided who is out first, of mixed bots if there
    is something to draw them by, and who that is (-1: nobody)."""
    core, _ = to_core(start)
    seated = [planner(500)] * core.players
    if rng is not None:
        bots = [planner(500), planner(64), greedily, perturbed(rng, 0.2)]
        seated = [rng.choice(bots) for _ in range(core.players)]
    words = []
    while not core.over and not core.tally()[2]:
        seat, turn = core.turn, core.turn_number
        for move in seated[seat](core):
            words.append(str(texts(core.players, seat)[move]))
            core.push(move)
            if core.over or core.tally()[2] or core.turn_number != turn:
                break
    out = core.tally()[2]
    return words, out[0] if out else -1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench calibration", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument(
        "--board", action="append", choices=(*BOARDS, *JUDGED_BOARDS), help="only this (again for more)"
    )
    parser.add_argument("--bots", action="append", choices=BOTS, help="only these (default: both)")
    parser.add_argument(
        "--games", type=count, default=2000, help="of each board between two and kind of bots (2000)"
    )
    parser.add_argument(
        "--judged",
        type=count,
        default=2000,
        help="of the others, some positions of which oracle's search judges (2000)",
    )
    parser.add_argument("--jobs", type=count, default=os.cpu_count(), help="processes (one a processor)")
    given = parser.parse_args(arguments)
    tenths = [f"{low}-{low + 10}" for low in range(0, 100, 10)]
    out = Printed("board", "bots", "games", "told", *tenths, "Brier", "gains", "decided", "kept")
    console = Console(width=200)
    with Pool(given.jobs) as pool:
        for board, bots in product(given.board or (*BOARDS, *JUDGED_BOARDS), given.bots or BOTS):
            games = given.games if covers(board) else given.judged
            total = Reliability()
            asked = [(board, bots, number) for number in range(games)]
            for one in pool.starmap(count_game, asked, chunksize=1):
                total.join(one)
            out.add_row(board, bots, *row(total))
            score = total.squares / total.often.total()
            console.print(f"{board}, {bots}: {total.games} games, Brier score {score:.3f}")
    console.print(out)
    console.print(EXPLANATION)
    return 0


def row(told: Reliability) -> list[str]:
    """The table's columns of a board but its name."""
    total = told.often.total()
    tenths = [
        f"{told.told[tenth] / often:.0%} {told.came[tenth] / often:.0%}" if often else ""
        for tenth, often in ((tenth, told.often[tenth]) for tenth in range(10))
    ]
    decided = [str(told.decided), f"{told.kept / told.decided:.0%}"] if told.decided else ["", ""]
    return [str(told.games), str(total), *tenths, f"{told.squares / total:.3f}", str(told.gains), *decided]


if __name__ == "__main__":
    sys.exit(main())
