"""Messages to workers that answer people (see `tournaments.services.messages`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction

from arena.web.worker_messages import send

if TYPE_CHECKING:
    from uuid import UUID

ANSWER = "friendlies.answer"


def answer_on_commit(friendly: UUID) -> None:
    """Ask for the bot's answer in a person's game, once the transaction is committed."""
    transaction.on_commit(partial(send, ANSWER, str(friendly)))
