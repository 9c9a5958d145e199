"""``./crapette bench truth``: simulates how reliable the site's ratings and verdicts are."""

from __future__ import annotations

import argparse
import os
import sys
import time

from tools.bench.tables import Table, say
from tools.bench.truth_gaps import gaps
from tools.bench.truth_groups import groups
from tools.bench.truth_ladders import ladders, puppets, spoilers, uploads
from tools.bench.truth_twins import twins
from tools.bench.truth_verdicts import looks, near, tests

CONVENTIONS = """\
Simulated with the functions that rate, schedule and judge on the site. A ladder has five house bots, of which
all are anchors that are wrong by ± 10 Elo, and bots of as many authors, normal with a deviation of 200 Elo
(two are far above the house), until nobody asks for games any more. Puppets lose every game against their
friend and play as well as an average bot against all others. "Put in by hand": 200 pairs thrown by each,
which nobody can arrange on the site. A new ladder has `greedy` as its only anchor, and the house has not
played yet; nor has it on the ladders of three and four seats, where puppets lose and also see to it that the
others at the table finish behind their friend (where they lean, they help by 70 Elo), and a deal is a game
for each seat. Near-twins are uploaded while the record is unsettled, and after that. Covered: how often an
interval of 95 % holds the true Elo. Ever wrong: how often an interval that is looked at after every pair ever
misses the truth. Tests: how often the wrong hypothesis is accepted; margins are tested in standard
deviations. Versions that hardly differ: all pairs but the unlike ones are exactly level, and the worst way in
which those can go is told. Near-twins: real bots in the sandbox, asked as the site asks them. A simulated
line holds if it does within two of the simulation's own standard errors (three for a worst way).
The whole takes about half an hour of CPU time."""


def main() -> int:
    """Run the simulations that are asked for, all by default."""
    parser = argparse.ArgumentParser(prog="./crapette bench truth", description=__doc__, epilog=CONVENTIONS)
    parser.add_argument("--quick", action="store_true", help="about a tenth of the repetitions")
    parser.add_argument(
        "--only",
        choices=("ladders", "puppets", "uploads", "groups", "gaps", "looks", "tests", "near", "twins"),
    )
    asked = parser.parse_args()
    few = 10 if asked.quick else 1
    started, table = time.monotonic(), Table()
    say(CONVENTIONS)
    if asked.only in (None, "ladders"):
        ladders(max(2, 16 // few), 40, table)
        ladders(max(2, 16 // few), 20, table, young=True)
    if asked.only in (None, "puppets"):
        puppets(max(1, 8 // few), 40, table)
        spoilers(max(1, 8 // few), 40, table)
    if asked.only in (None, "uploads"):
        uploads(max(2, 16 // few), 40, table)
    if asked.only in (None, "groups"):
        groups(max(1, 8 // few), 16, table)
    if asked.only in (None, "gaps"):
        gaps(1_000 // few, table)
    if asked.only in (None, "looks"):
        looks(500 // few, table)
    if asked.only in (None, "tests"):
        tests(2_000 // few, table)
    if asked.only in (None, "near"):
        near(400 // few, table)
    if asked.only in (None, "twins"):
        twins(1 if asked.quick else 2, 5 if asked.quick else 10, os.cpu_count() or 1, table)
    table.sum()
    say(f"{time.monotonic() - started:.0f} seconds")
    return 0


if __name__ == "__main__":
    sys.exit(main())
