"""``./crapette bench engine``: compares the engine's speed with other card and board game engines."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

import engine
from tools.bench import ours, rivals
from tools.bench.measuring import Rounds, Spread
from tools.bench.ratios import HostSpeed, RatioRow, show

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
    """One line of the table: a ratio between two contenders and its target."""

    title: str
    ours: str
    theirs: str
    target: float | None = None
    aim: float | None = None
    is_time: bool = False  # the ratio of times, where small is good

    def ratio(self, rounds: Rounds) -> Spread:
        """Ours over theirs; for times, the other way round."""
        return rounds.ratio(self.theirs, self.ours) if self.is_time else rounds.ratio(self.ours, self.theirs)

    def reached(self, ratio: Spread) -> str:
        """`yes`, `yes, and the aim`, `no`, or nothing where there is no target."""
        if self.target is None:
            return ""
        if self.is_time:
            return "yes" if ratio.middle <= self.target else "no"
        if self.aim is not None and ratio.middle >= self.aim:
            return "yes, and the aim"
        return "yes" if ratio.middle >= self.target else "no"

    def goal(self) -> str:
        """The target as text."""
        if self.target is None:
            return ""
        if self.is_time:
            return f"≤ 1/{1 / self.target:.0f}"
        return f"≥ {self.target:g}" + (f" (aim {self.aim:g})" if self.aim is not None else "")


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
    Measure("driven from Python / OpenSpiel hearts after the deal", "driven", "hearts after the deal"),
    Measure("playout inside the core / OpenSpiel's C++ rollouts", "playout", "hearts rollouts", 3, 5),
    Measure("clone / OpenSpiel hearts clone, time", "clone", "hearts clone", 1 / 8, is_time=True),
    Measure("uncompiled, driven / python-chess playout", "uncompiled", "python-chess", 11, 14),
    Measure(
        "uncompiled, driven by step() / python-chess playout", "uncompiled stepped", "python-chess", 11, 14
    ),
    *(
        Measure(f"{variant}, {players} players / crapaud, driven", f"{variant} {players}", "driven", 0.7)
        for variant, players in OTHERS
    ),
    Measure("vitesse, ticks in which both act / crapaud, driven", "vitesse", "driven", 0.7),
)


def contenders() -> dict[str, Slice]:
    """Everything that is measured, by the names that `MEASURES` uses."""
    deals = ours.starts("crapaud")
    pure = ours.uncompiled(deals, "crapaud")
    found = {
        "driven": ours.driven(deals),
        "stepped": ours.stepped(deals),
        "playout": ours.played_out(deals),
        "clone": ours.cloned(deals),
        "uncompiled": ours.driven(pure),
        "uncompiled stepped": ours.stepped(pure),
        "hearts": rivals.driven("hearts"),
        "hearts after the deal": rivals.driven_after_deal("hearts"),
        "hearts rollouts": rivals.hearts_rollouts(),
        "hearts clone": rivals.cloned("hearts"),
        "Klondike": rivals.driven("solitaire"),
        "python-chess": rivals.chess_playouts(),
        "vitesse": ours.ticking(ours.tick_games()),
    }
    for variant, players in OTHERS:
        found[f"{variant} {players}"] = ours.driven(ours.starts(variant, players))
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


def table(rounds: Rounds) -> str:
    """The measures as Markdown, then the rates they were taken from."""
    lines = ["| measure | ratio | p10-p90 | target | reached |", "|---|---|---|---|---|"]
    for measure in MEASURES:
        ratio = measure.ratio(rounds)
        digits = 3 if measure.is_time else 2
        lines.append(
            f"| {measure.title} | {ratio.middle:.{digits}f} | {ratio.low:.{digits}f}-{ratio.high:.{digits}f}"
            f" | {measure.goal()} | {measure.reached(ratio)} |"
        )
    lines += ["", "| contender | steps/s | p10-p90 |", "|---|---|---|"]
    for name in rounds.rates:
        rate = rounds.rate(name)
        lines.append(f"| {name} | {_rate(rate.middle)} | {_rate(rate.low)}-{_rate(rate.high)} |")
    return "\n".join(lines)


def _rate(steps: float) -> str:
    return f"{steps / 1e6:.2f} M" if steps >= 1e6 else f"{steps / 1e3:.1f} k"


def as_json(rounds: Rounds) -> dict[str, Any]:
    """All figures, for a file."""
    return {
        "machine": machine(),
        "rounds": len(next(iter(rounds.rates.values()))),
        "measures": [
            {
                "title": measure.title,
                "ratio": asdict(measure.ratio(rounds)),
                "target": measure.target,
                "aim": measure.aim,
                "reached": measure.reached(measure.ratio(rounds)),
            }
            for measure in MEASURES
        ],
        "rates": {name: asdict(rounds.rate(name)) for name in rounds.rates},
    }


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
    """The measures of `QUICK` as rows (`ratios`)."""
    every = contenders()
    rounds = _measured({name: every[name] for name in QUICK}, QUICK_SECONDS)
    wanted = [each for each in MEASURES if each.ours in QUICK and each.theirs in QUICK]
    rows = []
    for measure in wanted:
        ratio = measure.ratio(rounds)
        about = f"p10-p90 {ratio.low:.1f}-{ratio.high:.1f}"
        rows.append(RatioRow(f"engine {measure.title}", ratio.middle, measure.target, measure.aim, about))
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure for so many seconds and print the table; 1 if the engine is not compiled."""
    parser = argparse.ArgumentParser(prog="crapette bench engine", description=__doc__)
    parser.add_argument("--seconds", type=float, default=90, help="how long to measure (default: 90)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures to this file")
    parser.add_argument("--quick", action="store_true", help="only the ratios with a gate, in half a minute")
    options = parser.parse_args(arguments)
    if not ours.is_compiled():
        sys.stderr.write("expected the compiled engine, found only its source: is there a C compiler?\n")
        return 1
    if options.quick:
        return show(ratio_rows(), HostSpeed.measure())
    rounds = _measured(contenders(), options.seconds)
    count = len(rounds.rates["driven"])
    sys.stdout.write(f"{machine()}; {count} rounds\n\n{table(rounds)}\n\n{CONVENTIONS}\n")
    if options.json:
        options.json.write_text(json.dumps(as_json(rounds), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
