"""The threads that play: each claims the next game as soon as it has finished one.

A message only wakes sleeping threads. One of the sleepers also looks by itself every second, so a lost
message delays a game by no more than that. Whoever finds a game wakes the next sleeper. One thread looks at a
time, and none if another has just found nothing: of fifty threads that are woken by as many messages, the
others would ask the database the same.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import connections

from arena.web.database.db_retry import AWAY
from arena.web.processes import incidents, shutdown
from tournaments.games import play
from tournaments.games.claims import Kind, TournamentTurns
from tournaments.games.remote import DatabaseThreads

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
AFTER_TROUBLE_SECONDS: Final = 2.0

_running: weakref.WeakSet[GameSlots] = weakref.WeakSet()


def wake() -> None:
    """Wake a sleeping thread of this process, if there is one, to look for a game."""
    for slots in list(_running):
        slots.wake()


MIXED_A_CORE: Final = 8
"""Games with a remote bot and one in a sandbox that are played at once, for each game that would be without
remote bots: the one here is stopped while the other computes, and answers in a fraction of its time."""


def remote_slots(most: Callable[[], int]) -> tuple[GameSlots, GameSlots]:
    """The threads that play games with remote bots, of both kinds; together at most `most` games."""
    stored = DatabaseThreads()
    count = settings.REMOTE_GAMES_AT_ONCE if settings.REMOTE else 0
    mixed = min(count, MIXED_A_CORE * settings.GAMES_AT_ONCE)

    def play_one(kind: Kind, claimed: Callable[[], None]) -> bool:
        try:
            return play.play_next(claimed=claimed, kind=kind, stored=stored)
        finally:
            connections.close_all()  # this thread asked only for the files of a bot in a sandbox

    return (
        GameSlots(count, partial(play_one, Kind.REMOTE), most),
        GameSlots(mixed, partial(play_one, Kind.MIXED), most),
    )


class GameSlots:
    """Threads that play games, each one at a time."""

    def __init__(
        self,
        count: int,
        play_next: Callable[[Callable[[], None]], bool] | None = None,
        most: Callable[[], int] | None = None,
    ) -> None:
        """`most` says how many of the threads may play at present; all, if it is left out."""
        turns = TournamentTurns()
        self._play_next = play_next or (lambda claimed: play.play_next(claimed=claimed, turns=turns))
        self._most = most or (lambda: count)
        self._bell = threading.Condition()
        self._rung = 0
        self._nothing_at = -1
        """The ring after which a look found nothing."""
        self._looking = threading.Lock()
        self._somebody_looks = False
        self._threads = [
            threading.Thread(target=self._work, args=(number,), name=f"game slot {number}", daemon=True)
            for number in range(count)
        ]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()
        _running.add(self)

    def wake(self) -> None:
        """Wake one sleeping thread to look for a game now."""
        with self._bell:
            self._rung += 1
            self._bell.notify()

    def stop(self, deadline: float) -> bool:
        """Wait until the monotonic time `deadline` for games to end (draining) or to be given back (once the
        stop was announced); whether all were."""
        _running.discard(self)
        with self._bell:
            self._bell.notify_all()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def dead(self) -> int:
        """Return how many threads have ended although nobody stopped them."""
        return sum(thread.ident is not None and not thread.is_alive() for thread in self._threads)

    def _work(self, number: int) -> None:
        while not shutdown.draining():
            rung = self._rung
            try:
                if number >= self._most():
                    # Not among the sleepers: a bell that rang for this thread would be lost.
                    time.sleep(LOOK_SECONDS)
                    continue
                played = self._look()
            except Exception as error:
                # Whatever it is, the game's lease runs out and another takes it up; this thread goes on.
                if isinstance(error, AWAY):
                    logger.warning("the database did not answer a thread that plays games: %s", error)
                    incidents.remember(error)
                else:
                    logger.exception("a game could not be played")
                connections.close_all()
                time.sleep(AFTER_TROUBLE_SECONDS)
                continue
            if not played:
                self._sleep(rung)
        connections.close_all()

    def _look(self) -> bool:
        """Play a game, if one waits."""
        with ExitStack() as turn:
            turn.enter_context(self._looking)
            rung = self._rung
            if rung == self._nothing_at:
                return False

            def claimed() -> None:
                turn.close()
                self.wake()

            if self._play_next(claimed):
                with self._bell:
                    self._rung += 1  # the bots that played are free for another game
                return True
            self._nothing_at = rung
            return False

    def _sleep(self, rung: int) -> None:
        """Wait to be woken; only one sleeper wakes by itself, and `rung` since it last looked is no sleep."""
        with self._bell:
            if rung != self._rung or shutdown.draining():
                return
            looks = not self._somebody_looks
            self._somebody_looks = True
            try:
                if not self._bell.wait(LOOK_SECONDS if looks else None):
                    self._rung += 1
            finally:
                if looks:
                    self._somebody_looks = False
