"""``./crapette bench site``: a production site under people, while its hosts play and one of them is killed.

On a PostgreSQL and a Redis of its own: hosts play house bots as fast as they can, and slow bots for people to
watch. Viewers watch those games by websocket, some of them come late, and visitors ask for pages at a given
rate, all at the same time. Halfway, one host is killed with everything below it.

An event's delay is from the commit of its transaction, as PostgreSQL dates it, to its arrival at a viewer. A
page's time is from when it should have been asked for. Viewers and visitors are processes on this machine:
the table says what they and each part of the site used of its cores. The exit status is 1 if a line does not
hold.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.site import ROOT
from tools.bench import site_viewers, site_visitors
from tools.bench.process_tree import measure
from tools.bench.site_cluster import Cluster, Commits
from tools.bench.tables import Table, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DELAY_MS, PAGE_MS = 250.0, 100.0
LATE_SHARE = 0.05
OPEN_SECONDS = 180.0
GRACE_SECONDS = 1.5
"""Events stored this shortly before the end need not have come."""
AFTERWARDS_SECONDS = 60.0
"""How long a killed host's games may take to be played on."""


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print the table."""
    asked = _arguments(words)
    table = Table()
    say(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    begun = time.monotonic()
    slots = -(-asked.watched // asked.hosts) + asked.games
    with tempfile.TemporaryDirectory(prefix="crapette-site-") as name:
        folder = Path(name)
        with Cluster.of(folder, asked.web, asked.hosts, asked.watched) as site:
            site.prepare()
            site.start(slots)
            say(f"{time.monotonic() - begun:.0f} seconds until it serves")
            games = site.watched(asked.watched)
            while not site.finished_games():
                time.sleep(0.2)
            _measure(site, games, asked, folder, table)
    table.sum()
    return int(bool(table.missed))


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./crapette bench site",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--viewers", type=int, default=2_000, help="pages that watch (default: %(default)s)")
    add(
        "--pages",
        type=float,
        default=300.0,
        help="pages a second that visitors ask for (default: %(default)g)",
    )
    add("--web", type=int, default=1, help="serving processes (default: %(default)s)")
    add("--hosts", type=int, default=2, help="hosts that play (default: %(default)s)")
    add("--games", type=int, default=1, help="fast games that each host plays at once (default: %(default)s)")
    add("--watched", type=int, default=4, help="slow games that are watched (default: %(default)s)")
    add("--seconds", type=float, default=30.0, help="how long to measure (default: %(default)g)")
    return parser.parse_args(words)


def _measure(site: Cluster, games: list[str], asked: argparse.Namespace, folder: Path, table: Table) -> None:
    """Let everybody in at once, kill a host halfway, and print the table."""
    headers, rows = dict(site.headers), folder / "rows.npy"
    late = int(asked.viewers * LATE_SHARE)
    task = site_viewers.Task(
        site.addresses, headers, games, asked.viewers, late, asked.seconds / 2, asked.seconds
    )
    paths = site.paths()
    visits = site_visitors.Visits(site.addresses, headers, list(paths.values()), asked.pages, asked.seconds)
    with Commits(site.database, games) as commits:
        viewers = _process("site_viewers", site_viewers.ask(task), str(rows))
        if viewers.stdout.readline() != b"open\n":  # type: ignore[union-attr]
            raise RuntimeError("the viewers could not all be let in")
        before, played, begun = measure(site.roots()), site.finished_games(), time.monotonic()
        stored = site.bytes_stored()
        visitors = _process("site_visitors", site_visitors.ask(visits))
        time.sleep(asked.seconds / 2)
        halfway, killed_at = measure(site.roots()), time.monotonic()
        site.kill(f"host {asked.hosts}")
        seen = json.loads(viewers.communicate(timeout=OPEN_SECONDS)[0])
        pages = json.loads(visitors.communicate(timeout=OPEN_SECONDS)[0])
        took, after = time.monotonic() - begun, measure(site.roots())
        played, stored = site.finished_games() - played, site.bytes_stored() - stored
    _say_delays(seen, np.load(rows), commits.at, asked, table)
    _say_pages(pages, paths, asked, table)
    table.title(f"The site, {asked.hosts} hosts of which one was killed, {asked.web} serving")
    table.line("games a second meanwhile", f"{played / took:.1f}")
    table.line("kept of each game in the database", f"{stored / max(1, played) / 1000:.1f} kB")
    _say_recovery(site, killed_at, table)
    spent = Counter(halfway.since(before))  # a killed process takes its times with it
    spent.update({role: max(0.0, used) for role, used in after.since(halfway).items()})
    clients = {"viewers (client)": seen["cpu"], "visitors (client)": pages["cpu"]}
    used = ", ".join(f"{role} {seconds / took:.2f}" for role, seconds in (clients | dict(spent)).items())
    say(f"  cores used, without bots and referees that have ended: {used}")
    memory = ", ".join(f"{role} {mb:.0f} MB" for role, mb in sorted(after.memory.items()))
    say(f"  memory (PSS): {memory}")


def _process(module: str, line: bytes, *words: str) -> subprocess.Popen[bytes]:
    """A client as a process of its own, told what to do."""
    command = [sys.executable, "-m", f"tools.bench.{module}", *words]
    found = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert found.stdin is not None
    found.stdin.write(line)
    found.stdin.flush()
    return found


def _say_delays(
    seen: Mapping[str, Any],
    rows: np.typing.NDArray[np.float64],
    stored: Mapping[tuple[int, int, int], float],
    asked: argparse.Namespace,
    table: Table,
) -> None:
    """How late events came, and what did not come."""
    delays = np.array(
        [
            1000 * (at - stored[key])
            for game, attempt, last, at in rows.tolist()
            if (key := (int(game), int(attempt), int(last))) in stored
        ]
    )
    table.title(f"{asked.viewers:,} viewers of {asked.watched} games, {asked.seconds:.0f} seconds")
    table.line("open after", f"{seen['opening']:.1f} s")
    table.line("messages of events", f"{len(rows):,}")
    p50, p99 = (float(np.quantile(delays, share)) if len(delays) else np.inf for share in (0.5, 0.99))
    table.line("from stored to received, median", f"{p50:.0f} ms")
    table.line("from stored to received, p99", f"{p99:.0f} ms", f"{DELAY_MS:.0f} ms", p99 < DELAY_MS)
    table.line("gaps in what a viewer got", f"{seen['gaps']}", "0", not seen["gaps"])
    table.line("websockets that the site closed", f"{seen['closed']}", "0", not seen["closed"])
    # The newest attempt of each game, and its last event that was stored in time for everybody.
    due: dict[int, tuple[int, int]] = {}
    for (game, attempt, last), at in stored.items():
        if at < seen["ended_at"] - GRACE_SECONDS:
            due[game] = max(due.get(game, (-1, -1)), (attempt, last))
    for who, name in (("ends", "viewers"), ("late", "late joiners")):
        lack = sum(
            not done and (attempt, last) < due.get(game, (-1, -1)) for game, attempt, last, done in seen[who]
        )
        table.line(f"{name} who lack an event at the end", f"{lack} of {len(seen[who])}", "0", not lack)


def _say_pages(
    pages: Mapping[str, Any], paths: Mapping[str, str], asked: argparse.Namespace, table: Table
) -> None:
    """How long pages took, by kind."""
    table.title(f"{asked.pages:.0f} pages a second, {asked.seconds:.0f} seconds")
    every = [took for times in pages["times"].values() for took in times]
    rate = len(every) / pages["seconds"]
    table.line("pages a second answered", f"{rate:.0f}", f"{asked.pages:.0f}", rate >= 0.98 * asked.pages)
    p95 = float(np.quantile(every, 0.95)) if every else np.inf
    table.line("a page, p95", f"{p95:.0f} ms", f"{PAGE_MS:.0f} ms", p95 < PAGE_MS)
    for name, path in paths.items():
        times = pages["times"].get(path) or [np.inf]
        table.line(f"{name}: median, p95", f"{np.median(times):.0f}, {np.quantile(times, 0.95):.0f} ms")
    table.line("failed", f"{len(pages['failed'])}", "0", not pages["failed"])
    for what, count in Counter(pages["failed"]).most_common(3):
        say(f"    {count} times {what}")


def _say_recovery(site: Cluster, killed_at: float, table: Table) -> None:
    """Whether a killed host's games were taken up, and whether every result counts once."""
    question = (
        "SELECT count(*) FROM tournaments_attempt a JOIN tournaments_game g ON g.id = a.game_id"
        f" WHERE a.ended_at IS NULL AND a.worker LIKE 'host-{site.hosts}:%%'"
    ).replace("%%", "%")
    while (left := site.rows(question)[0][0]) and time.monotonic() - killed_at < AFTERWARDS_SECONDS:
        time.sleep(0.5)
    took = time.monotonic() - killed_at
    table.line("its games taken back after", f"{took:.0f} s", f"{AFTERWARDS_SECONDS:.0f} s", not left)
    faults = site.faults_of_the_ledger()
    table.line("the ledger", "clean" if not faults else "NOT CLEAN", "clean", not faults)
    for one in faults:
        say(f"    {one}")


if __name__ == "__main__":
    sys.exit(main())
