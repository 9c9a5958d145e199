"""The tables that benches print: figures beside what is wanted of them.

A bench with rows for `./crapette bench all` offers ``ratio_rows() -> list[RatioRow]``, which takes at most
90 s, and prints them by `show` at ``--quick``. Ratios are taken in one run, in turn with what they are
measured against, so that they say the same on a slow host as on a fast one; `HostSpeed` stands beside them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.bench.host_speed import HostSpeed


def say(text: str) -> None:
    """Print a line at once: the whole may take minutes."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class RatioRow:
    """One measure. Small is good where the aim is below the gate, large where it is above.

    ``value`` is None where it could not be measured on this machine; ``about`` says why, or what the ratio
    was taken from. ``gate`` is None for a figure that nothing is asked of.
    """

    measure: str
    value: float | None
    gate: float | None = None
    aim: float | None = None
    about: str = ""

    @property
    def reached(self) -> str:
        """`yes`, `yes, and the aim` or `no`; empty where nothing is asked or nothing was measured."""
        if self.value is None or self.gate is None:
            return ""
        if not self._is_within(self.gate):
            return "no"
        return "yes, and the aim" if self.aim is not None and self._is_within(self.aim) else "yes"

    def _is_within(self, bound: float) -> bool:
        assert self.value is not None and self.gate is not None  # noqa: PT018
        larger_is_better = self.aim is not None and self.aim > self.gate
        return self.value >= bound if larger_is_better else self.value <= bound


def table(rows: Iterable[RatioRow]) -> str:
    """The rows as Markdown."""
    lines = ["| measure | value | gate | aim | reached | from |", "|---|---|---|---|---|---|"]
    lines += [
        f"| {row.measure} | {_text(row.value)} | {_text(row.gate)} | {_text(row.aim)} | {row.reached}"
        f" | {row.about} |"
        for row in rows
    ]
    return "\n".join(lines)


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def show(rows: Sequence[RatioRow], speed: HostSpeed) -> int:
    """Print the host's speed and the rows; 1 if a gate is missed."""
    sys.stdout.write(f"{speed}\n\n{table(rows)}\n")
    return int(any(row.reached == "no" for row in rows))


@dataclass
class Table:
    """Prints each line as soon as it is known, and remembers which miss what is wanted."""

    missed: list[str] = field(default_factory=list)
    asked: int = 0
    under: str = ""

    def title(self, words: str) -> None:
        """Begin a part."""
        self.under = words
        say(f"\n{words}")
        say(f"  {'':58}{'seen':>22}{'wanted':>12}")

    def line(self, what: str, seen: str, wanted: str = "", holds: bool = True) -> None:
        """A figure; without `wanted` it is only told."""
        self.asked += bool(wanted)
        if wanted and not holds:
            self.missed.append(f"{self.under}: {what}: {seen}, wanted {wanted}")
        mark = "" if not wanted else "  yes" if holds else "  NO"
        say(f"  {what:58}{seen:>22}{wanted:>12}{mark}")

    def sum(self) -> None:
        """Say how many lines hold, and which do not."""
        say(f"\n{self.asked - len(self.missed)} of {self.asked} lines are as wanted.")
        for one in self.missed:
            say(f"  not: {one}")
