"""The bots waiting for people in this process. Up to a limit, each keeps its sandbox between two moves.

A bot that is not here is started and told the whole game. So it does not matter which worker asks it, or
whether a worker or an idle bot is gone.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from django.conf import settings

import sandbox
from bots.files import materialise
from engine import Position
from friendlies.opponent.engagement import Engagement
from friendlies.tables.new_games import BOT_BANK_MS, BOT_INCREMENT_MS
from referee.job import ClockRule, Job, SeatJob

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from friendlies.models import Friendly

MOST_WAITING = 12
"""How many stopped bots are kept between two questions, at about 20 MB each."""


class Engagements:
    """Engagements by game; whoever asks one takes it out and puts it back."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting: OrderedDict[UUID, Engagement] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, row: Friendly, known: int, beat: Callable[[], object]) -> Engagement:
        """Return the game's bot. It is started if it does not wait here or knows more than ``known`` events.

        Raises Fault, Infrastructure, SandboxUnavailable, FilesMissing, and what ``beat`` raises.
        """
        with self._lock:
            found = self._waiting.pop(row.pk, None)
        if found is not None and (not found.alive or found.told > known):
            found.end()
            found = None
        return found or _engage(row, beat)

    def keep(self, row: Friendly, engagement: Engagement) -> None:
        """Keep a bot for the next question, replacing the one that has waited longest."""
        with self._lock:
            gone = [self._waiting.pop(row.pk, None)]
            self._waiting[row.pk] = engagement
            if len(self._waiting) > self._most:
                gone.append(self._waiting.popitem(last=False)[1])
        for one in gone:
            if one is not None:
                one.end()

    def dismiss(self) -> None:
        """End every bot that waits."""
        with self._lock:
            gone = list(self._waiting.values())
            self._waiting.clear()
        for one in gone:
            one.end()


def _engage(row: Friendly, beat: Callable[[], object]) -> Engagement:
    stage = sandbox.Stage.ensure()
    version = row.version
    folder = str(materialise(version, stage))
    # The row says it, so that a bot that is started again plays as strongly as before.
    seat = SeatJob(folder, version.language, version.entry, level=row.level)
    clock = ClockRule(BOT_BANK_MS, BOT_INCREMENT_MS)
    public = str(Position.parse(row.start).public())  # no hidden card goes where the bot is
    job = Job(row.variant, public, (seat,), clock, level=settings.SANDBOX_LEVEL)
    return Engagement(job, 1 - row.seat, stage, beat)


WAITING = Engagements()
"""Those of this process."""
