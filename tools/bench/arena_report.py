"""The table of ``./crapette bench arena``: each figure beside what it must and what it should be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

from tools.bench.process_tree import GAMES
from tools.bench.tables import RatioRow, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.bench.clients import PageTimes
    from tools.bench.host_speed import HostSpeed
    from tools.bench.process_tree import Usage

HOST_MS = 14.0
"""What a bare interpreter's start took on the host of whose times the gates are: times here are compared as
multiples of it."""
DEAREST = 6
"""Pages that are named with their medians."""


@dataclass(frozen=True, slots=True)
class Played:
    """What was seen of a site while it played and while it was idle.

    `sockets` are websockets opened a second by what they watch; `waited` are the longest reads of the
    database in milliseconds, of its tables and of nothing. `measured` are the games whose luck was measured
    meanwhile, `pages` the pages a second that the idle site answered, and `first_page` the seconds until the
    first page of a first start, None where there is no such start.
    """

    games: int
    seconds: float
    bots_cpu: float
    orphans_cpu: float
    before: Usage
    after: Usage
    busy: PageTimes
    idle: PageTimes
    second_start: float
    waiting_for_luck: tuple[int, float]
    sockets: dict[str, float]
    waited: tuple[float, float]
    measured: int
    pages: float
    first_page: float | None = None

    @property
    def luck(self) -> float:
        """CPU of measuring a game's luck as a share of what its bots and their referee used."""
        cpu = self.cpu()
        game = (cpu["bots"] + cpu["referee and sandbox"]) / max(1, self.games)
        return cpu.get("analysis", 0.0) / max(1, self.measured) / max(game, 1e-9)

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.games / self.seconds

    def cpu(self) -> dict[str, float]:
        """CPU seconds by what they were used for."""
        spent = self.after.since(self.before)
        games = spent.pop(GAMES, 0.0) + self.orphans_cpu
        # Games that were under way at either end are in one of the two figures only.
        bots = min(self.bots_cpu, games)
        return {"bots": bots, "referee and sandbox": games - bots, **dict(sorted(spent.items()))}


def rows_of(name: str, played: Played, local: float) -> list[RatioRow]:
    """The figures of one kind of site that have a gate; `local` are the local runner's games a second."""
    behind, age = played.waiting_for_luck
    reading, alone = played.waited
    memory = played.after.memory
    serving = memory.get("site", memory.get("web", 0.0))
    rate, pages = played.rate, f"{len(played.busy.all)} pages"
    found = [
        RatioRow("games / those of the local runner", rate / local, 0.6, 0.85, f"{rate:.2f} of {local:.2f}"),
        RatioRow("page, median, all cores playing, ms", played.busy.middle, 12, 5, pages),
        RatioRow("page, p95, all cores playing, ms", played.busy.at(0.95), 50, 15, pages),
        RatioRow("luck falls behind by, s", age, 300, 30, f"{behind} games wait"),
        RatioRow("luck of a game / CPU of the game", played.luck, 0.25, 0.1, f"{played.measured} measured"),
        RatioRow("longest wait for a writer, ms", reading, 50, 10, f"reading nothing: {alone:.1f} ms"),
        RatioRow("serving process, MB", serving, 160, 100),
    ]
    if "site" in memory:  # the one that `./crapette up` starts; the Procfile's processes start by themselves
        found.append(RatioRow("second start, s", played.second_start, 2, 1.5))
    if played.first_page is not None:
        found.append(RatioRow("first page of a first start, s", played.first_page, 12, 8))
    found.append(RatioRow("pages a second, idle", played.pages, 150, 300))
    for what, opened in played.sockets.items():
        found.append(RatioRow(f"websockets a second, {what}", opened, 300, 500))
    return [replace(row, measure=f"{name}: {row.measure}") for row in found]


