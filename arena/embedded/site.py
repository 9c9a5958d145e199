"""The running site: what is prepared before serving, and what is said when it serves."""

import time
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings

from arena.embedded import ground
from arena.embedded.progress import Progress
from arena.workers import Workers
from arena.workers.roles import everything


class Site:
    """One embedded site from its preparation to its end."""

    def __init__(self, progress: Progress, address: str) -> None:
        self.progress = progress
        self.address = address
        self.workers = Workers(everything())
        self._begun = time.monotonic()

    def prepare(self) -> None:
        """Tables, static files, house bots and a first tournament."""
        self.progress.say(f"Crapette Arena, data in {settings.DATA_DIR}")
        with ThreadPoolExecutor(1) as aside:
            examined = aside.submit(ground.examine_sandbox)
            self._prepare_pages()
            with self.progress.step("sandbox") as outcome:
                outcome.append(examined.result())
        with self.progress.step("house bots") as outcome:
            outcome.append(ground.register_bots())

    def _prepare_pages(self) -> None:
        """Tables and static files."""
        with self.progress.step("database") as outcome:
            outcome.append(ground.migrate())
        with self.progress.step("pages") as outcome:
            outcome.append(ground.collect_static())

    def begin(self) -> None:
        """The work (what waited or was broken off, and a first tournament if there was none), then workers.

        In this order, as what seems to be played now was left by a process that is gone.
        """
        with self.progress.step("games") as outcome:
            outcome.append(ground.take_up_work())
        with self.progress.step("workers") as outcome:
            self.workers.start(beat=True)
            outcome.append(ground.describe_workers())

    def announce(self) -> None:
        """Say where the site is, once it answers there."""
        took = time.monotonic() - self._begun
        self.progress.say(f"Ready in {took:.1f} s: {self.address}   (Ctrl-C ends it)")
