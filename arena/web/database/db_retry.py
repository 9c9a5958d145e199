"""Waiting for a database that was restarted, with what must not be lost in the hand."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Final, TypeVar

from django.db import InterfaceError, OperationalError, connection

from arena.web.processes import incidents

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

AWAY: Final = (OperationalError, InterfaceError)
"""What is raised when the database does not answer, or its answer is lost."""

TRIES: Final = 9
LONGEST_WAIT_SECONDS: Final = 4.0
"""Between two tries: all of them together take 18 s and outlast a restart, but not a lease."""

Answer = TypeVar("Answer")


def drop_broken_connection() -> None:
    """Let the next query open a new connection if this one can no longer be used."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def until_answered(work: Callable[[], Answer], what: str) -> Answer:
    """Return what `work` returns, which may be done twice, as soon as the database answers.

    Raises what `work` raises, and the database's error after `TRIES` tries.
    """
    for tried in range(1, TRIES + 1):
        try:
            return work()
        except AWAY as error:
            incidents.remember(error)
            if tried == TRIES:
                raise
            logger.warning("the database did not answer to %s, try %d: %s", what, tried, error)
            drop_broken_connection()
            time.sleep(min(0.2 * 2 ** (tried - 1), LONGEST_WAIT_SECONDS))
    raise AssertionError("unreachable: the last try returns or raises")
