"""A production site that plays while it is disturbed: what its database, `/ready` and operator's page say."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
import urllib.error
from contextlib import contextmanager, suppress
from html import unescape
from typing import TYPE_CHECKING, Any, Final

import psycopg

from tests.processes import descendants
from tests.site import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests import servers
    from tests.production import Production

RECOVERED_SECONDS: Final = 180
RECOVERIES: Final[list[tuple[str, float]]] = []
"""Each fault, and the seconds until games were played again and `/health` was green."""
SIGN_IN = """
import time
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from tests.factories.accounts import SECRET, operator
user = operator()
TOTP.activate(user, SECRET)
session = SessionStore()
session["_auth_user_id"] = str(user.pk)
session["_auth_user_backend"] = settings.AUTHENTICATION_BACKENDS[0]
session["_auth_user_hash"] = user.get_session_auth_hash()
session["account_authentication_methods_user"] = str(user.pk)
session["account_authentication_methods"] = [{"method": "mfa", "at": time.time(), "type": "totp"}]
session.save()
print(f"{settings.SESSION_COOKIE_NAME}={session.session_key}")
"""
AUDIT = "from tournaments.ratings import audit; import json; print(json.dumps(audit.audit_all()))"
LOST = (
    "SELECT count(*) FROM tournaments_game g WHERE status = 'finished' AND NOT EXISTS"
    " (SELECT 1 FROM tournaments_result r JOIN tournaments_record d ON d.game_id = r.game_id"
    " WHERE r.game_id = g.id)"
)
TWICE = "SELECT count(*) - count(DISTINCT game_id) FROM tournaments_attempt WHERE cause = 'delivered'"
ALARMS = "SELECT count(*) FROM tournaments_alarm WHERE cleared_at IS NULL"


class Arena:
    """A site that plays, with its servers."""

    def __init__(
        self, site: Production, database: servers.PostgreSQL, redis: servers.Redis, disk: Path
    ) -> None:
        self.site, self.database, self.redis, self.disk = site, database, redis, disk
        self._cookie = ""
        self._known: set[tuple[str, ...]] = set()
        self._results = 0

    def sign_in(self) -> None:
        """Make an operator with a session that showed a second factor."""
        self._cookie = self.site.manage("shell", "--no-imports", "-c", SIGN_IN).strip()

    def number(self, question: str) -> int:
        """The answer to a question, one number."""
        with psycopg.connect(self.site.database, autocommit=True) as link:
            row = link.execute(question.encode()).fetchone()
        assert row is not None
        return int(row[0])

    def results(self) -> int:
        """How many games have their result."""
        return self.number("SELECT count(*) FROM tournaments_result")

    def delivered(self, host: str) -> int:
        """How many results a host has delivered."""
        return self.number(
            f"SELECT count(*) FROM tournaments_attempt WHERE cause = 'delivered' AND worker LIKE '{host}:%'"
        )

    def plays_on(self, host: str) -> None:
        """Wait until a host has delivered another result."""
        known = self.delivered(host)
        self.site.until(lambda: self.delivered(host) > known, f"{host} to play on", 120)

    def process(self, name: str, words: str) -> int:
        """The number of a process below one of the Procfile."""
        found = [one.pid for one in descendants(self.site.processes[name].pid) if words in one.command]
        assert found, (name, words)
        return found[-1]

    # --- what the site says of itself -----------------------------------------------------------------------
    def ready(self) -> int:
        """The status of `/ready`; 0 if nobody answers."""
        try:
            return self.site.get("/ready", https=False)[0]
        except urllib.error.URLError:
            return 0

    def tells_of_the_database(self) -> None:
        """Wait until `/ready` says whether the database takes connections.

        Where it ends and starts again by itself, again and again, it may do either between two questions:
        only an answer counts before and after which it was the same.
        """

        seen = []
        for _ in range(40):
            before, status, after = self.database.answers(), self.ready(), self.database.answers()
            if before == after and status == (200 if after else 503):
                return
            seen.append((before, status, after))
            time.sleep(0.25)
        raise AssertionError(f"answers before, /ready, answers after: {seen}")

    def green(self) -> bool:
        """Whether `/health` says that all is well."""
        return self.site.get("/health", https=False)[0] == 200

    def page(self) -> str:
        """The operator's page, as HTML."""
        status, page = self.site.get("/admin/overview/", cookie=self._cookie)
        assert status == 200, (status, page[:500])
        return page

    def text(self) -> str:
        """The words of the operator's page."""
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.page())).split())

    def heartbeat_age(self) -> int:
        """For how many seconds no heartbeat came through any queue, as the operator's page says."""
        told = re.search(r"Last heartbeat through each queue: (.*?) Process events", self.text())
        assert told, "no heartbeats on the operator's page"
        return min(int(seconds) for seconds in re.findall(r"(\d+) s ago", told[1]))

    def rows(self) -> set[tuple[str, ...]]:
        """The rows of the operator's page's tables."""
        found = re.findall(r"<tr>(.*?)</tr>", self.page(), re.DOTALL)
        cells = (re.findall(r"<td>(.*?)</td>", row, re.DOTALL) for row in found)
        return {tuple(unescape(re.sub(r"<[^>]+>", "", one)).strip() for one in row) for row in cells}

    def begins(self) -> None:
        """Note what stands on the operator's page, and how many games are over, before a fault."""
        self._known, self._results = self.rows(), self.results()
        assert self.ready() == 200

    def tells(self, *words: str) -> None:
        """Wait until a new row of the operator's page says all of this."""

        def told() -> bool:
            return any(all(one in " ".join(row) for one in words) for row in self.rows() - self._known)

        self.site.until(told, f"{words} on the operator's page", 60)

    def shows(self, words: str, seconds: float = 60) -> None:
        """Wait until the operator's page says this."""
        self.site.until(lambda: words in self.text(), f"{words!r} on the operator's page", seconds)

    def recovers(self, fault: str, games: int = 4) -> None:
        """Wait until games are played again and `/health` is green, and see that nothing is lost or twice."""
        begun = time.monotonic()
        until = self.results() + games
        self.site.until(lambda: self.results() >= until, f"games after: {fault}", RECOVERED_SECONDS)
        self.site.until(self.green, f"a green /health after: {fault}", RECOVERED_SECONDS)
        RECOVERIES.append((fault, time.monotonic() - begun))
        assert until - games >= self._results, "a result is gone"
        assert self.number(LOST) == 0, "a finished game has lost its result or record"
        assert self.number(TWICE) == 0, "a game counts twice"
        assert self.number(ALARMS) == 0
        assert self.ready() == 200
        # A worker that was killed may be missed for a moment between `/health` and this page.
        self.shows("Everything is in order.")

    def audit(self) -> Any:
        """What an audit of all results finds, by board."""
        return json.loads(self.site.manage("shell", "--no-imports", "-c", AUDIT))

    # --- another host ---------------------------------------------------------------------------------------
    @contextmanager
    def host(self, name: str, command: list[str], **environment: str) -> Iterator[None]:
        """Another host that plays until the block ends: the Procfile's line, started by this command."""
        known = self.site.environment
        with (self.site.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, "sh", "-c", self.site.commands["games"]],
                cwd=ROOT,
                env={**known, "CRAPETTE_HOST_NAME": name, **environment},
                stdout=log,
                stderr=log,
            )
        try:
            self.site.until(lambda: self.delivered(name) > 1, f"games of the host {name}", 120)
            yield
        finally:
            # In order, so that it takes its leave: /health names a host that is merely gone.
            below = descendants(process.pid)
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(60)
            for pid in (one.pid for one in below if one.alive):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.kill()
            process.wait(10)
