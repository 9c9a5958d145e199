"""The running site: what is prepared before serving, and what is said when it serves."""

import time

from django.conf import settings
from django.core.management import call_command, get_commands

from arena.embedded import ground
from arena.embedded.progress import Progress
from arena.embedded.workers import Workers


class Site:
    """One embedded site from its preparation to its end."""

    def __init__(self, progress: Progress, address: str) -> None:
        self.progress = progress
        self.address = address
        self.workers = Workers()
        self._begun = time.monotonic()

    def prepare(self) -> None:
        """Tables, static files, house bots and a first tournament."""
        self.progress.say(f"Crapette Arena, data in {settings.DATA_DIR}")
        with self.progress.step("database") as outcome:
            outcome.append(ground.migrate())
        with self.progress.step("pages") as outcome:
            outcome.append(ground.collect_static())
        if "register_house_bots" in get_commands():
            with self.progress.step("house bots"):
                call_command("register_house_bots", verbosity=0)

    def announce(self) -> None:
        """Say where the site is, once it answers there."""
        took = time.monotonic() - self._begun
        self.progress.say(f"Ready in {took:.1f} s: {self.address}   (Ctrl-C ends it)")
