"""Live updates of games and tournaments, for everyone who watches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypedDict

from django.db import transaction

from arena.web.live.publisher import publisher

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from referee.messages import RecordEvent


class EventsNews(TypedDict):
    """Stored events of the attempt `token`."""

    type: Literal["game.events"]
    token: int
    events: list[RecordEvent]


class BegunNews(TypedDict):
    """The attempt `token` begins; earlier ones are void."""

    type: Literal["game.begun"]
    token: int


class AudienceNews(TypedDict):
    """How many pages look at a game through one serving process."""

    type: Literal["audience.counted"]
    process: str
    count: int


class ChangeNews(TypedDict):
    """Something has changed; whoever wants to know more reads it."""

    type: Literal["game.finished", "programme.changed", "tournament.changed"]


CHUNK = 200
"""Events in one message: about 50 kB."""

GAME_FINISHED: Final[ChangeNews] = {"type": "game.finished"}
PROGRAMME_CHANGED: Final[ChangeNews] = {"type": "programme.changed"}
TOURNAMENT_CHANGED: Final[ChangeNews] = {"type": "tournament.changed"}


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


def publish_events(game_id: UUID | str, token: int, events: Sequence[RecordEvent]) -> None:
    """Send stored events of the attempt with this token, in messages of limited size."""
    for start in range(0, len(events), CHUNK):
        part = list(events[start : start + CHUNK])
        news: EventsNews = {"type": "game.events", "token": token, "events": part}
        publisher().send(game_group(game_id), news)


def publish_begun(game_id: UUID | str, token: int) -> None:
    """Announce that an attempt begins, which makes earlier ones void."""
    news: BegunNews = {"type": "game.begun", "token": token}
    publisher().send(game_group(game_id), news)
    publisher().send(PROGRAMME_GROUP, PROGRAMME_CHANGED)


def publish_finished(game_id: UUID | str) -> None:
    """Announce that a game has its result."""
    publisher().send(game_group(game_id), GAME_FINISHED)
    publisher().send(PROGRAMME_GROUP, PROGRAMME_CHANGED)


def publish_audience(game_id: UUID | str, process: str, count: int) -> None:
    """Announce how many pages look at a game through one serving process."""
    news: AudienceNews = {"type": "audience.counted", "process": process, "count": count}
    publisher().send(audience_group(game_id), news)


def publish_changed(slug: str) -> None:
    """Announce that a tournament has changed."""
    publisher().send(tournament_group(slug), TOURNAMENT_CHANGED)


def changed_on_commit(slug: str) -> None:
    """Announce it once the transaction is committed."""
    transaction.on_commit(lambda: publish_changed(slug))
