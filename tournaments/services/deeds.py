"""Notes what organisers do with an event, for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.services.deeds import drop_surplus
from tournaments.models import Deed

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Version
    from tournaments.models import Tournament


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
    drop_surplus(Deed.objects.filter(tournament=tournament))
