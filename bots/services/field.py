"""Tells the ladders that a bot arrived, left or changed its version. Idle ladders wake only for this."""

from __future__ import annotations

from functools import partial
from typing import Final

from django.db import transaction

from arena.common.messages import send

FIELD_TASK: Final = "tournaments.field_changed"


def field_changed() -> None:
    """Have every ladder bring its entrants up to date, once the transaction is committed."""
    transaction.on_commit(partial(send, FIELD_TASK))
