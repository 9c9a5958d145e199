"""Reveals hidden results: all at once, place by place from the bottom of the table, or when it is time."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext

from analysis.errors import WrongStatus
from arena.web.audit_log import note_deed
from tournaments import live_updates as events
from tournaments.models import Deed, HiddenResults, Tournament
from tournaments.pairing.embargo import hide_left_over, mend_revealed, show_all
from tournaments.pairing.finish import finish

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.accounts.models import User

log = logging.getLogger(__name__)

LONGEST: Final = timedelta(days=30)
"""How long results stay hidden after the last game if nobody reveals them."""
MENDED_FOR: Final = timedelta(hours=1)


def reveal(tournament: Tournament, *, by: User | None = None) -> None:
    """Show everything; if all games are played, the event is over now. Raises WrongStatus.

    `by` is the organiser who asks; nobody does when it is time.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        hiding = _hiding(locked).first()
        if hiding is None or not show_all(locked):
            raise WrongStatus(gettext("This event hides no results."))
        note_deed(locked.deeds, by, Deed.What.REVEALED)
        if hiding.played_at is not None:
            finish(locked)


def reveal_next(tournament: Tournament, after: int, *, by: User | None = None) -> None:
    """Reveal the next place from the bottom if `after` places are revealed; the last one reveals everything.

    Who presses twice reveals one place. Raises WrongStatus while games are still to be played.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        hiding = _hiding(locked).first()
        if hiding is None:
            raise WrongStatus(gettext("This event hides no results."))
        if hiding.played_at is None:
            raise WrongStatus(gettext("Places can be revealed one by one once all games are played."))
        if hiding.places != after:
            return
        if after + 1 >= locked.entries.count():
            reveal(locked, by=by)
            return
        _hiding(locked).update(places=F("places") + 1)
        events.changed_on_commit(locked.slug)


def reveal_due() -> None:
    """Reveal what is to be revealed by now; hide, and show, what slipped through in such a moment."""
    hide_left_over()
    now = timezone.now()
    due = Q(reveal_at__lte=now) | Q(played_at__lte=now - LONGEST)
    for one in HiddenResults.objects.filter(due, revealed_at=None).select_related("tournament"):
        try:
            reveal(one.tournament)
        except WrongStatus:
            continue  # the organiser was first
        except OperationalError as error:
            log.warning("%s could not be revealed now: %s", one.tournament, error)
    lately = HiddenResults.objects.filter(revealed_at__gt=now - MENDED_FOR).select_related("tournament")
    for one in lately:
        try:
            mend_revealed(one.tournament)
        except OperationalError as error:
            log.warning("%s could not be revealed as a whole now: %s", one.tournament, error)


def _hiding(tournament: Tournament) -> QuerySet[HiddenResults]:
    return HiddenResults.objects.filter(tournament=tournament, revealed_at=None)
