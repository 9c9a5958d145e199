"""The CPU time of whole sandboxed games and of starting their bots, against the bots' own and bare starts.

A playing process plays a few games, and another one more of the same. The difference of what the kernel
counted for them and all their children is what games cost, without the start of the process itself. Between
the two the programs of the bots' languages are started bare.
"""

from __future__ import annotations

import resource
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import engine
from referee.job import ClockRule, Job, SeatJob
from referee.supervise import PlayingProcess
from sandbox.plan import NODE_FLAGS
from sandbox.staging import interpreter
from sandbox.uploads import digest
from tests.wat import assemble
from tools.bench.host_speed import BARE, cpu_ms_of, on_core
from tools.bench.tables import RatioRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandbox import Stage

ROOT: Final = Path(__file__).resolve().parents[2]
HOUSE: Final = ROOT / "bots" / "house"
FEW: Final = 3
"""Games that both processes play: the first ones are slower."""
OWN_BARE: Final = 5


@dataclass(frozen=True, slots=True)
class GameCost:
    """What a game between two copies of a bot costs, in CPU milliseconds.

    ``bare`` is one start of what runs it, alone.
    """

    whole: float
    """Everything: bots, sandboxes, referee, and whoever reads the events."""
    play: float
    """Referee and bots from the moment both bots are ready until the game has its result."""
    bots: float
    """The bots alone, in that time."""
    bare: float

    @property
    def start(self) -> float:
        """All that is not play, for one bot: its start, its sandbox, its end."""
        return (self.whole - self.play) / 2


def measure(stage: Stage, seat: SeatJob, bare: Sequence[str], games: int, core: int) -> GameCost:
    """Play so many games on one core, beyond `FEW`."""
    few = _played(stage, seat, FEW, core)
    with on_core(core):
        bare_ms = statistics.median(cpu_ms_of(bare) for _ in range(OWN_BARE))
    more = _played(stage, seat, FEW + games, core)
    whole, play, bots = ((b - a) / games for a, b in zip(few, more, strict=True))
    return GameCost(whole, play, bots, bare_ms)


def _played(stage: Stage, seat: SeatJob, games: int, core: int) -> tuple[float, float, float]:
    """The CPU milliseconds of all games together: of everything, of play, of the bots in play."""
    before = _cpu_ms()
    play = bots = 0.0
    with on_core(core), PlayingProcess(stage) as process:
        for number in range(games):
            start = str(engine.deal("crapaud", f"{number + 1:064x}"))
            game = process.start(Job("crapaud", start, (seat, seat), ClockRule()))
            for _ in game.batches():
                pass
            assert game.result is not None
            play += game.result["cpu_us"]["play"] / 1000
            bots += game.result["cpu_us"]["bots"] / 1000
    return _cpu_ms() - before, play, bots


def _cpu_ms() -> float:
    """CPU milliseconds of this process and of its children that have ended, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() * 1000 + (used.ru_utime + used.ru_stime) * 1000


def seat_of(stage: Stage, files: dict[str, bytes], language: str, entry: str) -> SeatJob:
    """Put a bot on the stage."""
    return SeatJob(str(stage.store_bot(digest(files), files, entry)), language, entry)


def house_files(name: str) -> dict[str, bytes]:
    """The files of a house bot."""
    return {path.name: path.read_bytes() for path in (HOUSE / name).iterdir() if path.is_file()}


def ratio_rows(stage: Stage, core: int) -> list[RatioRow]:
    """What a game of `greedy` costs, and the start of a bot in every language that can play here."""
    greedy = measure(stage, seat_of(stage, house_files("greedy"), "python", "bot.py"), BARE, 25, core)
    about = f"{greedy.whole:.1f} ms, of the bots {greedy.bots:.1f}, with the referee {greedy.play:.1f}"
    rows = [
        RatioRow(
            "CPU a game, local runner ÷ what the bots use after ready",
            greedy.whole / greedy.bots,
            *(5, 3),
            about,
        ),
        _start_row("Python bot", greedy, (1.8, 1.3), "python3 -S -c pass"),
    ]
    node = interpreter.node()
    bare = [str(node.executable), *NODE_FLAGS, "-e", "0"] if node is not None else []
    wasm = {"first.wasm": assemble((ROOT / "tests" / "wasm" / "first.wat").read_text())}
    for title, language, files, entry, start in (
        ("JavaScript bot", "javascript", house_files("greedy_js"), "bot.js", bare),
        ("WebAssembly bot", "wasm", wasm, "first.wasm", bare),
        ("static executable", "native", house_files("greedy_c"), "bot", [str(HOUSE / "greedy_c" / "bot")]),
    ):
        if not start or entry not in files:
            missing = "node" if not start else "a C compiler"
            rows.append(RatioRow(_title(title), None, 1.5, 1.2, f"{missing} is not installed"))
            continue
        cost = measure(stage, seat_of(stage, files, language, entry), start, 6, core)
        rows.append(_start_row(title, cost, (1.5, 1.2), " ".join((Path(start[0]).name, *start[1:]))))
    return rows


def _title(bot: str) -> str:
    return f"start of a sandboxed {bot} ÷ its bare start, CPU"


def _start_row(title: str, cost: GameCost, goals: tuple[float, float], bare: str) -> RatioRow:
    about = f"{cost.start:.1f} ms with its end and the referee's part, {cost.bare:.1f} of {bare}"
    return RatioRow(_title(title), cost.start / cost.bare, *goals, about)
