"""The one port of the house: what apps below ask of apps above them, and tell them.

Everything else is a call downwards. These few cannot be: they belong into the transaction of a service that
lies further down. What refers to a version is settled when it stops to play, and who may enter an event is
asked under its lock. `people`, which knows everything, answers them all (`settings.PORT`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User
    from bots.models import Bot, News, Version


@dataclass(frozen=True, slots=True)
class Saying:
    """What the followers of a bot are told, and which page shows it; not those who know it already."""

    text: StrOrPromise
    url: str
    but: frozenset[int | None] = frozenset()


class Port(Protocol):
    """What the apps above answer."""

    def field_changed(self) -> None:
        """A bot arrived, left, was checked or changed its version. Called after the commit."""

    def authors_changed(self) -> None:
        """Other bots than before count as one author's in the ratings. Called after the commit."""

    def stops_playing(self, versions: Collection[int]) -> None:
        """These versions, by their keys, no longer play: benched, or of a bot that is withdrawn, or without
        files.

        Called in the transaction in which that is stored, after it: what still refers to them is settled now.
        """

    def tried_again(self, version: Version) -> None:
        """A version that was accepted before has been tried on further boards. Called before they are stored,
        and perhaps twice."""

    def handed_over(self, bot: Bot, owner: User) -> None:
        """A bot has become this account's, in this transaction."""

    def why_not_together(self, owner: User, other: User) -> str:
        """Why two accounts cannot own a bot together, in a sentence; empty if nothing speaks against it."""

    def decided_texts(self, bot: Bot) -> frozenset[str]:
        """The texts of a bot, by field, that its owner cannot change because of a decision of moderators."""

    def decided_event_texts(self, event: int) -> frozenset[str]:
        """The texts of a tournament, by field, that organisers cannot change for such a decision."""

    def event_news(self, what: News.What, event: int) -> dict[int, Saying]:
        """What is told of a tournament that started or is over, by bot, the best first."""

    def why_not_enter(self, event: int, user: Any) -> str:
        """Why a visitor, signed in or not, may not enter a tournament, in a sentence; empty if they may.

        Its organisers are never asked about.
        """


@cache
def port() -> Port:
    """What answers."""
    found: Port = import_string(settings.PORT)()
    return found


def stop_playing(versions: QuerySet[Version]) -> None:
    """Settle in this transaction what still refers to versions that stopped to play in it.

    Remote bots among them go offline: whoever holds their connection finds that out and closes it.
    """
    port().stops_playing(list(versions.values_list("pk", flat=True)))
    # After their games, as whoever claims one locks them.
    apps.get_model("bots", "RemotePresence").objects.filter(bot__versions__in=versions).update(
        connection="", online_since=None, leaving=False
    )
    field_changed()


def field_changed() -> None:
    """Tell that a bot came, left, was checked or changed its version, once the transaction is committed."""
    transaction.on_commit(port().field_changed)


def authors_changed() -> None:
    """Tell that other bots than before are one author's, once the transaction is committed."""
    transaction.on_commit(port().authors_changed)
