"""Live updates of games and tournaments, for everyone who watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from arena.common.publisher import publisher

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

CHUNK = 200
"""Events in one message: about 50 kB."""


def game_group(game_id: UUID | str) -> str:
    """Return the group of everyone who watches a game."""
    return f"game.{game_id}"


def tournament_group(slug: str) -> str:
    """Return the group of everyone who looks at a tournament."""
    return f"tournament.{slug}"


PROGRAMME_GROUP = "programme"
"""Everyone who waits for a game to watch."""


def audience_group(game_id: UUID | str) -> str:
    """Return the group of everyone who looks at a game, being played or over."""
    return f"audience.{game_id}"


def publish_events(game_id: UUID | str, token: int, events: Sequence[dict[str, Any]]) -> None:
    """Send stored events of the attempt with this token, in messages of limited size."""
    for start in range(0, len(events), CHUNK):
        part = list(events[start : start + CHUNK])
        publisher().send(game_group(game_id), {"type": "game.events", "token": token, "events": part})


def publish_begun(game_id: UUID | str, token: int) -> None:
    """Announce that an attempt begins, which makes earlier ones void."""
    publisher().send(game_group(game_id), {"type": "game.begun", "token": token})
    publisher().send(PROGRAMME_GROUP, {"type": "programme.changed"})


def publish_finished(game_id: UUID | str) -> None:
    """Announce that a game has its result."""
    publisher().send(game_group(game_id), {"type": "game.finished"})
    publisher().send(PROGRAMME_GROUP, {"type": "programme.changed"})


def publish_audience(game_id: UUID | str, process: str, count: int) -> None:
    """Announce how many pages look at a game through one serving process."""
    message = {"type": "audience.counted", "process": process, "count": count}
    publisher().send(audience_group(game_id), message)


def publish_changed(slug: str) -> None:
    """Announce that a tournament has changed."""
    publisher().send(tournament_group(slug), {"type": "tournament.changed"})


def changed_on_commit(slug: str) -> None:
    """Announce it once the transaction is committed."""
    transaction.on_commit(lambda: publish_changed(slug))
