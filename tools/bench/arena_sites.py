"""The two ways to run the arena, each in a temporary folder, so that one command can measure both."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import psutil
import psycopg

from tests import servers
from tests.site import ROOT, RunningSite, clean_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

READ: Final = "SELECT topic, SUM(number) FROM common_stamp GROUP BY topic"
"""What every page reads first, of the rows that every writer writes."""
ALONE: Final = "SELECT 1"
"""The same way to the database and back, without its tables: what it takes says how busy the machine is."""
PAUSE_SECONDS: Final = 0.03

READY_SECONDS = 60.0
MOST_PAIRS = 200
TOURNAMENTS = 10
HOST = "arena.example"
UP = ("./crapette", "up")
STATEMENT = re.compile(rb"LOG:  (?:statement|execute [^:]*): (?!BEGIN|COMMIT|SET )")
STARTED = ("web", "worker", "beat")
"""The processes of the Procfile that one host needs; the others are for several hosts."""

Connection = sqlite3.Connection | psycopg.Connection[Any]


class Reader:
    """How long a reader of the site's database waits, while games are played and written.

    It reads again and again in a thread of its own; `longest` and `longest_alone` are in milliseconds.
    """

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self.longest = 0.0
        self.longest_alone = 0.0
        self._connect = connect
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reader", daemon=True)

    def __enter__(self) -> Reader:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        with closing(self._connect()) as link:
            while not self._stopped.is_set():
                self.longest = max(self.longest, _milliseconds(link, READ))
                self.longest_alone = max(self.longest_alone, _milliseconds(link, ALONE))
                time.sleep(PAUSE_SECONDS)


def _milliseconds(link: Connection, question: str) -> float:
    begun = time.perf_counter()
    link.execute(question).fetchall()
    return (time.perf_counter() - begun) * 1000


class Site(ABC):
    """A site that plays tournaments of two house bots."""

    url: str
    headers: ClassVar[Mapping[str, str]] = {}

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    @abstractmethod
    def made(cls, folder: Path) -> Any:
        """A context manager that gives a site whose servers run, and ends whatever it started."""

    @property
    @abstractmethod
    def environment(self) -> dict[str, str]:
        """The environment of its processes and of its management commands."""

    @abstractmethod
    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """Rows of its database."""

    @abstractmethod
    def start(self, games_at_once: int, *, again: bool = False) -> None:
        """Start it, or start it `again` as an operator does; returns once it serves pages."""

    @abstractmethod
    def stop(self) -> None:
        """End it in order."""

    @abstractmethod
    def roots(self) -> list[int]:
        """The processes below which everything of it runs, its own database and broker included."""

    @abstractmethod
    def reader(self) -> Reader:
        """What reads its database beside it."""

    def sockets(self) -> dict[str, str]:
        """Paths of websockets, by what they watch."""
        slug = self.rows("SELECT slug FROM tournaments_tournament ORDER BY id LIMIT 1")[0][0]
        game = self.rows("SELECT game_id FROM tournaments_result ORDER BY game_id LIMIT 1")[0][0]
        return {"tournament": f"/ws/tournaments/{slug}/", "game": f"/ws/games/{UUID(str(game))}/"}

    def main_pages(self) -> list[str]:
        """Home, a tournament, a game and the leaderboard."""
        watched = self.sockets().values()
        return ["/", *(path.removeprefix("/ws") for path in watched), "/leaderboard/"]

    def manage(self, *words: str) -> str:
        """The output of a management command."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {' '.join(words)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def prepare(self, bots: Sequence[str], variant: str, tournaments: int = TOURNAMENTS) -> None:
        """Make the tables and tournaments of these bots, more than can be played while it is measured."""
        self.manage("migrate", "--verbosity", "0")
        self.manage("register_house_bots")
        words = ("start_house_tournament", "--again", "--variant", variant, "--pairs", str(MOST_PAIRS))
        for _ in range(tournaments):
            self.manage(*words, *bots)

    def cancel(self) -> None:
        """End the tournaments, so that nothing is left to play."""
        code = (
            "from tournaments.models import Tournament;"
            "from tournaments.pairing.progress import cancel_tournament;"
            "[cancel_tournament(one, 'The measurement is over.')"
            " for one in Tournament.objects.filter(status='running')]"
        )
        self.manage("shell", "--no-imports", "-c", code)

    def finished_games(self) -> int:
        """Games with an accepted result."""
        return int(self.rows("SELECT count(*) FROM tournaments_result")[0][0])

    def bots_cpu(self) -> float:
        """CPU seconds of the bots in all finished games, as their records state them."""
        found = self.rows("SELECT CAST(cpu_ms AS text) FROM tournaments_result")
        return sum(int(number) for row in found for number in re.findall(r"\d+", row[0])) / 1000

    def games_with_luck(self) -> int:
        """Games whose luck is measured."""
        return int(self.rows("SELECT count(*) FROM tournaments_gameluck")[0][0])

    def waiting_for_luck(self) -> tuple[int, float]:
        """Finished games whose pair counts and whose luck is not measured yet; seconds the oldest waits."""
        found = self.rows(
            "SELECT g.finished_at FROM tournaments_game g JOIN tournaments_pair p ON p.id = g.pair_id"
            " LEFT JOIN tournaments_gameluck l ON l.game_id = g.id"
            " WHERE p.status = 'accepted' AND l.game_id IS NULL"
        )
        return len(found), max((_seconds_ago(row[0]) for row in found), default=0.0)


