"""Notes what organisers do with an event, for the others."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.utils import timezone

from tournaments.models import Deed

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Version
    from tournaments.models import Tournament

KEPT: Final = 200
"""Deeds of an event that stay however old they are."""
KEPT_ALL: Final = timedelta(days=1)
"""How long every deed stays: the invitations of a day are counted."""


def note(
    tournament: Tournament,
    by: User | None,
    what: Deed.What,
    *,
    person: User | None = None,
    version: Version | None = None,
) -> None:
    """Note a deed, in the transaction in which it is done, and drop those of the event that are too many.

    What nobody did (`by` is None) is no deed.
    """
    if by is None:
        return
    Deed.objects.create(tournament=tournament, actor=by, what=what, person=person, version=version)
    deeds = Deed.objects.filter(tournament=tournament)
    surplus = deeds.values_list("pk", flat=True)[KEPT : KEPT + 1].first()
    if surplus is not None:
        deeds.filter(pk__lte=surplus, at__lt=timezone.now() - KEPT_ALL).delete()
