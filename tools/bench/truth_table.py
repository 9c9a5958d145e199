"""The table that `./crapette bench truth` prints: what was seen, what is wanted, and whether it is so."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field


def say(text: str) -> None:
    """Print a line at once: the whole takes minutes."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


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