def _seconds_ago(moment: datetime | str) -> float:
    if isinstance(moment, str):
        moment = datetime.fromisoformat(moment)
    return (datetime.now(UTC) - moment.replace(tzinfo=moment.tzinfo or UTC)).total_seconds()


class Embedded(Site):
    """What ``./crapette up`` runs."""

    _running: RunningSite | None = None

    @classmethod
    @contextmanager
    def made(cls, folder: Path) -> Iterator[Embedded]:
        """A site in this folder."""
        site = cls(folder)
        try:
            yield site
        finally:
            if site._running is not None:
                site._running.kill()

    @property
    def environment(self) -> dict[str, str]:
        return {**clean_environment(), "CRAPETTE_DATA": str(self.folder / "data")}

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        path = self.folder / "data" / "arena.sqlite3"
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)) as database:
            return database.execute(question).fetchall()

    def reader(self) -> Reader:
        path = self.folder / "data" / "arena.sqlite3"
        return Reader(lambda: sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20))

    def prepare(self, bots: Sequence[str], variant: str, tournaments: int = TOURNAMENTS) -> None:
        # A second start is one where nothing is left to set up.
        subprocess.run([UP[0], "install"], cwd=ROOT, check=True, capture_output=True)
        super().prepare(bots, variant, tournaments)

    def start(self, games_at_once: int, *, again: bool = False) -> None:
        program = UP if again else ()
        self._running = RunningSite(self.folder / "data", {"GAMES_AT_ONCE": games_at_once}, program=program)
        self._running.wait_until_ready()
        self.url = self._running.url

    def stop(self) -> None:
        assert self._running is not None
        self._running.stop()

    def roots(self) -> list[int]:
        assert self._running is not None
        return [self._running.process.pid]


