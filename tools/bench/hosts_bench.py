"""``./crapette bench hosts``: games a second with one host, two, four and eight.

On a PostgreSQL and a Redis of its own, hosts play bots that think for some seconds without using a processor,
as if each host had cores of its own. A host plays one game at a time. Its rate is taken between the ends of
its first and last game, so that it does not matter how many games happen to fit into the time. Hosts are
processes on this machine: once its cores are busy, they slow each other down, and the table says how busy
they were. The exit status is 1 if a line does not hold.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from tools.bench.site_cluster import Cluster
from tools.bench.truth_table import Table, say

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST: Final = 0.9
"""Of the games a second that the first host played, times the hosts."""
BUSY: Final = 0.9
"""With a larger share of the cores in use, they and not the arena may be what hosts wait for."""
GAMES_EACH: Final = 6
"""Of each host: the first is not counted, because its host starts."""
PATIENCE_SECONDS: Final = 60.0
MAKE: Final = """
from tests.factories.bots import slow_bots
from tests.factories.tournaments import running
from tournaments.models import Tournament
Tournament.objects.filter(format="ladder").update(status="cancelled")
made = slow_bots("Thinker", 4, first=__FIRST__, seconds=0.0)
running(None, made, pairs=200, name="Thinkers", rated=False)
"""
RATES: Final = """
SELECT split_part(worker, ':', 1), count(*), extract(epoch FROM max(ended_at) - min(ended_at))
FROM tournaments_attempt WHERE cause = 'delivered' AND started_at > to_timestamp({since})
GROUP BY 1 HAVING count(*) > 1
"""


class Hosts(Cluster):
    """A site whose hosts have cores of their own, or nearly."""

    seconds: float = 4.0

    def prepare(self, bots: Sequence[str] = (), variant: str = "") -> None:
        """Make the tables and one long tournament."""
        self.release()
        self.manage("shell", "--no-imports", "-c", MAKE.replace("__FIRST__", repr(self.seconds)))

    def grow(self, hosts: int) -> None:
        """Start hosts until there are so many."""
        for number in range(self.hosts + 1, hosts + 1):
            self._start("games", f"host {number}", CRAPETTE_HOST_NAME=f"host-{number}")
        self.hosts = hosts

    def rates(self, since: float) -> dict[str, float]:
        """Games a second of each host that began and ended after this moment (seconds since 1970)."""
        rows = self.rows(RATES.format(since=since))
        return {host: (count - 1) / float(seconds) for host, count, seconds in rows if seconds}

    def played_enough(self, since: float, hosts: int) -> bool:
        """Whether every host has played as many games as are counted."""
        rows = self.rows(RATES.format(since=since))
        return len([count for _, count, _ in rows if count >= GAMES_EACH]) >= hosts


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print the table."""
    asked = _arguments(words)
    table = Table()
    say(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with (
        tempfile.TemporaryDirectory(prefix="crapette-hosts-") as name,
        Hosts.of(Path(name), 1, 1, 0) as site,
    ):
        assert isinstance(site, Hosts)
        _measure(site, asked, table)
    table.sum()
    return int(bool(table.missed))


def _measure(site: Hosts, asked: argparse.Namespace, table: Table) -> None:
    """Let more and more hosts play, and print a line for each number of them."""
    site.seconds = asked.seconds
    site.prepare()
    site.start(1)
    table.title(f"Hosts that play one game at a time, bots that think for {asked.seconds:g} s each")
    alone = 0.0
    for hosts in asked.hosts:
        site.grow(hosts)
        rate, busy = _rate(site, hosts, asked.seconds)
        alone = alone or rate / hosts
        share = rate / hosts / alone
        says = f"{rate:.3f} games/s, {share:.2f} a host"
        # Without free cores the line says nothing about the arena.
        table.line(
            f"hosts: {hosts}, cores {busy:.0%} busy",
            says,
            f"{LEAST:.2f}" if busy < BUSY else "",
            share >= LEAST,
        )


def _rate(site: Hosts, hosts: int, seconds: float) -> tuple[float, float]:
    """Games a second of all hosts together, and which share of the machine's cores was in use."""
    since, until = time.time(), time.monotonic() + PATIENCE_SECONDS + 4 * seconds * GAMES_EACH
    psutil.cpu_percent()
    while not site.played_enough(since, hosts):
        if time.monotonic() > until:
            found = site.rates(since)
            raise RuntimeError(f"expected {GAMES_EACH} games of each of {hosts} hosts, got {found}")
        time.sleep(0.5)
    return sum(site.rates(since).values()), psutil.cpu_percent() / 100


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./crapette bench hosts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--hosts", type=int, nargs="+", default=[1, 2, 4, 8], help="how many at a time (default: %(default)s)"
    )
    add(
        "--seconds", type=float, default=4.0, help="how long each bot thinks in a game (default: %(default)g)"
    )
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
