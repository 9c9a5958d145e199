"""``./crapette bench scale``: creates a large arena, and measures how long its pages and computations take.

It uses a temporary SQLite database, or with ``--database URL`` an empty PostgreSQL one. The site's own
services create a round-robin of 200 bots. The database itself writes, in bulk, an arena of 2,000 versions
with 1,000,000 accepted games on a ladder. Then everything that people and the nightly audit request is timed,
with its number of queries; for pages, the best of three counts. Targets are for a quiet machine. The exit
status is 1 if one was missed.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tools.bench.tables import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tournaments.models import Tournament

BOTS: Final = 200
VERSIONS: Final = 2_000
GAMES: Final = 1_000_000
PAIRS_A_COUPLE: Final = 10


@dataclass(frozen=True, slots=True)
class Measured:
    """One thing that was timed; `limit` in seconds, if it has one."""

    what: str
    seconds: float
    queries: int | None = None
    limit: float | None = None

    @property
    def missed(self) -> bool:
        """Whether it took too long."""
        return self.limit is not None and self.seconds > self.limit


def main(words: Sequence[str] | None = None) -> int:
    """Make the arena, time it, print the table."""
    parser = argparse.ArgumentParser(prog="./crapette bench scale", description=__doc__)
    parser.add_argument(
        "--database", default="", metavar="URL", help="use this empty PostgreSQL database instead of SQLite"
    )
    parser.add_argument(
        "--versions", type=int, default=VERSIONS, help=f"rated versions (default: {VERSIONS:,})"
    )
    parser.add_argument("--games", type=int, default=GAMES, help=f"accepted games (default: {GAMES:,})")
    parser.add_argument("--bots", type=int, default=BOTS, help=f"bots in the round-robin (default: {BOTS})")
    asked = parser.parse_args(words)
    _set_up(asked.database)
    from tools.bench import scale_data

    if scale_data.in_use():
        parser.error("expected an empty database, this one has tournaments in it")
    measured: list[Measured] = []
    versions = scale_data.make_versions(asked.versions)
    measured += round_robin(versions[: asked.bots])
    started = time.perf_counter()
    scale_data.make_ladder(versions, asked.games, PAIRS_A_COUPLE)
    say(f"(data of {asked.games:,} games made in {time.perf_counter() - started:.0f} s)")
    measured += arena()
    _print(measured, asked)
    return int(any(one.missed for one in measured))


def round_robin(versions: Sequence[int]) -> list[Measured]:
    """Create, start, count and show a round-robin of so many bots."""
    from tools.bench import scale_data
    from tournaments.events.creation import NewTournament, create_tournament
    from tournaments.events.standings import tournament_standings
    from tournaments.pairing.progress import start_tournament

    made: list[Tournament] = []

    def create() -> None:
        asked = NewTournament("Bench", tuple(versions), pairs_per_pairing=1, rated=False)
        made.append(create_tournament(asked, None))
        start_tournament(made[0])

    found = [_timed(f"round-robin of {len(versions)}: created and scheduled", create, limit=10)]
    tournament = made[0]
    say(f"({tournament.pairings.count():,} pairings)")
    scale_data.fill_counters(tournament.pk)
    path = tournament.get_absolute_url()
    return [
        *found,
        _timed("its standings", lambda: tournament_standings(tournament), limit=10),
        _page("its page, standings and crosstable", path, 1.0),
        _page("its last page", f"{path}?page=5", 1.0),
    ]


def arena() -> list[Measured]:
    """What is computed from and shown of the whole arena."""
    from tournaments.operation.ledger import ledger
    from tournaments.ratings.ratings import compute_ratings

    return [
        _timed("batch rating", lambda: compute_ratings("crapaud"), limit=60),
        _timed("batch rating after one more pair", lambda: _one_more(compute_ratings)),
        _page("leaderboard", "/leaderboard/crapaud/", 0.1),
        _page("leaderboard, last page", "/leaderboard/crapaud/?page=20", 0.1),
        _page("first page", "/", None),
        _page("list of games", "/games/", None),
        _timed("the ledger's counts", ledger),
    ]


def _one_more(compute_ratings: Callable[[str], bool]) -> None:
    """Count one more pair of two versions and rate again."""
    from django.db.models import F

    from tournaments.models import Pairing, RatingState

    played = Pairing.objects.filter(tournament__rated=True, pairs_done__gt=0).values_list("pk", flat=True)
    Pairing.objects.filter(pk=played[0]).update(
        pairs_done=F("pairs_done") + 1, penta_4=F("penta_4") + 1, wins=F("wins") + 2
    )
    RatingState.objects.update(requested=F("requested") + 1)
    compute_ratings("crapaud")


def _timed(what: str, work: Callable[[], object], limit: float | None = None) -> Measured:
    """Run once and count the queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    gc.collect()
    with CaptureQueriesContext(connection) as queries:
        started = time.perf_counter()
        work()
        seconds = time.perf_counter() - started
    return Measured(what, seconds, len(queries), limit)


def _page(what: str, path: str, limit: float | None) -> Measured:
    """The best of three of a page of the whole site, as the server answers it, and its queries."""
    from django.test import Client

    client = Client()

    def ask() -> None:
        answer = client.get(path)
        if answer.status_code != 200:
            raise SystemExit(f"expected {path} to answer 200, got {answer.status_code}")

    ask()
    tries = [_timed(what, ask, limit) for _ in range(3)]
    return min(tries, key=lambda one: one.seconds)


def _set_up(database: str) -> None:
    """The tests' settings, so that a bench can never touch live data by accident."""
    if database:
        os.environ["CRAPETTE_TEST_DATABASE_URL"] = database
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()
    call_command("migrate", verbosity=0)


def _bytes() -> int:
    """The size of the database."""
    from django.db import connection

    question = "SELECT pg_database_size(current_database())"
    if connection.vendor == "sqlite":
        question = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    with connection.cursor() as cursor:
        cursor.execute(question)
        return int(cursor.fetchone()[0])


def _print(measured: Sequence[Measured], asked: argparse.Namespace) -> None:
    from django.db import connection

    say(f"{asked.versions:,} versions, {asked.games:,} accepted games, {connection.vendor}")
    say(f"{_bytes() / 1e6:,.0f} MB in the database, without the records of games")
    say(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    say(f"{'':44} {'seconds':>9} {'queries':>8} {'target':>8}")
    for one in measured:
        queries = "" if one.queries is None else f"{one.queries:,}"
        limit = "" if one.limit is None else f"{one.limit:g} s"
        say(f"{one.what:44} {one.seconds:9.3f} {queries:>8} {limit:>8}{'  MISSED' if one.missed else ''}")


if __name__ == "__main__":
    sys.exit(main())
