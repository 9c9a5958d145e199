"""A production site: the Procfile's processes in an environment made as the README says, on given servers."""

import fcntl
import hashlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import psycopg

from kit.package.wheel_build import is_built
from tests.processes import started_badly
from tests.programs import UNHURRIED
from tests.servers import free_port
from tests.site import (
    LOOK_SECONDS,
    PATIENCE_SECONDS,
    ROOT,
    SELDOM_SECONDS,
    SLOWER,
    clean_environment,
)

HOST = "arena.example"
HEALTH_TOKEN = "with which /health says why"
SECRET = "of-the-production-test-0123456789-abcdefghijklmnopqrstuvwxyz"
INSTALL = "./crapette install"
RELEASED: dict[str, Path] = {}
"""The data folder of the first release on each server. Sites on the same server begin with copies."""


@cache
def environment_folder() -> Path:
    """The folder of programs of an environment with nothing in it but requirements.txt, kept between runs.

    The first site of a step has it made: what it is made of does not change while the step runs.
    """
    named = hashlib.sha256((ROOT / "requirements.txt").read_bytes()).hexdigest()[:12]
    folder = ROOT / "build" / f"production-{named}"
    for old in (ROOT / "build").glob("production-*"):
        if old != folder:
            shutil.rmtree(old, ignore_errors=True)
    assert f"\n    {INSTALL}\n" in (ROOT / "docs/operate/production.md").read_text(), (
        "the documents say another command"
    )
    made = {**clean_environment(), "CRAPETTE_VENV": str(folder.relative_to(ROOT))}
    with mock.patch.dict(os.environ, clean_environment(), clear=True):
        if not is_built(ROOT / "build" / "kit"):  # nobody here waits for what it compiles
            made["CFLAGS"] = UNHURRIED
    # The first that comes makes it, and builds the kit; the others wait, and find both.
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "production.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(shlex.split(INSTALL), cwd=ROOT, env=made, check=True, stdout=subprocess.DEVNULL)
    return folder / "bin"


