"""Locks several rows at once without a deadlock."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from django.db import OperationalError, connection, transaction

if TYPE_CHECKING:
    from django.db.models import QuerySet

LOCKING_SECONDS: Final = 20.0
AGAIN_SECONDS: Final = 0.01
"""Between two tries: claims and results hold a game, or a pair, for a few milliseconds."""


def lock_together(*rows: QuerySet[Any]) -> list[list[Any]]:
    """Lock the rows of all these queries; returns their keys. None stays locked while another is waited for.

    Claims and results lock a game and then its pair. A claim may hold a second game: one that PostgreSQL
    locked for it before it saw that another had just claimed it. So whoever needs several games has no order
    in which it could wait for them. Storing the news of a game does not keep it from being locked so
    (`no_key`), claims and results do.

    Raises OperationalError if the rows are not free at the same moment within `LOCKING_SECONDS`. Call it in a
    transaction. Where only one transaction can write, as on SQLite, nothing needs to be locked.
    """
    if not connection.features.has_select_for_update_nowait:
        return [list(one.values_list("pk", flat=True)) for one in rows]
    ends = time.monotonic() + LOCKING_SECONDS
    while True:
        try:
            with transaction.atomic():
                return [
                    list(one.select_for_update(nowait=True, no_key=True).values_list("pk", flat=True))
                    for one in rows
                ]
        except OperationalError:
            if time.monotonic() > ends:
                raise
        time.sleep(AGAIN_SECONDS)