class Production(Site):
    """The processes of the Procfile, on a PostgreSQL and a Redis of their own."""

    headers: ClassVar[Mapping[str, str]] = {"Host": HOST, "X-Forwarded-Proto": "https"}

    def __init__(self, folder: Path, database: str, redis: str) -> None:
        super().__init__(folder)
        self.database, self.redis = database, redis
        self.port = servers.free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        lines = (ROOT / "Procfile").read_text().splitlines()
        self.commands = dict(line.split(": ", 1) for line in lines if ": " in line)
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._games_at_once = 1

    @classmethod
    @contextmanager
    def made(cls, folder: Path) -> Iterator[Production]:
        """A site in this folder with a database and a broker of its own."""
        with servers.postgresql() as database, servers.redis() as redis:
            site = cls(folder, database, redis)
            try:
                yield site
            finally:
                for process in site.processes.values():
                    process.kill()
                    process.wait()

    @property
    def environment(self) -> dict[str, str]:
        return {
            "PATH": f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}",  # noqa: PTH120
            "HOME": str(self.folder),
            "CRAPETTE_MODE": "production",
            "CRAPETTE_DATA": str(self.folder / "data"),
            "CRAPETTE_SECRET_KEY": "of-the-benchmark-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGH",
            "CRAPETTE_HOSTS": HOST,
            "CRAPETTE_TRUST_PROXY": "1",
            "CRAPETTE_GAMES_AT_ONCE": str(self._games_at_once),
            "CRAPETTE_DRAIN_SECONDS": "0",
            "DATABASE_URL": self.database,
            "REDIS_URL": self.redis,
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
        }

    def prepare(self, bots: Sequence[str], variant: str, tournaments: int = TOURNAMENTS) -> None:
        self.release()
        super().prepare(bots, variant, tournaments)

    def release(self) -> None:
        """Make the tables and the first tournaments."""
        command = ["sh", "-c", self.commands["release"]]
        subprocess.run(command, cwd=ROOT, env=self.environment, check=True, capture_output=True)

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.database) as database:
            return database.execute(question.encode()).fetchall()

    def analyze(self) -> None:
        """Count the rows of all tables anew, as the database does by itself within minutes."""
        with psycopg.connect(self.database, autocommit=True) as database:
            database.execute("ANALYZE")

    def bytes_stored(self) -> int:
        """What the tables of games, results and records take, indexes included."""
        tables = "relkind = 'r' AND relname LIKE 'tournaments_%' AND relname <> 'tournaments_eventbatch'"
        sizes = self.rows(f"SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE {tables}")
        return int(sizes[0][0])

    def statements(self, seconds: float) -> int:
        """How many statements the database is sent within so many seconds, beginnings and ends of
        transactions left out, as its own log tells."""
        log = Path(parse_qs(urlsplit(self.database).query)["host"][0], "log")
        with psycopg.connect(self.database, autocommit=True) as link:

            def tell(what: str) -> None:
                link.execute(f"ALTER SYSTEM SET log_statement = {what}".encode())
                link.execute("SELECT pg_reload_conf()")

            tell("'all'")
            begun = log.stat().st_size
            time.sleep(seconds)
            end = log.stat().st_size
            tell("DEFAULT")
        return len(STATEMENT.findall(log.read_bytes()[begun:end]))

    def reader(self) -> Reader:
        return Reader(lambda: psycopg.connect(self.database, autocommit=True))

    def start(self, games_at_once: int, *, again: bool = False) -> None:
        self._games_at_once = games_at_once
        for name, command in self.commands.items():
            if name in STARTED:
                self.launch(name, command)
        self.wait_until_served()

    def launch(self, name: str, command: str, **more: str) -> None:
        """Start one process, with further variables in its environment."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                ["sh", "-c", command], cwd=ROOT, env=self.environment | more, stdout=log, stderr=log
            )

    def wait_until_served(self) -> None:
        """Return once the process at `url` answers; RuntimeError if one ended or it takes too long."""
        deadline = time.monotonic() + READY_SECONDS
        while not self._serves():
            dead = [name for name, process in self.processes.items() if process.poll() is not None]
            if dead or time.monotonic() > deadline:
                raise RuntimeError(f"the site does not serve; ended: {dead}; its logs are in {self.folder}")
            time.sleep(0.05)

    def _serves(self) -> bool:
        try:
            request = urllib.request.Request(f"{self.url}health", headers=dict(self.headers))
            with urllib.request.urlopen(request, timeout=10):
                return True
        except urllib.error.HTTPError:
            # It answers; that no worker has been heard of yet is no matter of its pages.
            return True
        except OSError:
            return False

    def stop(self) -> None:
        for process in self.processes.values():
            process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            process.wait(60)
        self.processes.clear()

    def roots(self) -> list[int]:
        mine = [process.pid for process in self.processes.values()]
        # The servers are children of this command.
        names = ("postgres", "redis-server", "unshare")
        found = psutil.Process().children()
        return mine + [one.pid for one in found if one.name() in names]
