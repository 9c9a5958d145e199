"""``./crapette bench engine``: compares the engine's speed with other card and board game engines."""

from __future__ import annotations

import argparse
import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING

import engine
from tools.bench import contenders
from tools.bench.host_speed import HostSpeed
from tools.bench.measuring import Rounds
from tools.bench.tables import RatioRow, show, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.bench.measuring import Slice

SLICE_SECONDS = 0.03
QUICK_SECONDS = 25
QUICK = ("driven", "hearts", "Klondike", "uncompiled", "python-chess")
"""What `ratio_rows` measures, by the names that `MEASURES` uses."""
CONVENTIONS = """\
Steps per second of CPU time, in one thread of one process. Slices of 30 ms run in random order. Ratios are
taken within each round; the table shows their median and 10th to 90th percentile. Our steps are plies of
whole uniformly random games, each starting from a copy of a prepared deal. OpenSpiel's hearts and Klondike,
driven, are whole random games; the time includes the deal and other chance nodes (`chance_outcomes`, choose,
`apply_action`), but only decisions count as steps. Its rollouts in C++ are those of `MCTSBot` with one
simulation and `RandomRolloutEvaluator` on a dealt hand of hearts; steps are rollouts times their mean length.
python-chess plays from the initial position to mate, stalemate or 300 plies, without checking for other
draws. `clone` copies a position in mid-game, or a dealt hand of hearts. A step of `vitesse` is a tick, in
which both choose."""


@dataclass(frozen=True)
class Measure:
    """One row of the table: a ratio between two contenders, its gate and its aim."""

    title: str
    ours: str
    theirs: str
    gate: float
    aim: float | None = None
    is_time: bool = False  # the ratio of times, where small is good

    def row(self, rounds: Rounds) -> RatioRow:
        """Ours over theirs; for times, the other way round."""
        above, below = (self.theirs, self.ours) if self.is_time else (self.ours, self.theirs)
        ratio = rounds.ratio(above, below)
        about = f"p10-p90 {ratio.low:.3g}-{ratio.high:.3g}"
        return RatioRow(f"engine {self.title}", ratio.middle, self.gate, self.aim, about)


OTHERS = tuple(
    (variant.name, players)
    for variant in engine.VARIANTS.values()
    for players in variant.players
    if variant.name != "crapaud" and not variant.in_ticks
)
MEASURES = (
    Measure("driven from Python / OpenSpiel hearts, whole game", "driven", "hearts", 10, 12),
    Measure("driven by step() / OpenSpiel hearts, whole game", "stepped", "hearts", 10, 12),
    Measure("driven from Python / OpenSpiel Klondike", "driven", "Klondike", 23, 26),
    Measure("driven by step() / OpenSpiel Klondike", "stepped", "Klondike", 23, 26),
    Measure("playout inside the core / OpenSpiel's C++ rollouts", "playout", "hearts rollouts", 3, 5),
    Measure("clone / OpenSpiel hearts clone, time", "clone", "hearts clone", 1 / 8, is_time=True),
    Measure("uncompiled, driven / python-chess playout", "uncompiled", "python-chess", 11, 14),
    Measure(
        "uncompiled, driven by step() / python-chess playout", "uncompiled stepped", "python-chess", 11, 14
    ),
    *(
        Measure(f"{variant}, {players} players / crapaud, driven", f"{variant} {players}", "driven", 0.7, 1)
        for variant, players in OTHERS
    ),
    Measure("vitesse, ticks in which both act / crapaud, driven", "vitesse", "driven", 0.7, 1),
)


def every_contender() -> dict[str, Slice]:
    """Everything that is measured, by the names that `MEASURES` uses."""
    deals = contenders.starts("crapaud")
    pure = contenders.uncompiled(deals, "crapaud")
    found = {
        "driven": contenders.driven(deals),
        "stepped": contenders.stepped(deals),
        "playout": contenders.played_out(deals),
        "clone": contenders.cloned(contenders.in_mid_game(deals[0])),
        "uncompiled": contenders.driven(pure),
        "uncompiled stepped": contenders.stepped(pure),
        "hearts": contenders.openspiel("hearts"),
        "hearts rollouts": contenders.hearts_rollouts(),
        "hearts clone": contenders.cloned(contenders.dealt("hearts")),
        "Klondike": contenders.openspiel("solitaire"),
        "python-chess": contenders.chess_playouts(),
        "vitesse": contenders.ticking(contenders.tick_games()),
    }
    for variant, players in OTHERS:
        found[f"{variant} {players}"] = contenders.driven(contenders.starts(variant, players))
    return found


def machine() -> str:
    """Processor, number of cores that may be used, Python."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        if lines:
            model = f"{len(lines)} x {lines[0].partition(':')[2].strip()}"
    return f"{model}, {platform.python_implementation()} {platform.python_version()}, {platform.system()}"


def rates(rounds: Rounds) -> str:
    """The rates that the ratios were taken from, as Markdown."""
    lines = ["| contender | steps/s | p10-p90 |", "|---|---|---|"]
    for name in rounds.rates:
        rate = rounds.rate(name)
        lines.append(f"| {name} | {_rate(rate.middle)} | {_rate(rate.low)}-{_rate(rate.high)} |")
    return "\n".join(lines)


def _rate(steps: float) -> str:
    return f"{steps / 1e6:.2f} M" if steps >= 1e6 else f"{steps / 1e3:.1f} k"


def _measured(slices: dict[str, Slice], seconds: float) -> Rounds:
    """Rounds for so many seconds, after one that warms everything up."""
    rounds = Rounds(slices, SLICE_SECONDS)
    rounds.run(Random(0))
    for rates in rounds.rates.values():
        rates.clear()
    order = Random(1)
    end = monotonic() + seconds
    count = 0
    while count < 2 or monotonic() < end:
        rounds.run(order)
        count += 1
    return rounds


def ratio_rows() -> list[RatioRow]:
    """The measures of `QUICK` as rows (`tables`)."""
    every = every_contender()
    rounds = _measured({name: every[name] for name in QUICK}, QUICK_SECONDS)
    return [each.row(rounds) for each in MEASURES if each.ours in QUICK and each.theirs in QUICK]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure for so many seconds and print the table; 1 if the engine is not compiled."""
    parser = argparse.ArgumentParser(prog="crapette bench engine", description=__doc__)
    parser.add_argument("--seconds", type=float, default=90, help="how long to measure (default: 90)")
    parser.add_argument("--quick", action="store_true", help="only the ratios with a gate, in half a minute")
    options = parser.parse_args(arguments)
    if not contenders.is_compiled():
        sys.stderr.write("expected the compiled engine, found only its source: is there a C compiler?\n")
        return 1
    if options.quick:
        return show(ratio_rows(), HostSpeed.measure())
    rounds = _measured(every_contender(), options.seconds)
    count, ratios = len(rounds.rates["driven"]), table(each.row(rounds) for each in MEASURES)
    sys.stdout.write(f"{machine()}; {count} rounds\n\n{ratios}\n\n{rates(rounds)}\n\n{CONVENTIONS}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
