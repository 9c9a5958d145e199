"""Live updates of people's games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.web.publisher import publisher

if TYPE_CHECKING:
    from uuid import UUID


def friendly_group(friendly: UUID | str) -> str:
    """The group of the pages that show a person's game."""
    return f"friendly.{friendly}"


def publish_friendly(friendly: UUID | str) -> None:
    """Announce that a person's game has changed. The page then asks for what it may know."""
    publisher().send(friendly_group(friendly), {"type": "friendly.changed"})
