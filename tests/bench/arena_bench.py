"""``./crapette bench arena``: measures games per second, page times and memory of a whole site under load.

In one run, on one machine, with the same two bots:

1. the local runner (``./crapette play``) plays, with one job for each core;
2. a site in a temporary folder plays tournaments while a visitor walks the pages that home links to;
3. the site starts again and the visitor walks its pages while it is idle;
4. the local runner plays once more.

With ``--production``, the processes of the Procfile serve and play, with their own PostgreSQL and Redis. The
visitor is a client on the same machine and shares its cores with the games.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.arena_sites import Embedded, Production, Site
from tests.bench.page_times import PageTimes, Visitor
from tests.bench.process_tree import GAMES, Usage, measure
from tests.site import ROOT, clean_environment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SECONDS = 30.0
WARM_UP_SECONDS = 8.0
START_SECONDS = 90.0
MANY_PAIRS = 4_000


@dataclass(frozen=True, slots=True)
class Played:
    """What was seen of a site while it played and while it was idle."""

    games: int
    seconds: float
    bots_cpu: float
    before: Usage
    after: Usage
    busy: PageTimes
    idle: PageTimes
    second_start: float
    waiting_for_luck: tuple[int, float]

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / self.seconds


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; 0 unless something could not be measured."""
    asked = _arguments(words)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    say(f"{machine}; {' against '.join(asked.bots)}, {asked.variant}")
    failed = False
    before = local_runner(asked)
    kinds = (Production,) if asked.production else (Embedded, Production) if asked.both else (Embedded,)
    for kind in kinds:
        with tempfile.TemporaryDirectory(prefix="crapette-bench-") as name, kind.made(Path(name)) as site:
            played = play(site, asked)
        after = local_runner(asked)
        local = (before + after) / 2
        say(f"\nlocal runner, --jobs {asked.jobs}: {before:.2f} before, {after:.2f} games a second after")
        before = after
        say(report(kind.__name__.lower(), played, local))
        failed = failed or bool(played.busy.failed or played.idle.failed or not played.games)
    return int(failed)


def say(words: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


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
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--production", action="store_true", help="use PostgreSQL, Redis and the processes of the Procfile"
    )
    which.add_argument("--both", action="store_true", help="measure the embedded site, then production")
    return parser.parse_args(words)


def local_runner(asked: argparse.Namespace) -> float:
    """Games a second of ``./crapette play`` with these bots."""
    with tempfile.TemporaryDirectory(prefix="crapette-bench-") as name:
        replays = Path(name)
        command = [sys.executable, "-m", "kit.play", *asked.bots]
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
    begun = time.monotonic()
    busy = visitor.visit(asked.seconds)
    took = time.monotonic() - begun
    after = measure(site.roots())
    games, cpu = site.finished_games() - games, site.bots_cpu() - cpu
    waiting = site.waiting_for_luck()
    site.stop()
    site.cancel()
    begun = time.monotonic()
    site.start(asked.jobs)
    second_start = time.monotonic() - begun
    time.sleep(WARM_UP_SECONDS)
    visitor = Visitor(site.url, site.headers)
    idle = visitor.visit(asked.seconds / 2)
    site.stop()
    return Played(games, took, cpu, before, after, busy, idle, second_start, waiting)


def report(name: str, played: Played, local: float) -> str:
    """The table of one site."""
    spent = played.after.since(played.before)
    a_game = {role: seconds / max(1, played.games) for role, seconds in sorted(spent.items())}
    bots = played.bots_cpu / max(1, played.games)
    a_game["referee and sandbox"] = a_game.pop(GAMES) - bots
    cores = sum(spent.values()) / played.seconds
    luck, age = played.waiting_for_luck
    lines = [
        f"{name}",
        f"  games a second                {played.rate:8.2f}   {played.rate / local:.2f} of the local runner",
        f"  cores used                    {cores:8.2f}",
        _pages("pages while it plays", played.busy),
        _pages("pages while it is idle", played.idle),
        f"  second start                  {played.second_start:8.1f} s",
        f"  luck behind                   {luck:8d} games, the oldest for {age:.0f} s",
        "  memory (PSS)                  "
        + ", ".join(f"{role} {mb:.0f} MB" for role, mb in sorted(played.after.memory.items())),
        f"  CPU a game                    bots {bots * 1000:.0f} ms, "
        + ", ".join(f"{role} {seconds * 1000:.0f} ms" for role, seconds in a_game.items()),
    ]
    slow = sorted(played.busy.by_path.items(), key=lambda one: -max(one[1]))[:3]
    lines += [f"  slowest page                  {path}: {max(times):.0f} ms" for path, times in slow]
    lines += [f"  failed                        {words}" for words in played.busy.failed + played.idle.failed]
    return "\n".join(lines)


def _pages(words: str, times: PageTimes) -> str:
    return (
        f"  {words:<30}median {times.middle:.1f}, p95 {times.at(0.95):.1f}, worst {times.at(1.0):.0f} ms"
        f"   ({len(times.all)} pages)"
    )


def _rate(count: object, seconds: float) -> float:
    """Events a second between now and then."""
    assert callable(count)
    first, begun = count(), time.monotonic()
    time.sleep(seconds)
    return float((count() - first) / (time.monotonic() - begun))


def _until(look: object, what: str) -> None:
    """Wait until something is so."""
    assert callable(look)
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
