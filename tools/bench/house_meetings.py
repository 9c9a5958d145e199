"""What house bots make of each other: deals that they play in one process, kept in one file.

Without sandbox and protocol, many more games fit into a minute. The bots are told a clock, which decides how
long some of them think about a question.

Results belong to the bots that made them: each meeting is kept with hashes of the bots' sources, and begins
anew once one of them, what they import to choose their moves, their net or the rules have changed. So what is
stopped at any time goes on where it was.
"""

from __future__ import annotations

import copy
import hashlib
import importlib.util
import json
import math
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis import intervals
from bots.house import HOUSE_BOTS
from engine.boards import BOARDS, parse_board
from engine.policies.valued import net_file
from engine.variants import VARIANTS
from kit.bot.project import to_pack
from kit.console.command import count
from kit.console.output_files import write_whole

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

ROOT: Final = Path(__file__).parents[2]
RESULTS: Final = ROOT / "bots" / "gallery.json"
GALLERY_PAGE: Final = ROOT / "docs/author/gallery.md"
TWO_SEAT_BOARDS: Final = [board for board in BOARDS if parse_board(board)[1] == 2]
"""The boards of two seats."""
ORACLE: Final = "oracle"
"""It chooses by a net of its own for each board of turns."""
LEVEL: Final = re.compile(rf"{ORACLE} at level (\d+)")
CHOOSING_PARTS: Final = ("policies", "turns/search", "turns/knowledge", "ticks/tracker.py")
"""Parts of the engine that bots choose by. What the core does follows from the version of the rules."""
LADDER_MS: Final = 60_000
SAVE_EVERY_S: Final = 10.0


@dataclass(frozen=True)
class Deal:
    """One deal played by the first from every seat, with the second in all others.

    `score` is what the first made of it, in twelfths of a game. `cpu_s` and `turns` are of both.
    """

    score: int
    cpu_s: tuple[float, float]
    turns: tuple[int, int]


Play = Callable[["Meeting", int], Deal]


@dataclass
class Meeting:
    """The deals of a board that two have played, by their numbers.

    Where `think_ms` is not 0, the first thought so long about a question, whatever the clock.
    """

    board: str
    first: str
    second: str
    think_ms: int = 0
    clock_ms: int = LADDER_MS
    made_by: str = ""
    deals: dict[int, Deal] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.made_by = self.made_by or " ".join(
            source_hash(name, self.board) for name in (self.first, self.second)
        )

    @property
    def key(self) -> tuple[str, str, str, int, int]:
        """What tells meetings apart."""
        return self.board, self.first, self.second, self.think_ms, self.clock_ms

    @property
    def scores(self) -> Counter[int]:
        """How many deals had each score."""
        return Counter(deal.score for deal in self.deals.values())

    @property
    def penta(self) -> tuple[int, int, int, int, int]:
        """Between two, pairs by the first's half points."""
        one, two, three, four, five = (self.scores[6 * half] for half in range(5))
        return one, two, three, four, five

    def interval(self) -> intervals.Interval:
        """The first's share of the games, with its 95 % interval; there must be a deal."""
        seats = parse_board(self.board)[1]
        found = (
            intervals.score_interval(self.penta) if seats == 2 else interval_of_share(self.scores, 12 * seats)
        )
        assert found is not None  # there is a deal
        return found

    def cpu(self, place: int) -> tuple[float, int]:
        """The seconds that the first (0) or second (1) used, and its turns."""
        found = self.deals.values()
        return sum(deal.cpu_s[place] for deal in found), sum(deal.turns[place] for deal in found)

    def as_dict(self) -> dict[str, Any]:
        """As JSON; `of` reads it."""
        deals = {
            str(number): [deal.score, *(round(1000 * s) for s in deal.cpu_s), *deal.turns]
            for number, deal in sorted(self.deals.items())
        }
        return {**vars(self), "deals": deals}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> Meeting:
        """The meeting that `as_dict` wrote."""
        deals = {
            int(number): Deal(score, (first_ms / 1000, second_ms / 1000), (first, second))
            for number, (score, first_ms, second_ms, first, second) in fields["deals"].items()
        }
        return cls(**{**fields, "deals": deals})


def load_meetings(file: Path = RESULTS) -> list[Meeting]:
    """All that the file holds, of whatever versions of the bots."""
    if not file.exists():
        return []
    return [Meeting.of(fields) for fields in json.loads(file.read_text())["meetings"]]


def restore_deals(wanted: Sequence[Meeting], file: Path = RESULTS) -> None:
    """Give to meetings what the same bots have played of them."""
    kept = {(one.key, one.made_by): one.deals for one in load_meetings(file)}
    for one in wanted:
        one.deals = kept.get((one.key, one.made_by), {})


