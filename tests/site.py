"""A real site in a process of its own, as ``./crapette up`` runs it."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tests.processes import started_badly

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 300.0
"""For what a whole site does, on a machine that has much else to do."""

LOOK_SECONDS, SLOWER, SELDOM_SECONDS = 0.1, 1.2, 0.5
"""What is waited for is looked at every tenth of a second, and more and more seldom: a look may ask the site
for a page, which costs the site more than what it is asked about."""
SOON_SECONDS = 0.02
HEALTH_TOKEN = "with which /health says why"

Found = TypeVar("Found")


class SiteFailed(AssertionError):
    """The site ended or stayed silent where it should have served."""


def clean_environment() -> dict[str, str]:
    """Our environment without what the tests or a developer set for the site, or for measuring coverage."""
    ours = ("COVERAGE_", "CRAPETTE_", "DJANGO_", "DATABASE_URL", "REDIS_URL")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def manage(data: Path, *words: str) -> str:
    """The output of a management command on a data folder."""
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={**clean_environment(), "CRAPETTE_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


class RunningSite:
    """One started site: its process, what it printed, and its address once it is ready."""

    def __init__(
        self,
        data: Path,
        environment: Mapping[str, object] | None = None,
        words: Sequence[str] = ("--port", "0"),
        program: Sequence[str] = (),
    ) -> None:
        self.data = data
        self.url = ""
        self.lines: list[str] = []
        kept = clean_environment()
        kept["CRAPETTE_METRICS_TOKEN"] = HEALTH_TOKEN
        kept.update({f"CRAPETTE_{name}": str(value) for name, value in (environment or {}).items()})
        kept["CRAPETTE_DATA"] = str(data)
        self.process = subprocess.Popen(
            [*(program or started_badly(sys.executable, "-m", "arena.run.embedded")), *words],
            cwd=ROOT,
            env=kept,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        """Keep what the site prints."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    @property
    def output(self) -> str:
        """Everything printed so far."""
        return "\n".join(self.lines)

    def wait_until_ready(self) -> None:
        """Wait for the line with the address."""

        def ready() -> str | None:
            found = re.search(r"^Ready in .*?(http://\S+)", self.output, re.MULTILINE)
            if found is None and self.process.poll() is not None:
                raise SiteFailed(f"the site ended with {self.process.returncode}:\n{self.output}")
            return found and found[1]

        # It asks the site for nothing, and how long a start takes is measured so.
        self.url = self.until(ready, "the site to be ready", seldom=SOON_SECONDS)

    def until(
        self,
        look: Callable[[], Found | None],
        what: str,
        seconds: float = PATIENCE_SECONDS,
        *,
        seldom: float = SELDOM_SECONDS,
    ) -> Found:
        """Look until something true is seen, every `seldom` seconds or sooner; fail with what it printed."""
        deadline, pause = time.monotonic() + seconds, min(LOOK_SECONDS, seldom)
        while time.monotonic() < deadline:
            found = look()
            if found:
                return found
            time.sleep(pause)
            pause = min(pause * SLOWER, seldom)
        raise SiteFailed(f"waited {seconds:.0f} s for {what}; the site printed:\n{self.output}")

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of a page."""
        try:
            with urllib.request.urlopen(self.url + path.removeprefix("/"), timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def get_json(self, path: str) -> Any:
        """The parsed body of a JSON page."""
        return json.loads(self.get(path)[1])

    def health(self) -> Any:
        """What `/health` tells operators."""
        headers = {"Authorization": f"Bearer {HEALTH_TOKEN}"}
        try:
            with urllib.request.urlopen(
                urllib.request.Request(f"{self.url}health", headers=headers), timeout=30
            ) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)

    def get_thought(self, path: str) -> Any:
        """The parsed body of a page that takes thought, once it is there."""

        def answered() -> tuple[int, str] | None:
            found = self.get(path)
            return None if found[0] == 202 else found

        status, body = self.until(answered, f"the answer of {path}")
        assert status == 200, body
        return json.loads(body)

    def stop(self, number: int = signal.SIGTERM, seconds: float = 60.0) -> int:
        """Ask the site to end; its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(seconds)
        self._reader.join(5)
        return code

    def kill(self) -> None:
        """End the site as a power cut would; nothing happens when it has ended."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)
        self._reader.join(5)
        if self.process.stdout is not None:
            self.process.stdout.close()
