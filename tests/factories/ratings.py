"""Rows of leaderboards that nobody computed."""

from typing import Any

from django.utils import timezone

from bots.models import Version
from tournaments.models import Rating


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
