"""``./crapette bench arena``: measures games per second, page times and memory of a whole site under load.

In one run, on one machine, with the same two bots:

1. the local runner (``./crapette play``) plays, with one job for each core;
2. the embedded site plays tournaments, while a visitor walks the pages that home links to;
3. the site starts again, the visitor walks its pages while it is idle, several connections ask for as many
   pages as they get, and websockets are opened;
4. the embedded site starts for the first time in a fresh copy of the project, which needs the package
   registry (`--no-first-start` leaves that out);
5. the local runner plays once more;
6. the processes of the Procfile do the same as 2, 3 and 5, with their own PostgreSQL and Redis.

The visitor is a client on the same machine and shares its cores with the games. The exit status is 1 if a
gate was missed. With `--quick` only the ratios that `./crapette bench all` prints are measured, without 4 and
most of 3.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.site import ROOT, clean_environment
from tools.bench.arena_report import Glance, Played, glance_rows, report, rows_of
from tools.bench.arena_sites import Embedded, Production, Site
from tools.bench.clients import Visitor, opened, visits
from tools.bench.first_start import first_start, second_start
from tools.bench.host_speed import HostSpeed
from tools.bench.process_tree import GAMES, Orphans, measure
from tools.bench.tables import RatioRow, say, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SECONDS = 30.0
WARM_UP_SECONDS = 8.0
START_SECONDS = 90.0
MANY_PAIRS = 4_000
SOCKETS = 400
QUICK_SECONDS = 12.0
QUICK_TOURNAMENTS = 4
PAGES_SECONDS = 5.0


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; 0 unless a gate was missed or something could not be measured."""
    asked = _arguments(words)
    if asked.quick:
        return show(ratio_rows(words), HostSpeed.measure())
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    say(f"{machine}; {' against '.join(asked.bots)}, {asked.variant}")
    if nice := session_nice():
        say(
            f"The kernel's group of this shell's session has niceness {nice}, not 0 (/proc/self/autogroup)."
            " The site is in it, the games are not, so pages look slower or faster than they are."
        )
    failed = False
    before = local_runner(asked)
    for kind in kinds_of(asked):
        with tempfile.TemporaryDirectory(prefix="crapette-bench-") as name, kind.made(Path(name)) as site:
            played = play(site, asked)
        if kind is Embedded and asked.first_start:
            try:
                first = first_start()
            except RuntimeError as error:  # the rest is worth measuring all the same
                say(f"\n{error}")
                failed = True
            else:
                say(f"\n{first}")
                played = replace(played, first_page=first.page)
        after = local_runner(asked)
        local = (before + after) / 2
        say(f"\nlocal runner, --jobs {asked.jobs}: {before:.2f} before, {after:.2f} games a second after")
        before = after
        rows = rows_of(kind.__name__.lower(), played, local)
        say(report(played, rows))
        failed = failed or bool(played.busy.failed or played.idle.failed or not played.games)
        failed = failed or any(row.reached == "no" for row in rows)
    return int(failed)


def ratio_rows(words: Sequence[str] | None = ()) -> list[RatioRow]:
    """What the arena adds to a game, embedded and in production, in some two minutes."""
    asked = _arguments(words)
    asked.seconds = min(asked.seconds, QUICK_SECONDS)
    rows, before = [], local_runner(asked)
    for kind in kinds_of(asked):
        speed = HostSpeed.measure()
        with tempfile.TemporaryDirectory(prefix="crapette-bench-") as name, kind.made(Path(name)) as site:
            seen = glance(site, asked)
        after = local_runner(asked)
        rows += glance_rows(kind.__name__.lower(), seen, (before + after) / 2, speed)
        before = after
    return rows


def glance(site: Site, asked: argparse.Namespace) -> Glance:
    """Let a site play for a short while, and start it again."""
    site.prepare(asked.bots, asked.variant, QUICK_TOURNAMENTS)
    site.start(asked.jobs)
    _until(lambda: site.finished_games() >= 2 * asked.jobs, "the first games of the site")
    time.sleep(WARM_UP_SECONDS)
    visitor, production = Visitor(site.url, site.headers), isinstance(site, Production)
    stored = site.bytes_stored() if isinstance(site, Production) else 0
    before, games, begun = measure(site.roots()), site.finished_games(), time.monotonic()
    busy = visitor.visit(asked.seconds)
    after, games, took = measure(site.roots()), site.finished_games() - games, time.monotonic() - begun
    counted = again = None
    if isinstance(site, Production):
        stored = site.bytes_stored() - stored
        since = site.finished_games()
        counted = site.statements(asked.seconds / 2) / max(1, site.finished_games() - since)
    measured = site.games_with_luck()
    _until(lambda: site.games_with_luck() > measured, "the luck of the first games")
    time.sleep(asked.seconds)  # at first more waits than is asked for meanwhile
    resumed, played = time.monotonic(), site.finished_games()
    visitor.visit(asked.seconds)
    later = (site.finished_games() - played) / (time.monotonic() - resumed)
    site.stop()
    site.cancel()
    if isinstance(site, Embedded):
        again = second_start(site.folder / "data")
    site.start(asked.jobs, again=True)
    time.sleep(WARM_UP_SECONDS)
    waiting = measure(site.roots()).largest
    site.stop()
    if busy.failed or not games:
        raise RuntimeError(f"the site played {games} games; pages that failed: {busy.failed}")
    return Glance(
        games=games,
        seconds=took,
        later=later,
        cpu=sum(used for role, used in after.since(before).items() if role != GAMES),
        busy=busy,
        memory={role: waiting[role] for role in ("site", "web", "worker") if role in waiting},
        second_start=again,
        statements=counted,
        stored=stored / games if production else None,
    )


