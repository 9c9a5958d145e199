"""Live news of people's games (see `tournaments.events` for how news travels)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.events import publisher

if TYPE_CHECKING:
    from uuid import UUID


def friendly_group(friendly: UUID | str) -> str:
    """The group of the pages that show a person's game."""
    return f"friendly.{friendly}"


def publish_friendly(friendly: UUID | str) -> None:
    """Say that a person's game has changed; the page asks what it may know of that."""
    publisher().send(friendly_group(friendly), {"type": "friendly.changed"})
