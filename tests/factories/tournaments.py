"""Tournaments: drafts, and those that have started. Their games are made by the services."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from arena.accounts.models import User
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.models import Tournament
from tournaments.pairing.progress import start_tournament


def entrants(owner: User, count: int = 3) -> list[Version]:
    """Accepted versions of as many bots of one owner."""
    return [accepted_bot(owner, f"{owner.username} bot {number}") for number in range(1, count + 1)]


def rivals(count: int = 3) -> list[Version]:
    """Accepted versions of as many bots, each of another owner."""
    return [accepted_bot(author(f"rival {number}"), f"Rival {number}") for number in range(1, count + 1)]


def wanted(versions: Iterable[Version], *, name: str = "Test cup", **more: Any) -> NewTournament:
    """A wish for a tournament of these versions."""
    return NewTournament(name, tuple(one.pk for one in versions), **more)


def form(versions: Iterable[Version], /, **changes: object) -> dict[str, object]:
    """What the form of a new tournament is sent with."""
    usual = {"name": "Evening cup", "variant": "crapaud", "format": "round-robin", "pairs": 1}
    return {**usual, "versions": [one.pk for one in versions], "bank": 60, "increment": 500, **changes}


def created(owner: User | None, versions: Iterable[Version], **wish: Any) -> Tournament:
    """A tournament of these versions that has not been started."""
    return create_tournament(wanted(versions, **wish), owner)


def draft(owner: User | None, versions: Iterable[Version], *, hours: float = 1, **wish: Any) -> Tournament:
    """A tournament that others may enter for so many hours, unless the wish names another end."""
    until = timezone.now() + timedelta(hours=hours)
    return created(owner, versions, **{"name": "Cup", "registration_until": until, **wish})


def running(owner: User | None, versions: Iterable[Version], *, pairs: int = 2, **wish: Any) -> Tournament:
    """A tournament of these versions that has been started; one of the house, owner None, is rated."""
    tournament = created(owner, versions, pairs_per_pairing=pairs, **wish)
    start_tournament(tournament)
    return tournament
