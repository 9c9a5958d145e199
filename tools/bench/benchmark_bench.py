"""``./crapette bench benchmark``: plays the reference bots on Crapette-1000, and writes their results.

The file is `kit/benchmark/reference.json`. The bots play inside the core, without clock and sandbox; they
are the same policies as the house bots.
"""

from __future__ import annotations

import json
import sys
from random import Random
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.training.selfplay import play
from engine.policies import bots
from kit.benchmark.__main__ import FILE, VARIANTS, digest, plan
from kit.console.command import Parser
from kit.console.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Sequence

NODES: Final = 500


def pairs(variant: str, name: str) -> list[int]:
    """How many pairs brought a reference bot 0 to 4 half points against greedy."""
    rules = engine.variant(variant)
    house, rng = bots(rules, NODES), Random(f"{variant} {name}")
    found = {"greedy": house.greedy, "planner": house.planner, "random": house.perturbed(rng, 1.0)}
    counts, half = [0] * 5, 0
    for fixture in plan(variant).games():
        own = fixture.seats().index(0)
        seats = [found[name], house.greedy] if own == 0 else [house.greedy, found[name]]
        result = play(engine.Position.parse(fixture.start()), seats).result
        half += 1 + int(result) * (1 - 2 * own)
        if fixture.leg == 1:
            counts[half] += 1
            half = 0
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench benchmark", description=str(__doc__).partition("\n\n")[0])
    parser.parse_args(arguments)
    found: dict[str, Any] = {}
    for variant in VARIANTS:
        played = {name: pairs(variant, name) for name in ("random", "planner")}
        found[variant] = {"digest": digest(variant), "pairs": played}
        Screen().say(f"{variant}: {found[variant]['pairs']}")
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
