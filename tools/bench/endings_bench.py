"""``./crapette bench endings``: measures how many endings in which every card is known the solver decides.

The house's planner plays itself, deal after deal. Each turn that begins with every card seen is an ending,
to be solved by looking at a limited number of positions.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.table import Table as Printed

import engine
from analysis.values.public_game import Table
from engine.policies import planner
from engine.turns.search.endings import POSITIONS, ending
from kit.console.command import Parser, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NODES: Final = 500
VARIANTS: Final = tuple(name for name, rules in engine.VARIANTS.items() if not rules.in_ticks)


@dataclass
class Found:
    """What the endings of a variant's games came to."""

    games: int = 0
    known: int = 0  # games that had an ending
    first: int = 0  # of these, those whose first one was decided
    results: Counter[int | None] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)


def endings(variant: str, number: int) -> Iterator[Table]:
    """Yield each table of planner's game with itself at which a turn begins and every card is known."""
    table = Table(engine.TurnPosition.deal(variant, f"endings/{number}"))
    policy = planner(NODES)
    core, begun = table.core, -1
    while not core.over:
        if core.turn_number != begun and not table.unseen(0) and not table.unseen(1):
            yield table
        begun = core.turn_number
        for move in policy(core):
            table.push(move)
            if core.over or core.turn_number != begun:
                break


def measured(variant: str, games: int, positions: int) -> Found:
    """Play so many games and solve their endings."""
    found = Found(games)
    for number in range(games):
        first = True
        for table in endings(variant, number):
            began = time.process_time()
            solved = ending(table.core, positions)
            found.seconds.append(time.process_time() - began)
            found.results[None if solved is None else solved.result] += 1
            found.known += first
            found.first += first and solved is not None
            first = False
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench endings", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument("--variant", action="append", choices=VARIANTS, help="only this one (again for more)")
    parser.add_argument("--games", type=count, default=100, help="games for each variant (100)")
    parser.add_argument(
        "--positions", type=count, default=POSITIONS, help=f"looked at for each ending at most ({POSITIONS})"
    )
    given = parser.parse_args(arguments)
    made = Printed("variant", "games with an ending", "of their first, solved", "endings", "solved", "won")
    made.add_column("lost")
    made.add_column("s, mean")
    made.add_column("s, most")
    for column in made.columns[1:]:
        column.justify = "right"
    for variant in given.variant or VARIANTS:
        found = measured(variant, given.games, given.positions)
        total = found.results.total()
        if total:
            made.add_row(
                variant,
                f"{found.known / found.games:.0%}",
                f"{found.first / found.known:.0%}",
                str(total),
                f"{1 - found.results[None] / total:.0%}",
                f"{found.results[1] / total:.0%}",
                f"{found.results[-1] / total:.0%}",
                f"{statistics.mean(found.seconds):.2f}",
                f"{max(found.seconds):.2f}",
            )
    Console().print(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
