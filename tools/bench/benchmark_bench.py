"""``./crapette bench benchmark``: plays the reference bots on Crapette-1000, and writes their results.

The file is `kit/benchmark/reference.json`. Random and planner play inside the core, without clock and
sandbox; they are the same policies as the house bots. ``--bot`` plays another house bot as
``crapette benchmark`` does, and adds its row.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import engine
from analysis.training.selfplay import play
from bots.house import HOUSE_BOTS
from engine.policies import bots
from kit.benchmark.__main__ import DEALS, FILE, VARIANTS, digest, plan, read_pairs, reference
from kit.console.command import Parser, count
from kit.console.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Sequence

PLANNER_NODES: Final = 500


def play_in_core(variant: str, name: str) -> list[int]:
    """How many pairs brought a reference bot 0 to 4 half points against greedy."""
    rules = engine.variant(variant)
    house, rng = bots(rules, PLANNER_NODES), Random(f"{variant} {name}")
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


def play_in_sandbox(variant: str, name: str, deals: int) -> list[int]:
    """`play_in_core` of any house bot, on the first so many deals. Ends as the command does if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.json"
        words = [name, "--variant", variant, "--deals", str(deals), "--jobs", "2", "--results", str(results)]
        command = [sys.executable, "-m", "kit.benchmark", *words]
        done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        if done.returncode:
            sys.exit(done.returncode)
        return list(read_pairs(results)[1])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = Parser(prog="crapette bench benchmark", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument(
        "--bot",
        choices=sorted(HOUSE_BOTS),
        help="a house bot to be added (default: those that play inside the core)",
    )
    parser.add_argument("--deals", type=count, default=DEALS, help="for --bot (default: %(default)s)")
    given = parser.parse_args(arguments)
    found = reference()
    for variant in VARIANTS:
        played = (
            {given.bot: play_in_sandbox(variant, given.bot, given.deals)}
            if given.bot
            else {name: play_in_core(variant, name) for name in ("random", "planner")}
        )
        kept = found[variant]["pairs"] if found[variant]["digest"] == digest(variant) else {}
        found[variant] = {"digest": digest(variant), "pairs": {**kept, **played}}
        Screen().say(f"{variant}: {found[variant]['pairs']}")
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