@dataclass(frozen=True, slots=True)
class Glance:
    """What was seen of a site in a short while: `cpu` seconds outside of bots, referee and sandbox, memory in
    MB of the largest process of each role while it waits, seconds until the first page of a `second_start`;
    and on PostgreSQL, a game, `statements` and `stored` bytes. `later` are the games a second once their luck
    waits no longer."""

    games: int
    seconds: float
    later: float
    cpu: float
    busy: PageTimes
    memory: Mapping[str, float]
    second_start: float | None = None
    statements: float | None = None
    stored: float | None = None


def glance_rows(name: str, seen: Glance, local: float, speed: HostSpeed) -> list[RatioRow]:
    """The rows of one kind of site; `local` is what the local runner plays in a second."""
    embedded = seen.statements is None

    def timed(what: str, ms: float, gate: float, aim: float) -> RatioRow:
        about = f"{ms:.3g} ms; {gate:g}, then {aim:g} ms where a bare start takes {HOST_MS:g}"
        gate, aim = gate / HOST_MS, aim / HOST_MS
        return RatioRow(f"{name}: {what} / bare start", ms / speed.bare_start_ms, gate, aim, about)

    rate, pages = seen.games / seen.seconds, f"{len(seen.busy.all)} pages"
    rows = [
        RatioRow(
            f"{name}: games a second / local runner's",
            rate / local,
            *((0.85, 0.95) if embedded else (0.80, 0.92)),
            about=f"{rate:.2f} of {local:.2f} games a second; {pages} meanwhile; {seen.later:.2f} a second"
            " once their luck waits no longer",
        ),
        timed(
            "CPU a game outside bots, referee and sandbox",
            1000 * seen.cpu / max(1, seen.games),
            *((32, 16) if embedded else (46.5, 23)),
        ),
        timed("page while all cores play, median", seen.busy.middle, 6, 4),
        timed("page while all cores play, p95", seen.busy.at(0.95), 20, 12),
    ]
    if seen.second_start is not None:
        rows.append(timed("second start to first page", 1000 * seen.second_start, 1200, 800))
    if seen.statements is not None:
        rows.append(RatioRow(f"{name}: database statements a game", seen.statements, 12, 6))
    if seen.stored is not None:
        about = f"PostgreSQL, {seen.games} games"
        rows.append(RatioRow(f"{name}: kB a game in the database", seen.stored / 1000, 9, 5, about))
    for role, size in sorted(seen.memory.items()):
        rows.append(RatioRow(f"{name}: MB of a waiting {role} process", size, 100, 80, "PSS"))
    return rows


def report(played: Played, rows: Sequence[RatioRow]) -> str:
    """The table of one site, and what else was seen."""
    cpu = played.cpu()
    idle = played.idle
    memory = (f"{role} {mb:.0f} MB" for role, mb in sorted(played.after.memory.items()))
    each = (f"{role} {seconds * 1000 / max(1, played.games):.0f} ms" for role, seconds in cpu.items())
    words = [
        f"{table(rows)}\n",
        f"pages: at worst {played.busy.at(1.0):.0f} ms while it plays; idle: median {idle.middle:.1f}, p95"
        f" {idle.at(0.95):.1f}, worst {idle.at(1.0):.0f} ms ({len(idle.all)} pages)",
        f"cores used: {sum(cpu.values()) / played.seconds:.2f}",
        f"memory (PSS): {', '.join(memory)}",
        f"CPU a game: {', '.join(each)}",
    ]
    dear = sorted(played.busy.by_path.items(), key=lambda one: -median(one[1]))[:DEAREST]
    words += [f"dearest page, median: {path}: {median(times):.1f} ms" for path, times in dear]
    slow = sorted(played.busy.by_path.items(), key=lambda one: -max(one[1]))[:3]
    words += [f"slowest page: {path}: {max(times):.0f} ms" for path, times in slow]
    words += [f"failed: {one}" for one in played.busy.failed + idle.failed]
    return "\n".join(words)
