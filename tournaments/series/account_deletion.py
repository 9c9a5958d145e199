"""What happens to series when an account is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q

from tournaments.series.models import EventSeries, Season, SeasonEvent

if TYPE_CHECKING:
    from arena.accounts.models import User


def lock_series_of(owner: User) -> None:
    """Lock the owner's series, and those with events of theirs, before their bots and events.

    Whoever closes a season has locked the series, locks the events next, and refers to bots.
    """
    events = SeasonEvent.objects.filter(season__series=OuterRef("pk"), tournament__owner=owner)
    rows = EventSeries.objects.select_for_update(of=("self",)).filter(Q(owner=owner) | Exists(events))
    list(rows.order_by("pk").values_list("pk"))


def leave_series(owner: User) -> None:
    """Delete series that never held an event, and the description of the others.

    The decisions of moderators go with the account, so staff can change the texts of what is left.
    """
    held = Season.objects.filter(series=OuterRef("pk")).filter(
        Q(events__isnull=False) | Q(closed_at__isnull=False)
    )
    EventSeries.objects.filter(~Exists(held), owner=owner).delete()
    EventSeries.objects.filter(owner=owner).update(description="", description_held=False, name_held=False)
