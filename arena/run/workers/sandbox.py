"""Examines at intervals whether this worker's host can contain bots, and reports to `/health`.

An examination starts a dozen processes and takes half a second, so no page does it. The worker does: it is
the one that plays, and pages may be served from another host.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import connections

from arena.web.processes import shutdown
from sandbox import probe

if TYPE_CHECKING:
    from collections.abc import Callable

    from sandbox import Report

GREEN_SECONDS: Final = 60.0
RED_SECONDS: Final = 10.0
"""A sandbox that does not hold is examined again sooner: an operator is mending it."""


class Examiner:
    """A thread that examines this host's sandbox, at once and then every minute."""

    def __init__(self, examine: Callable[[], Report] = lambda: probe(settings.SANDBOX_LEVEL)) -> None:
        self._examine = examine
        self._tell: Callable[[dict[str, Any]], None] | None = None
        self._first: Future[Report] = Future()
        self._report: Report | None = None
        self._thread = threading.Thread(target=self._run, name="sandbox examiner", daemon=True)

    def start(self) -> None:
        """Begin; a second call does nothing."""
        if self._thread.ident is None:
            self._thread.start()

    def first(self) -> Report:
        """The first report, waited for."""
        return self._first.result()

    def told_to(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """Have every report told from now on, as a part of `/health`; the last one at once."""
        self._tell = tell
        if self._report is not None:
            tell(describe(self._report))

    def _run(self) -> None:
        while not shutdown.is_announced():
            report = self._report = self._examine()
            if not self._first.done():
                self._first.set_result(report)
            if self._tell is not None:
                try:
                    self._tell(describe(report))
                finally:
                    connections.close_all()  # this thread sleeps for longer than a connection should wait
            time.sleep(GREEN_SECONDS if report.ok else RED_SECONDS)


def describe(report: Report) -> dict[str, Any]:
    """A report as `/health` shows it: `ok`, `level`, `languages`, and a `reason` or `warnings`."""
    part: dict[str, Any] = {"ok": report.ok, "level": report.level, "languages": report.languages}
    if not report.ok:
        part["reason"] = ". ".join(words for words in (report.problem, report.hint) if words)
    if report.warnings:
        part["warnings"] = list(report.warnings)
    return part


def in_words(report: Report) -> str:
    """A report for the operator who starts the site: what holds, or why no game can be played here."""
    if not report.ok:
        return f"NOT WORKING. No game is played until it works: {describe(report)['reason']}"
    return "; ".join((f"level {report.level}, {len(report.canaries)} canaries contained", *report.warnings))
