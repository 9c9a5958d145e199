"""Rows of leaderboards that nobody computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from tournaments.models import Rating

if TYPE_CHECKING:
    from bots.models import Version


def rating(version: Version, elo: float = 1500, board: str = "crapaud", **more: Any) -> Rating:
    """A rating of a version on a board; it is not provisional unless told otherwise."""
    values: dict[str, Any] = {
        "elo": elo,
        "error": 40,
        "pairs": 20,
        "games": 40,
        "computed_at": timezone.now(),
        **more,
    }
    return Rating.objects.create(version=version, variant=board, **values)