class Production:
    """The processes of one production site, each started by its line of the Procfile."""

    def __init__(self, folder: Path, server: str, redis: str) -> None:
        self.folder = folder
        self.server = server
        self.database = database = server.replace("/postgres?", "/arena?")
        self.port = free_port()
        self.commands = dict(
            line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines() if line.strip()
        )
        self.environment = {
            "PATH": f"{environment_folder()}:{os.environ['PATH']}",
            "HOME": str(folder),
            "CRAPETTE_DATA": str(folder / "data"),
            "CRAPETTE_SECRET_KEY": SECRET,
            "CRAPETTE_HOSTS": HOST,
            "CRAPETTE_METRICS_TOKEN": HEALTH_TOKEN,
            "CRAPETTE_TRUST_PROXY": "1",
            "CRAPETTE_GAMES_AT_ONCE": "2",
            "CRAPETTE_DRAIN_SECONDS": "0",
            # In production a session that holds locks and does nothing is ended after 30 s.
            "DATABASE_URL": f"{database}&options=-c%20idle_in_transaction_session_timeout%3D3s",
            "REDIS_URL": redis,
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._link: psycopg.Connection[tuple[Any, ...]] | None = None

    def rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database answers, over one connection, made again when it was cut: the server works
        more for a new one than for an answer."""
        if self._link is None or self._link.closed:
            self._link = psycopg.connect(self.database, autocommit=True)
        return self._link.execute(question.encode(), values).fetchall()

    def run(self, command: str) -> str:
        """Run a command to its end in the production environment, and return what it printed.

        It may take its time within a transaction: a migration does on a busy machine.
        """
        patient = {**self.environment, "DATABASE_URL": self.database}
        done = subprocess.run(
            ["sh", "-c", command], cwd=ROOT, env=patient, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def release(self) -> None:
        """Run the Procfile's release, or copy what it left of another site on this server."""
        known, data = RELEASED.get(self.server), self.folder / "data"
        if known:
            shutil.copytree(known, data)
        else:
            self.run(self.commands["release"])
            RELEASED[self.server] = self.folder / "released"
            shutil.copytree(data, RELEASED[self.server])
        with psycopg.connect(self.server, autocommit=True) as link:
            if known:
                link.execute("DROP DATABASE arena")
            link.execute(
                f"CREATE DATABASE {'arena TEMPLATE released' if known else 'released TEMPLATE arena'}"
            )

    def manage(self, *words: str) -> str:
        """Run a management command to its end, and return what it printed."""
        return self.run(f"CRAPETTE_MODE=production python manage.py {shlex.join(words)}")

    def start(self, *names: str) -> None:
        """Start processes by their names in the Procfile; "worker 2" is another of the same kind."""
        for name in names:
            with (self.folder / f"{name}.log").open("ab") as log:
                command = ["sh", "-c", self.commands[name.split()[0]]]
                self.processes[name] = subprocess.Popen(
                    command if name == "beat" else started_badly(*command),
                    cwd=ROOT,
                    env=self.environment,
                    stdout=log,
                    stderr=log,
                )

    def stop(self, *names: str) -> dict[str, int]:
        """End processes (all of them, if none is named) as a platform would; their exit codes."""
        ended = {name: self.processes.pop(name) for name in names or list(self.processes)}
        for process in ended.values():
            process.send_signal(signal.SIGTERM)
        return {name: process.wait(PATIENCE_SECONDS) for name, process in ended.items()}

    def kill(self) -> None:
        """End whatever still runs."""
        if self._link is not None:
            self._link.close()
        for process in self.processes.values():
            process.kill()
            process.wait(10)

    def logs(self) -> str:
        """What the processes wrote."""
        return "\n".join(f"--- {path.stem}\n{path.read_text()}" for path in sorted(self.folder.glob("*.log")))

    def get(self, path: str, *, https: bool = True, cookie: str = "") -> tuple[int, str]:
        """Status and body of a page, as the proxy in front asks for it."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"Host": HOST})
        if https:
            request.add_header("X-Forwarded-Proto", "https")
        if path == "/health":
            # With the reasons, which are for operators.
            request.add_header("Authorization", f"Bearer {HEALTH_TOKEN}")
        if cookie:
            request.add_header("Cookie", cookie)
        try:
            with urllib.request.build_opener(NoRedirect).open(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers.get("Location") or error.read().decode()

    def until(
        self, look: Callable[[], object], what: str, seconds: float = PATIENCE_SECONDS, every: float = 0.0
    ) -> None:
        """Wait until something is so, or fail with the logs.

        It is looked at every so many seconds, or more and more seldom as `RunningSite.until` does.
        """
        deadline, pause = time.monotonic() + seconds, every or LOOK_SECONDS
        while time.monotonic() < deadline:
            dead = [name for name, process in self.processes.items() if process.poll() is not None]
            assert not dead, f"{dead} ended:\n{self.logs()}"
            try:
                if look():
                    return
            except (urllib.error.URLError, TimeoutError, psycopg.OperationalError):
                pass
            time.sleep(pause)
            pause = every or min(pause * SLOWER, SELDOM_SECONDS)
        parts = json.loads(self.get("/health", https=False)[1])["parts"]
        bad = {name: part for name, part in parts.items() if not part["ok"]}
        raise AssertionError(f"waited {seconds:.0f} s for {what}, /health is red for {bad}:\n{self.logs()}")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Shows redirects instead of following them."""

    def redirect_request(self, *_: object) -> None:
        """Follow none."""


@contextmanager
def production_site(folder: Path, postgresql: str, redis: str) -> Iterator[Production]:
    """A production site with an empty database of its own; its processes are ended with the block."""
    with psycopg.connect(postgresql, autocommit=True) as server:
        server.execute("DROP DATABASE IF EXISTS arena WITH (FORCE)")
        server.execute("CREATE DATABASE arena")
    site = Production(folder, postgresql, redis)
    try:
        yield site
    finally:
        site.kill()
