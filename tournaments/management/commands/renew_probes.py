"""`manage.py renew_probes`: records new positions for finding near-twins."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from arena.web.worker_messages import send
from bots.errors import Unplayable
from tournaments.game_messages import COMPARE
from tournaments.ratings.twin_search import record_set


class Command(BaseCommand):
    """Record new positions. Workers then ask every version about them, one after the other."""

    help = "Record new positions for finding near-twins. Workers then ask every version about them."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Record them and say which edition is in use."""
        try:
            found = record_set()
        except Unplayable as error:
            raise CommandError(f"No games could be played: {error}") from error
        if found is None:
            raise CommandError("There is no house bot to record games of.")
        send(COMPARE)
        self.stdout.write(f"Positions of {len(found.games)} games are in use, edition {found.edition}.")
