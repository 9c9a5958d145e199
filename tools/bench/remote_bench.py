"""``./crapette bench remote``: what games of remote bots cost the arena, and how long it keeps them waiting.

Many remote bots, all in this process, connect to a production site and play on its open boards, against each
other and against house bots. Each thinks a while before a move, so that many games are played at once.
*Delay* is what the arena itself takes: the time from an answer that does not end the turn to the next
question of the same game, as the bots see it, the way through both ends of the websocket included. The bots
share the machine's cores with the site.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.remote_bots import Arena, RemoteBot, Swarm
from tools.bench.arena_bench import session_nice
from tools.bench.arena_sites import HOST, Production
from tools.bench.process_tree import measure
from tools.bench.tables import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

BOTS_OF_ONE: Final = 5
"""Remote bots of one account that may be online."""
TARGET_MS: Final = 20.0
CONNECT_SECONDS: Final = 120.0
FILL_SECONDS: Final = 45.0
SETTLE_SECONDS: Final = 10.0
"""After that all games began at once."""
MOVES: Final = 60
"""Of each bot in a game, before it resigns: about as many as a whole game has."""
ONLINE: Final = "bots_remotepresence WHERE connection <> ''"
RUNNING: Final = "tournaments_game WHERE status = 'running'"
CREATE: Final = """
import json
from arena.accounts.models import User
from arena.web.models import Limit
from bots.models import Scope
from bots.remote.creation import find_or_create
from bots.tokens import create_token
Limit.objects.create(name="remote_connects_per_minute", value=10 * {bots})  # all are of one address
Limit.objects.create(name="remote_games", value=2 * {games})  # some wait
made, owner, token = [], None, ""
for number in range({bots}):
    if number % {each} == 0:
        owner = User.objects.create_user(f"author-{{number}}")
        token = create_token(owner, "bench", [Scope.REMOTE])[1]
    made.append((find_or_create(owner, f"Far {{number}}")[0].slug, token))
print(json.dumps(made))
"""


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print."""
    asked = _arguments(words)
    say(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if nice := session_nice():
        say(f"This shell's session has niceness {nice}, so the site looks slower or faster than it is.")
    with tempfile.TemporaryDirectory(prefix="crapette-bench-") as name, Production.made(Path(name)) as site:
        site.manage("migrate", "--verbosity", "0")
        site.manage("register_house_bots")
        code = CREATE.format(bots=asked.bots, games=asked.games, each=BOTS_OF_ONE)
        made = json.loads(site.manage("shell", "--no-imports", "-c", code))
        site.analyze()
        site.start(os.cpu_count() or 1)
        _measure(site, made, asked)
        site.stop()
    return 0


def _measure(site: Production, made: Sequence[tuple[str, str]], asked: argparse.Namespace) -> None:
    """Have the bots play, and print what it took."""
    alone = measure(site.roots()).memory["web"]
    arena = Arena(site.port, HOST, {"X-Forwarded-Proto": "https"})
    bots = [RemoteBot(arena, slug, token, 1, MOVES, asked.thinks) for slug, token in made]
    with Swarm(bots) as swarm:
        online = _wait(lambda: _count(site, ONLINE), len(bots), CONNECT_SECONDS)
        connected = measure(site.roots()).memory["web"]
        say(f"{online} remote bots online, {1000 * (connected - alone) / max(1, online):.0f} kB a connection")
        _wait(lambda: _count(site, RUNNING), asked.games, FILL_SECONDS)
        time.sleep(SETTLE_SECONDS)
        for bot in bots:
            bot.delays.clear()
        before, finished, begun = measure(site.roots()), site.finished_games(), time.monotonic()
        at_once = []
        while time.monotonic() - begun < asked.seconds:
            at_once.append(_count(site, RUNNING))
            time.sleep(1.0)
        seconds = time.monotonic() - begun
        spent = measure(site.roots()).since(before)
        games = site.finished_games() - finished
        delays = sorted(1000 * delay for bot in bots for delay in bot.delays)
        swarm.check()
    say(f"{sum(at_once) / len(at_once):.0f} games at once, {games} finished in {seconds:.0f} s")
    if not delays:
        say("no delays were measured")
        return
    middle, late = (delays[int(len(delays) * share)] for share in (0.5, 0.99))
    say(
        f"delay of the arena: p50 {middle:.1f} ms, p99 {late:.1f} ms of {len(delays)} questions"
        f" (target: p99 {TARGET_MS:.0f} ms)"
    )
    total = sum(spent.values())
    parts = ", ".join(f"{role} {each:.1f}" for role, each in sorted(spent.items()) if each >= 0.05)
    each_game = f"{total / games:.2f} s a game of {MOVES} moves a bot, " if games else ""
    say(f"CPU: {each_game}{total / seconds:.2f} cores in all ({parts} s)")


def _count(site: Production, what: str) -> int:
    return int(site.rows(f"SELECT count(*) FROM {what}")[0][0])


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./crapette bench remote",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--bots", type=int, default=200, help="remote bots (default: %(default)s)")
    add("--games", type=int, default=50, help="at once, before it is measured (default: %(default)s)")
    add("--seconds", type=float, default=60.0, help="to measure (default: %(default)g)")
    add("--thinks", type=float, default=0.5, help="seconds for each move of a bot (default: %(default)g)")
    add("--quick", action="store_true", help="40 bots, 10 games and 20 seconds")
    asked = parser.parse_args(words)
    if asked.quick:
        asked.bots, asked.games, asked.seconds = 40, 10, 20.0
    return asked


def _wait(look: Callable[[], int], most: int, seconds: float) -> int:
    """Wait until it is as many, or the time is up; how many it is."""
    deadline = time.monotonic() + seconds
    while (found := look()) < most and time.monotonic() < deadline:
        time.sleep(0.5)
    return found


if __name__ == "__main__":
    sys.exit(main())
