"""How long games take here, and so how long a tournament will take."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Avg, F
from django.utils import timezone

from arena.common.capacity import games_at_once
from arena.common.kept import kept_for
from tournaments.models import Game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.formats.plans import Size

UNKNOWN_SECONDS = 3.0
"""What a game of bots nobody has seen is taken to last."""

RECENT = timedelta(days=7)


def seconds_a_game(variant: str, versions: Sequence[int] = ()) -> float:
    """The mean duration of recent games of these versions in a variant, else of all, else a guess."""
    games = Game.objects.filter(
        tournament__variant=variant,
        status=Game.Status.FINISHED,
        finished_at__gt=timezone.now() - RECENT,
        started_at__isnull=False,
    )
    for narrowed in (games.filter(seats__version__in=versions), games) if versions else (games,):
        mean: timedelta | None = narrowed.aggregate(mean=Avg(F("finished_at") - F("started_at")))["mean"]
        if mean is not None:
            return max(mean.total_seconds(), 0.05)
    return UNKNOWN_SECONDS


@kept_for(60)
def usual_seconds(variant: str) -> float:
    """The mean duration of recent games in a variant, at most a minute old: it reads a week's games."""
    return seconds_a_game(variant)


def estimated_seconds(
    size: Size, variant: str, versions: Sequence[int] = (), *, matches: bool = False
) -> float:
    """About how long a tournament of this size takes if nothing else is played; matches go pair by pair."""
    at_once = games_at_once()
    if matches:
        at_once = min(at_once, 2 * max(1, size.pairings // max(1, size.rounds)))
    return size.seconds(seconds_a_game(variant, versions), at_once)