def session_nice(group: Path = Path("/proc/self/autogroup")) -> int:
    """Return the niceness of this session's group (`sandbox.autogroup`), 0 where there are none.

    Whatever lowered it once, such as a command that was to give way, lowers it for all that the shell starts.
    """
    try:
        return int(group.read_text(encoding="ascii").split()[-1])
    except FileNotFoundError:
        return 0


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./crapette bench arena",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="how long to measure each part (default: %(default)g)"
    )
    parser.add_argument(
        "--bots",
        nargs=2,
        default=["greedy", "planner"],
        metavar="BOT",
        help="two house bots (default: %(default)s)",
    )
    parser.add_argument("--variant", default="crapaud", help="the variant they play (default: %(default)s)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="games at the same time (default: %(default)s)"
    )
    parser.add_argument(
        "--no-first-start", dest="first_start", action="store_false", help="measure no first start"
    )
    parser.add_argument(
        "--quick", action="store_true", help="only the ratios with a gate, in some two minutes"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--embedded", action="store_true", help="measure only the embedded site")
    which.add_argument("--production", action="store_true", help="measure only the processes of the Procfile")
    return parser.parse_args(words)


def kinds_of(asked: argparse.Namespace) -> Sequence[type[Embedded | Production]]:
    """The kinds of site that are to be measured."""
    return (Production,) if asked.production else (Embedded,) if asked.embedded else (Embedded, Production)


def local_runner(asked: argparse.Namespace) -> float:
    """Games a second of ``./crapette play`` with these bots."""
    with tempfile.TemporaryDirectory(prefix="crapette-bench-") as name:
        replays = Path(name)
        command = [sys.executable, "-m", "kit.local.play", *asked.bots]
        command += ["--variant", asked.variant, "--pairs", str(MANY_PAIRS), "--jobs", str(asked.jobs)]
        with _running([*command, "--replays", name]) as process:

            def games() -> int:
                if process.poll() is not None:
                    raise RuntimeError(f"the local runner ended with {process.returncode}")
                return sum(1 for _ in replays.glob("*.json"))

            _until(lambda: games() >= 2 * asked.jobs, "the first games of the local runner")
            return _rate(games, asked.seconds)


def play(site: Site, asked: argparse.Namespace) -> Played:
    """Let a site play, watch it, start it again and watch it idle."""
    site.prepare(asked.bots, asked.variant)
    site.start(asked.jobs)
    visitor = Visitor(site.url, site.headers)
    _until(lambda: site.finished_games() >= 2 * asked.jobs, "the first games of the site")
    time.sleep(WARM_UP_SECONDS)
    before, games, cpu = measure(site.roots()), site.finished_games(), site.bots_cpu()
    measured = site.games_with_luck()
    begun = time.monotonic()
    with Orphans(site.roots) as orphans, site.reader() as reader:
        busy = visitor.visit(asked.seconds)
        orphans.look()
    took = time.monotonic() - begun
    after = measure(site.roots())
    games, cpu = site.finished_games() - games, site.bots_cpu() - cpu
    measured = site.games_with_luck() - measured
    waiting = site.waiting_for_luck()
    site.stop()
    site.cancel()
    begun = time.monotonic()
    site.start(asked.jobs, again=True)
    second_start = time.monotonic() - begun
    time.sleep(WARM_UP_SECONDS)
    visitor = Visitor(site.url, site.headers)
    idle = visitor.visit(asked.seconds / 2)
    asyncio.run(visits(site.url, site.headers, site.main_pages(), PAGES_SECONDS / 10))  # to warm up
    answered, passed = asyncio.run(visits(site.url, site.headers, site.main_pages(), PAGES_SECONDS))
    sockets = {what: _sockets_a_second(site, path) for what, path in site.sockets().items()}
    site.stop()
    return Played(
        games=games,
        seconds=took,
        bots_cpu=cpu,
        orphans_cpu=orphans.seconds,
        before=before,
        after=after,
        busy=busy,
        idle=idle,
        second_start=second_start,
        waiting_for_luck=waiting,
        sockets=sockets,
        waited=(reader.longest, reader.longest_alone),
        measured=measured,
        pages=len(answered) / passed,
    )


def _sockets_a_second(site: Site, path: str) -> float:
    """Websockets of the idle site opened in a second."""
    waits, took = asyncio.run(opened(site.url, site.headers, path, SOCKETS))
    return len(waits) / took


def _rate(count: Callable[[], int], seconds: float) -> float:
    """Events a second between now and then."""
    first, begun = count(), time.monotonic()
    time.sleep(seconds)
    return (count() - first) / (time.monotonic() - begun)


def _until(look: Callable[[], bool], what: str) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + START_SECONDS
    while not look():
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited {START_SECONDS:.0f} s for {what}")
        time.sleep(0.1)


@contextmanager
def _running(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is interrupted at the end."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