def save_meetings(played: Iterable[Meeting], file: Path = RESULTS) -> None:
    """Write meetings to the file, a meeting a line, in the place of the same ones; others stay."""
    rows = {one.key: one for one in (*load_meetings(file), *played) if one.deals}
    lines = [json.dumps(one.as_dict(), separators=(",", ":")) for one in rows.values()]
    write_whole(file, ('{"meetings": [\n' + ",\n".join(lines) + "\n]}\n").encode())


@cache
def source_hash(name: str, board: str) -> str:
    """The first digits of the SHA-256 of all that decides what a house bot, or a level, plays on a board."""
    bot = ORACLE if LEVEL.fullmatch(name) else name
    digest = hashlib.sha256(f"rules {engine.RULES_VERSION}\n".encode())
    for path in (*sorted(to_pack(HOUSE_BOTS[bot].directory)), *_choosing()):
        digest.update(b"%s\n%s\n" % (path.name.encode(), path.read_bytes()))
    variant, seats = parse_board(board)
    if bot == ORACLE and not VARIANTS[variant].in_ticks:
        digest.update(net_file(variant, seats).read_bytes())
    return digest.hexdigest()[:16]


def _choosing() -> list[Path]:
    base = Path(engine.__file__).parent
    found = (base / part for part in CHOOSING_PARTS)
    return sorted(path for part in found for path in ([part] if part.is_file() else part.rglob("*.py")))


def interval_of_share(scores: Counter[int], whole: int) -> intervals.Interval:
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


def elo_text(score: float) -> str:
    """How much stronger a score shows a bot to be.

    >>> elo_text(0.5), elo_text(0.75), elo_text(0.25), elo_text(1.0)
    ('+0', '+191', '−191', '∞')
    """
    if not 0 < score < 1:
        return "∞" if score else "−∞"
    return f"{400 * math.log10(score / (1 - score)):+.0f}".replace("-", "−")


def heading(*columns: str) -> str:
    """The head of a table.

    >>> heading("game", "pairs")
    '| game | pairs |\\n|---|---|\\n'
    """
    return f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"


def elo_difference(one: Meeting) -> str:
    """How much stronger the first is by its score, in Elo."""
    found = one.interval()
    return f"{elo_text(found.value)} ({elo_text(found.low)} – {elo_text(found.high)})"


# Playing.


@cache
def load_bot(name: str, variant: str, place: int = 0) -> dict[str, Any]:
    """What a house bot gives to `crapette.run`, by the names of its parameters.

    It is loaded again for each variant, and for each `place`, where it plays against itself: in the arena a
    process plays one game, and a bot may keep what it knows of that, such as oracle its net.
    """
    import crapette  # type: ignore[import-not-found]

    given: dict[str, Any] = {}
    folder = HOUSE_BOTS[name].directory
    for other in folder.glob("*.py"):
        sys.modules.pop(other.stem, None)  # another bot's
    run, crapette.run = crapette.run, lambda choose, **more: given.update(more, choose=choose)
    sys.path.insert(0, str(folder))
    try:
        spec = importlib.util.spec_from_file_location(f"house_{name}_{variant}_{place}", folder / "bot.py")
        assert spec is not None
        assert spec.loader is not None
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    finally:
        sys.path.remove(str(folder))
        crapette.run = run
    return given


def set_think_time(oracle: dict[str, Any], ms: float) -> int:
    """Let a loaded oracle spend so much CPU time on a question, and return the clock in ms that allows it."""
    constants = oracle["choose"].__globals__
    constants["MOST_S"] = ms / 1000
    clock_ms: float = 1000 * constants["RESERVE_S"] + ms * constants["SHARE"]
    return round(clock_ms)


def chooser(variant: str, bot: dict[str, Any], level: int = 0) -> Callable[[Any], Any]:
    """What of a bot plays a game of the variant. What plays in ticks remembers its game: each has its own."""
    found: Callable[[Any], Any] = copy.deepcopy(bot["tick"]) if VARIANTS[variant].in_ticks else bot["choose"]
    return at_level(level, found)


