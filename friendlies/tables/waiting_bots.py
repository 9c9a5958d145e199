"""The bots waiting for people in this process. Up to a limit, each keeps its sandbox between two moves.

A bot that is not here is started and told the whole game. So it does not matter which worker asks it, or
whether a worker or an idle bot is gone.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection

import sandbox
from analysis.scores import half_points
from bots.files import materialise
from bots.remote.bridge import RemoteTable, bridge
from engine import Position
from engine.boards import board_name
from friendlies.games.turns import SEATS
from friendlies.models import Friendly
from friendlies.opponent.engagement import Engagement
from friendlies.tables.new_games import BOT_BANK_MS, BOT_INCREMENT_MS
from friendlies.tables.remote_places import take_place
from referee.errors import Infrastructure
from referee.job import REMOTE, REMOTE_START_SECONDS, ClockRule, Job, SeatJob
from tournaments.games.remote import RESULTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

logger = logging.getLogger(__name__)

MOST_WAITING = 12
"""How many stopped bots are kept between two questions, at about 20 MB each."""
WATCH_S = 5.0
"""How often those of remote bots are looked at, whose authors wait to hear that a game is over."""


class Engagements:
    """Engagements by game; whoever asks one takes it out and puts it back."""

    def __init__(self, most: int = MOST_WAITING) -> None:
        self._most = most
        self._waiting: OrderedDict[UUID, Engagement] = OrderedDict()
        self._lock = threading.Lock()
        self._watcher: threading.Thread | None = None

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
            if engagement.remote is not None and self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="remote tables", daemon=True)
                self._watcher.start()
        for one in gone:
            if one is not None:
                one.end()

    def end_left(self) -> None:
        """End remote bots that were not asked for long, or whose games the person has ended."""
        with self._lock:
            remote = [key for key, one in self._waiting.items() if one.remote is not None]
        rows = Friendly.objects.in_bulk(remote) if remote else {}
        for key in remote:
            row = rows.get(key)
            with self._lock:
                one = self._waiting.get(key)
                if one is None or (one.alive and row is not None and not row.is_over):
                    continue
                del self._waiting[key]
            one.end(ending(row.seat, row.result) if row is not None and row.result else None)
            if row is not None and row.is_over:
                Friendly.objects.filter(pk=key).update(place_until=None)

    def _watch(self) -> None:
        while True:
            time.sleep(WATCH_S)
            try:
                self.end_left()
            except Exception:  # the database is away: they wait a little longer
                logger.exception("remote bots at tables were not looked at")
            finally:
                connection.close()
            with self._lock:
                if all(one.remote is None for one in self._waiting.values()):
                    self._watcher = None
                    return

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
    public = str(Position.parse(row.start).public())  # no hidden card goes where the bot is
    clock = ClockRule(BOT_BANK_MS, BOT_INCREMENT_MS)
    if version.is_remote:
        return _engage_remote(row, Job(row.variant, public, (), clock), stage, beat)
    folder = str(materialise(version, stage))
    # The row says it, so that a bot that is started again plays as strongly as before.
    seat = SeatJob(folder, version.language, version.entry, level=row.level)
    job = Job(row.variant, public, (seat,), clock, level=settings.SANDBOX_LEVEL)
    return Engagement(job, 1 - row.seat, stage, beat)


def _engage_remote(row: Friendly, job: Job, stage: sandbox.Stage, beat: Callable[[], object]) -> Engagement:
    """Take one of the bot's places, and tell its author of the game. Raises as `Engagements.take`."""
    if not take_place(row):
        raise Infrastructure("the bot is away, or plays as many games as it can")
    seat = 1 - row.seat
    frame = {
        "type": "game",
        "board": board_name(row.variant, SEATS),
        "seat": seat,
        "players": SEATS,
        "opponents": ["a person"],  # who plays is told to nobody
        "rated": False,
    }
    table = RemoteTable(bridge(), {seat: (row.version.bot_id, frame)})
    seats = (SeatJob("", REMOTE, table.sittings[seat]),)
    job = replace(job, seats=seats, level=settings.SANDBOX_LEVEL, start_seconds=REMOTE_START_SECONDS)
    return Engagement(job, seat, stage, beat, table)


def ending(person: int, result: dict[str, Any]) -> dict[str, Any]:
    """What the author of a remote bot is told of a game that is over; `person` is the other seat."""
    points = half_points(result["ranking"], 1 - person)
    return {"result": RESULTS[points], "termination": result["termination"]}


WAITING = Engagements()
"""Those of this process."""
