"""Who organises an event, and so who may manage it: the one place that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.web.cache.values import shared_rows
from tournaments.models import Organiser

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.models import Tournament


def organises(tournament: Tournament, user: Any) -> bool:
    """Whether this is the owner of an event, or somebody who accepted to organise it."""
    if not user.is_authenticated:
        return False
    if tournament.owner_id == user.pk:
        return True
    return invitation(tournament, user, Organiser.Status.ACCEPTED) is not None


def may_manage(tournament: Tournament, user: Any) -> bool:
    """Whether this is an organiser or staff."""
    return bool(user.is_authenticated and user.is_staff) or organises(tournament, user)


def invitation(tournament: Tournament, user: Any, *statuses: str) -> Organiser | None:
    """What an event asked of a user and what they said, None if it is none of these (or did not ask)."""
    if not user.is_authenticated:
        return None
    return Organiser.objects.filter(tournament=tournament, user=user.pk, status__in=statuses).first()


def takes_organisers(tournament: Tournament) -> bool:
    """Whether an event can get organisers: somebody founded it, and it is not over."""
    return tournament.owner_id is not None and not tournament.is_over


def organiser_keys(tournament: Tournament) -> set[int | None]:
    """The keys of the accounts that organise an event."""
    others = Organiser.objects.filter(tournament=tournament, status=Organiser.Status.ACCEPTED)
    return {tournament.owner_id, *others.values_list("user", flat=True)}


@shared_rows
def co_organisers(tournament: int) -> list[User]:
    """Return those who organise an event beside its owner, the longest-serving first."""
    rows = Organiser.objects.filter(tournament=tournament, status=Organiser.Status.ACCEPTED)
    return [row.user for row in rows.select_related("user")]


def invited_organisers(tournament: Tournament) -> list[Organiser]:
    """Who was asked to organise an event and has not said yes."""
    rows = Organiser.objects.filter(tournament=tournament).exclude(status=Organiser.Status.ACCEPTED)
    return list(rows.select_related("user", "invited_by").order_by("invited_at", "pk"))
