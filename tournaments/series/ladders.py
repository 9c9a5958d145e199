"""Closes seasons of ladders: the ranking at that moment is kept, and the ratings go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.admin.models import ADDITION, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from tournaments.models import Tournament
from tournaments.series.errors import SeriesRefused
from tournaments.series.ladder_seasons import ranking
from tournaments.series.models import LadderPlace, LadderSeason

if TYPE_CHECKING:
    from arena.accounts.models import User


@transaction.atomic
def close_ladder_season(ladder: Tournament, by: User, number: int) -> LadderSeason:
    """Keep the ranking of a ladder as it is now, as its season `number`. Ratings are not reset.

    Asking twice closes one season. Raises PermissionDenied for all but staff, or SeriesRefused.
    """
    if not (by.is_active and by.is_staff):
        raise PermissionDenied
    locked = Tournament.objects.select_for_update(of=("self",)).get(pk=ladder.pk)
    if locked.format != Tournament.Format.LADDER or locked.admits_remote:
        raise SeriesRefused(gettext("Only ladders have seasons of their own."))
    last = LadderSeason.objects.filter(ladder=locked).first()
    if number != (last.number if last else 0) + 1:
        raise SeriesRefused(gettext("This season is already closed."))
    ranked = ranking(locked)
    if not ranked:
        raise SeriesRefused(gettext("Nobody is ranked on this ladder yet, so there is nothing to keep."))
    opened = last.closed_at if last else locked.started_at or locked.created_at
    season = LadderSeason.objects.create(
        ladder=locked, number=number, opened_at=opened, closed_at=timezone.now(), closed_by=by
    )
    LadderPlace.objects.bulk_create(
        LadderPlace(
            season=season,
            version_id=one.version_id,
            place=place,
            elo=one.elo,
            error=one.error,
            low=one.low,
            high=one.high,
            games=one.games,
        )
        for place, one in enumerate(ranked, start=1)
    )
    LogEntry.objects.log_actions(by.pk, [season], ADDITION, "Closed the season", single_object=True)
    return season
