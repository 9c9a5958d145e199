"""Announces changes of a person's game: to its pages, and to the worker that answers for the bot."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction

from arena.web.live.publisher import publisher
from arena.web.worker_messages import send

if TYPE_CHECKING:
    from uuid import UUID


def friendly_group(friendly: UUID | str) -> str:
    """The group of the pages that show a person's game."""
    return f"friendly.{friendly}"


def publish_friendly(friendly: UUID | str) -> None:
    """Announce that a person's game has changed. The page then asks for what it may know."""
    publisher().send(friendly_group(friendly), {"type": "friendly.changed"})


ANSWER = "friendlies.answer"


def answer_on_commit(friendly: UUID) -> None:
    """Ask for the bot's answer in a person's game, once the transaction is committed."""
    transaction.on_commit(partial(send, ANSWER, str(friendly)))
