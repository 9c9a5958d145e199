"""Who listens when something happens to bots.

The apps above this one, which bots do not know, say so when they are loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from django.db.models import QuerySet
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User
    from bots.models import Bot, Version


@dataclass(frozen=True, slots=True)
class Saying:
    """What the followers of a bot are told, and which page shows it; not those who know it already."""

    text: StrOrPromise
    url: str
    but: frozenset[int | None] = frozenset()


class BotListener:
    """Does nothing; an app overrides what concerns it."""

    def field_changed(self) -> None:
        """A bot arrived, left, was checked or changed its version. Called after the commit."""

    def authors_changed(self) -> None:
        """Other bots than before count as one author's in the ratings. Called after the commit."""

    def stops_playing(self, versions: Collection[int]) -> None:
        """These versions, by their keys, no longer play: benched, or of a bot that is withdrawn, or without
        files.

        Called in the transaction in which that is stored, after it: what still refers to them is settled now.
        """

    def forget(self, bot: int, since: datetime | None) -> None:
        """The owner of a bot leaves: delete what the bot wrote.

        Called first for all there is, in transactions as short as the listener likes, and once more when the
        account is gone, for what has come since the moment given.
        """

    def why_not_together(self, owner: User, other: User) -> str:
        """Why two accounts cannot own a bot together, in a sentence; empty if nothing speaks against it."""
        return ""

    def handed_over(self, bot: Bot, owner: User) -> None:
        """A bot has become this account's, in this transaction."""

    def owner_is_leaving(self, owner: User) -> None:
        """An account, which is locked, is about to be deleted in this transaction, and has everything still.

        All listeners are called before anything is changed, so here a listener locks what others lock before
        the rows that are changed then: bots, and what `owner_leaves` of any listener writes.
        """

    def owner_leaves(self, owner: User) -> None:
        """An account is about to be deleted, in this transaction, and its bots are gone already."""

    def locked(self, bot: Bot) -> frozenset[str]:
        """The texts of a bot, by field, that its owner cannot change now."""
        return frozenset()

    def started(self, event: int) -> dict[int, Saying]:
        """What is told of a tournament that started, by bot."""
        return {}

    def placed(self, event: int) -> dict[int, Saying]:
        """What is told of a tournament that is over, by bot, the best first."""
        return {}

    def tried_again(self, version: Version) -> None:
        """A version that was accepted before has been tried on further boards. Called before they are stored,
        and perhaps twice."""

    def may_check(self) -> bool:
        """Whether versions can be checked here now."""
        return True

    def check_failed(self, reason: str, *, sandbox_down: bool) -> None:
        """A version could not be checked by no fault of its own."""

    def check_played(self) -> None:
        """A check was played to its end: nothing is wrong with this host."""


_listeners: list[BotListener] = []


def listen(listener: BotListener) -> None:
    """Tell the listener from now on. Apps call this from ``ready``."""
    _listeners.append(listener)


def listeners() -> tuple[BotListener, ...]:
    """Return everyone who listens."""
    return tuple(_listeners)


def stop_playing(versions: QuerySet[Version]) -> None:
    """Settle in this transaction what still refers to versions that stopped to play in it."""
    keys = list(versions.values_list("pk", flat=True))
    for listener in _listeners:
        listener.stops_playing(keys)
    field_changed()


def field_changed() -> None:
    """Tell that a bot came, left, was checked or changed its version, once the transaction is committed."""
    for listener in _listeners:
        transaction.on_commit(listener.field_changed)


def authors_changed() -> None:
    """Tell that other bots than before are one author's, once the transaction is committed."""
    for listener in _listeners:
        transaction.on_commit(listener.authors_changed)
