"""What an event can belong to: an app above this one, which tournaments do not know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class PartOf:
    """What an event belongs to: its name, address, and where in it the event stands, in words."""

    name: str
    url: str
    words: str


class Collection(Protocol):
    """Something that events belong to."""

    def choices(self, user: User) -> list[tuple[str, str]]:
        """What a user can put a new event into: slugs and names."""

    def put(self, tournament: Tournament, user: User, slug: str) -> None:
        """Put a new event into one of these, in the transaction that creates it. Raises InvalidTournament."""

    def part_of(self, tournament: Tournament) -> PartOf | None:
        """What an event belongs to, None if to nothing."""


_collections: list[Collection] = []


def collect_with(collection: Collection) -> None:
    """Offer this from now on. Apps call it from ``ready``."""
    _collections[:] = [collection]


def choices(user: Any) -> list[tuple[str, str]]:
    """What a user can put a new event into."""
    return [one for collection in _collections for one in collection.choices(user)]


def put(tournament: Tournament, user: User, slug: str) -> None:
    """Put a new event into something; nothing happens where `slug` is empty. Raises InvalidTournament."""
    for collection in _collections:
        if slug:
            collection.put(tournament, user, slug)


def part_of(tournament: Tournament) -> PartOf | None:
    """What an event belongs to, None if to nothing."""
    return next(filter(None, (collection.part_of(tournament) for collection in _collections)), None)
