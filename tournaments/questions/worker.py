"""Works through questions, in an analysis process."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Final

from django.db import Error as DatabaseError
from django.db import connections

from analysis.errors import BrokenRecord
from tournaments.models import Analysis
from tournaments.questions import leases
from tournaments.questions.question_types import Gone

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tournaments.questions.question_types import QuestionKind

log = logging.getLogger(__name__)

WATCH_SECONDS: Final = 1.0
REPORT_SECONDS: Final = 0.5


def work_one(
    worker: str,
    kinds: Mapping[str, QuestionKind],
    *,
    arena: bool = True,
    deep: bool = False,
    patience: leases.Patience = leases.IMPATIENT,
    end: Callable[[], None] | None = None,
) -> bool:
    """Claim a question, and those that are answered with it, and answer as `kinds` say; False if none waits.

    `end` ends this process when the answer comes too late or is wanted no more (`LeaseKeeper`).
    """
    row = leases.claim(worker, arena=arena, deep=deep, patience=patience)
    if row is None:
        return False
    kind = kinds.get(row.kind)
    if kind is None:
        leases.fail(row, Analysis.Cause.GONE, "It was asked of another version of the arena.")
        return True
    rows = [row, *leases.claim_alike(row, worker)] if kind.together and row.attempts == 1 else [row]
    watcher = LeaseKeeper(rows, kind.seconds, end) if end is not None else None
    try:
        asked = [one.arguments for one in rows] if kind.together else row.arguments
        answer = kind.answer(asked, _reporter(row)) if kind.reports else kind.answer(asked)
    except BrokenRecord as error:
        _fail(rows, Analysis.Cause.RECORD, str(error))
    except Gone as error:
        _fail(rows, Analysis.Cause.GONE, str(error))
    except DatabaseError:
        # The question is as good as before; its lease brings it back.
        log.warning("%s was not answered: the database failed", row, exc_info=True)
        time.sleep(WATCH_SECONDS)
        connections.close_all()
    except (SystemExit, KeyboardInterrupt):
        try:
            leases.give_back(*rows)
        except DatabaseError:
            # The signal came in the middle of a statement: that connection takes no other one.
            connections.close_all()
            leases.give_back(*rows)
        raise
    except Exception as error:  # whatever a search raises concerns this question alone
        log.exception("%s could not be answered", row)
        _fail(rows, Analysis.Cause.CRASH, f"{type(error).__name__}: {error}")
    else:
        if leases.finish(*rows, answer=answer) and kind.tell is not None:
            kind.tell(row.arguments)
    finally:
        if watcher is not None:
            watcher.stop()
    return True


def _fail(rows: Sequence[Analysis], cause: Analysis.Cause, error: str) -> None:
    """Note why a question has no answer. Of several, each is tried again alone."""
    if len(rows) > 1:
        leases.give_back(*rows, tried=True)
    else:
        leases.fail(rows[0], cause, error)


def _reporter(row: Analysis) -> Callable[[float], None]:
    """What is told of the progress, and writes it down now and then."""
    written = time.monotonic()

    def report(share: float) -> None:
        nonlocal written
        if time.monotonic() - written >= REPORT_SECONDS:
            written = time.monotonic()
            leases.report(row, share)

    return report


def work_off(kinds: Mapping[str, QuestionKind], *, arena: bool = True, deep: bool = False) -> int:
    """Answer everything that waits, people's questions only unless `arena`; return how many there were.

    Games to be judged by oracle are answered alone, and only if `deep`.
    """
    answered = 0
    while work_one("here", kinds, arena=arena, deep=deep):
        answered += 1
    return answered


class LeaseKeeper:
    """Renews the lease of questions from a thread, and ends the process if it takes too long or is unwanted.

    A search cannot be interrupted otherwise: it may be deep in compiled code. `end` is called in the thread.
    """

    def __init__(self, rows: Sequence[Analysis], seconds: float, end: Callable[[], None]) -> None:
        self._rows = rows
        self._seconds = seconds
        self._end = end
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """The question is answered."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        seconds = self._seconds
        begun = time.monotonic()
        try:
            while not self._over.wait(WATCH_SECONDS):
                if time.monotonic() - begun > seconds:
                    _fail(self._rows, Analysis.Cause.TIME, f"It took more than {seconds:.0f} seconds.")
                    log.warning("%s took more than %.0f s", self._rows[0], seconds)
                    self._end()
                    return
                leases.renew(*self._rows)
        except leases.Unwanted:
            leases.drop(self._rows[0])
            self._end()
        except DatabaseError:
            log.warning("the lease of %s could not be renewed", self._rows[0], exc_info=True)
        finally:
            connections.close_all()
