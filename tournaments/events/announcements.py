"""Announcements of an event: its organiser tells everyone something on its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext

from analysis.errors import InvalidTournament
from arena.web.audit_log import add_audit_entry
from tournaments import live_updates as events
from tournaments.models import Announcement, AuditEntry, Tournament

if TYPE_CHECKING:
    from arena.accounts.models import User

LONGEST = 1000
MOST = 20
"""Announcements of one event."""


def announce(tournament: Tournament, author: User, text: str) -> Announcement:
    """Post an announcement; raises InvalidTournament with one sentence."""
    tidy = text.strip()
    if not 3 <= len(tidy) <= LONGEST:
        raise InvalidTournament(
            gettext("An announcement has 3 to %(most)s characters.") % {"most": LONGEST}, "text"
        )
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if locked.announcements.count() >= MOST:
            raise InvalidTournament(
                gettext("An event has at most %(most)s announcements. Remove one first.") % {"most": MOST},
                "text",
            )
        made = Announcement.objects.create(tournament=locked, author=author, text=tidy)
        add_audit_entry(locked.audit_log, author, AuditEntry.What.ANNOUNCED)
        events.changed_on_commit(locked.slug)
    return made


def withdraw(announcement: Announcement, *, by: User | None = None) -> None:
    """Take an announcement back. `by` is who does so."""
    with transaction.atomic():
        tournament = announcement.tournament
        announcement.delete()
        add_audit_entry(tournament.audit_log, by, AuditEntry.What.TOOK_BACK)
        events.changed_on_commit(tournament.slug)
