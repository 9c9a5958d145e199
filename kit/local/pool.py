"""Plays many games for the command line, spread over a few playing processes."""

from __future__ import annotations

import queue
import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from referee.errors import Infrastructure

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from kit.local.series import Fixture
    from kit.runners.choice import Playing
    from referee.job import Job
    from referee.messages import RecordEvent

ATTEMPTS: Final = 3
"""How often a game is tried if the machine fails."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game: its fixture, its events and its result message."""

    fixture: Fixture
    events: list[RecordEvent]
    message: dict[str, Any]


@contextmanager
def handling(interrupt: Callable[..., None]) -> Iterator[None]:
    """Call `interrupt` on SIGINT while the block runs. Only the main thread receives signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class Pool:
    """``jobs`` threads, each with its own playing process (``opened``), which plays game after game."""

    def __init__(self, jobs: int, opened: Callable[[], Playing]) -> None:
        self._opened = opened
        self._jobs = jobs
        self._todo: queue.SimpleQueue[Fixture | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Finished | Exception | None] = queue.SimpleQueue()
        self._processes: list[Playing] = []
        self._stopped = threading.Event()
        self._interrupted = False

    def interrupt(self, *_: object) -> None:
        """Handle SIGINT: make `play` raise KeyboardInterrupt when it is next asked for a game.

        The interpreter's own handler raises wherever it happens to be, even in a finalizer, where the
        exception is lost. A second SIGINT raises at once.
        """
        if self._interrupted:
            raise KeyboardInterrupt
        self._interrupted = True
        self._done.put(None)

    def play(
        self, batches: Iterable[Sequence[Fixture]], job: Callable[[Fixture], Job]
    ) -> Generator[Finished, None, None]:
        """Play every fixture and yield the games as they end. Closing the iterator ends all running games.

        The next batch is requested once every game of the previous one was taken, since it may depend on
        them. Raises Infrastructure when a game could not be played in `ATTEMPTS` attempts, KeyboardInterrupt
        after `interrupt`.
        """
        coming = iter(batches)
        threads = [
            threading.Thread(target=self._work, args=(job,), name=f"game {number}", daemon=True)
            for number in range(self._jobs)
        ]
        for thread in threads:
            thread.start()
        try:
            working = len(threads)
            playing = self._ask_for_more(coming)
            while working:
                found = self._done.get()
                if self._interrupted:
                    raise KeyboardInterrupt
                if found is None:
                    working -= 1
                elif isinstance(found, Exception):
                    raise found
                else:
                    yield found
                    playing -= 1
                    if not playing:
                        playing = self._ask_for_more(coming)
        finally:
            self._stopped.set()
            for _ in threads:
                self._todo.put(None)
            for process in list(self._processes):
                process.interrupt()
            for thread in threads:
                thread.join()

    def _ask_for_more(self, coming: Iterator[Sequence[Fixture]]) -> int:
        """Give the next batch with games to the threads and return its size; 0 tells the threads to stop."""
        for batch in coming:
            for fixture in batch:
                self._todo.put(fixture)
            if batch:
                return len(batch)
        for _ in range(self._jobs):
            self._todo.put(None)
        return 0

    def _work(self, job: Callable[[Fixture], Job]) -> None:
        process: Playing | None = None
        try:
            while (fixture := self._todo.get()) is not None and not self._stopped.is_set():
                for attempt in range(1, ATTEMPTS + 1):
                    if process is None:
                        process = self._opened()
                        self._processes.append(process)
                        if self._stopped.is_set():  # `play` has killed the others already
                            process.interrupt()
                    try:
                        self._done.put(self._one(process, fixture, job(fixture)))
                        break
                    except Infrastructure:
                        process.kill()
                        self._processes.remove(process)
                        process = None
                        if attempt == ATTEMPTS or self._stopped.is_set():
                            raise
            if process is not None:
                process.close()
                self._processes.remove(process)
        except Exception as error:
            self._done.put(error)
        finally:
            self._done.put(None)

    def _one(self, process: Playing, fixture: Fixture, job: Job) -> Finished:
        game = process.start(job)
        events = [event for batch in game.batches() for event in batch]
        assert game.result is not None  # noqa: S101
        return Finished(fixture, cast("list[RecordEvent]", events), game.result)