def at_level(level: int, answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A bot's function that is told a level; 0 for none."""
    if not level:
        return answer

    def answered(asked: Any) -> Any:
        asked.hello = {**asked.hello, "level": level}
        return answer(asked)

    return answered


def count_time(spent: list[float], choose: Callable[[Any], Any], seen: set[int]) -> Callable[[Any], Any]:
    """A bot's `choose` that adds up its CPU time, and the turns in which it was asked."""

    def chosen(turn: Any) -> Any:
        began = time.process_time()
        answer = choose(turn)
        spent[0] += time.process_time() - began
        last = turn.events[-1] if turn.events else {}
        seen.add(last.get("turn_number", turn.tick))
        return answer

    return chosen


def load_bots(one: Meeting) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both bots of a meeting, loaded."""
    variant, _ = parse_board(one.board)
    first, second = (ORACLE if LEVEL.fullmatch(name) else name for name in (one.first, one.second))
    return load_bot(first, variant), load_bot(second, variant, 1)


def play(one: Meeting, number: int) -> Deal:
    """Play a deal of a meeting."""
    bots = load_bots(one)
    return play_deal(
        one, number, bots, set_think_time(bots[0], one.think_ms) if one.think_ms else one.clock_ms
    )


def play_deal(one: Meeting, number: int, bots: tuple[dict[str, Any], dict[str, Any]], clock_ms: int) -> Deal:
    """Play a deal of a meeting with these bots, loaded and told of so much time."""
    from crapette import local

    variant, seats = parse_board(one.board)
    found = (LEVEL.fullmatch(name) for name in (one.first, one.second))
    levels = [int(level[1]) if level else 0 for level in found]
    score, turns, spent = 0, [0, 0], ([0.0], [0.0])
    for own in range(seats):
        choosers, stops, seen = [], [], [set[int]() for _ in range(seats)]
        for seat in range(seats):
            place = int(seat != own)
            choose = chooser(variant, bots[place], levels[place])
            choosers.append(count_time(spent[place], choose, seen[seat]))
            stop = bots[place].get("stop") if seats == 2 else None
            stops.append(at_level(levels[place], stop) if stop else None)
        ranking, _ = local.play(variant, f"search/{one.board}/{number}", choosers, stops, clock_ms=clock_ms)
        score += 12 // len(ranking[0]) * (own in ranking[0])
        for seat in range(seats):
            turns[int(seat != own)] += len(seen[seat])
    return Deal(score, (spent[0][0], spent[1][0]), (turns[0], turns[1]))


def add_options(parser: argparse.ArgumentParser, pairs: int) -> None:
    """What every command asks that plays meetings."""
    parser.add_argument(
        "--pairs", type=count, default=pairs, help="deals of each meeting (default: %(default)s)"
    )
    parser.add_argument(
        "--minutes", type=count, default=60, help="begin no deal later (default: %(default)s)"
    )
    parser.add_argument("--jobs", type=count, default=1, help="deals at the same time (default: %(default)s)")
    parser.add_argument(
        "--file", type=Path, default=RESULTS, help="where results are kept (default: bots/gallery.json)"
    )
    parser.add_argument(
        "--table", action="store_true", help="play nothing; print what the file has of the bots as they are"
    )
    parser.add_argument(
        "--write", action="store_true", help="put the tables into docs/author/gallery.md, too"
    )


def play_missing(wanted: Sequence[Meeting], given: argparse.Namespace, play: Play = play) -> None:
    """Play the deals of meetings in turn, those that the file has not, until the time is over."""
    restore_deals(wanted, given.file)
    if given.table:
        return
    until = saved = time.monotonic()
    until += 60 * given.minutes
    with ProcessPoolExecutor(given.jobs, initializer=prepare_process) as pool:
        asked = {}
        for number in range(given.pairs):
            for one in wanted:
                if number not in one.deals:
                    bare = Meeting(*one.key, one.made_by)  # without the deals, which none need
                    asked[pool.submit(play_before, until, play, bare, number)] = one, number
        try:
            for each in as_completed(asked):
                deal, (one, number) = each.result(), asked[each]
                if deal is None:
                    continue
                one.deals[number] = deal
                if time.monotonic() > saved + SAVE_EVERY_S:
                    save_meetings(wanted, given.file)
                    saved = time.monotonic()
                    sys.stderr.write(f"{sum(len(each.deals) for each in wanted)} deals\n")
        except KeyboardInterrupt:
            sys.exit("Stopped. The same command goes on where this one was.")
        finally:
            save_meetings(wanted, given.file)
            pool.shutdown(cancel_futures=True)  # of an error: or all other deals would be played first


def play_before(until: float, play: Play, one: Meeting, number: int) -> Deal | None:
    """Play a deal, unless it is too late to begin one."""
    return None if time.monotonic() > until else play(one, number)


def prepare_process() -> None:
    """Let house bots find what they import, and Ctrl-C end this process at once."""
    sys.path.insert(0, str(ROOT / "kit" / "sdk"))
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def show_tables(tables: dict[str, str], *, write: bool) -> None:
    """Print tables, and write those that are not empty into the page between marks with their names."""
    text = GALLERY_PAGE.read_text(encoding="utf-8")
    for name, table in tables.items():
        if table:
            sys.stdout.write(f"{table}\n")
            part = re.compile(rf"(<!-- {name} table -->\n).*?(<!-- /{name} table -->)", re.DOTALL)
            text = part.sub(lambda found, table=table: found[1] + table + found[2], text)  # type: ignore[misc]
    if write:
        write_whole(GALLERY_PAGE, text.encode())
