"""Changes of an event before it starts: its texts, its times and how much is played."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from analysis.errors import InvalidTournament, WrongStatus
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.audit_log import add_audit_entry
from arena.web.i18n.phrases import fill
from arena.web.variants import lazy_event_title
from bots.port import port
from tournaments import live_updates as events
from tournaments.events.creation import as_asked, check_changes
from tournaments.events.news import owners_of_bots
from tournaments.events.organiser_rights import may_manage, organiser_keys
from tournaments.models import AuditEntry, Tournament
from tournaments.ratings.rated_pool import why_unrated
from tournaments.ratings.ratings import make_unrated

if TYPE_CHECKING:
    from datetime import datetime

    from arena.accounts.models import User

TEXTS: Final = ("name", "description")
TIMES: Final = ("registration_until", "starts_at")


@dataclass(frozen=True, slots=True)
class EventDetails:
    """What of an event can be changed until it starts, by the names of its columns."""

    name: str
    description: str
    registration_until: datetime | None
    starts_at: datetime | None
    rounds: int
    pairs_per_pairing: int
    bank_ms: int
    increment_ms: int

    @classmethod
    def of(cls, tournament: Tournament) -> EventDetails:
        """What they are now."""
        return cls(**{field.name: getattr(tournament, field.name) for field in fields(cls)})

    def differs(self, tournament: Tournament) -> list[str]:
        """The columns in which an event is not so yet."""
        return [
            field.name
            for field in fields(self)
            if getattr(self, field.name) != getattr(tournament, field.name)
        ]


@transaction.atomic
def edit_event(tournament: Tournament, details: EventDetails, *, by: User) -> list[str]:
    """Change an event that has not started; which columns changed. Its address stays.

    Its other organisers find it in their log, and the owners of bots in it are told of changed times. Raises
    PermissionDenied, WrongStatus, or InvalidTournament with one sentence; then nothing has changed.
    """
    locked = Tournament.objects.select_for_update(of=("self",)).get(pk=tournament.pk)
    if not may_manage(locked, by):
        raise PermissionDenied
    if locked.status != Tournament.Status.DRAFT:
        raise WrongStatus(gettext("The event has started, so it can no longer be edited."))
    before = as_asked(locked)
    wish = replace(before, **{field.name: getattr(details, field.name) for field in fields(details)})
    details = replace(details, name=check_changes(wish, locked), description=details.description.strip())
    changed = details.differs(locked)
    if locked.match_rule is not None and "pairs_per_pairing" in changed:
        raise InvalidTournament(
            gettext("How many pairs a match takes follows from its length."), "pairs_per_pairing"
        )
    _assert_undecided(locked, changed)
    if not changed:
        return []
    values: dict[str, Any] = {name: getattr(details, name) for name in changed}
    log = {name: [_told(name, getattr(locked, name)), _told(name, value)] for name, value in values.items()}
    Tournament.objects.filter(pk=locked.pk).update(**values)
    locked.refresh_from_db()
    if locked.rated:
        because = why_unrated(locked.owner, locked.format, (locked.bank_ms, locked.increment_ms))
        if because:
            make_unrated(locked, because)
    add_audit_entry(locked.audit_log, by, AuditEntry.What.EDITED, changes=log)
    if set(TIMES) & set(changed):
        _tell_of_times(locked)
    events.changed_on_commit(locked.slug)
    tournament.refresh_from_db()
    return changed


def _assert_undecided(tournament: Tournament, changed: list[str]) -> None:
    """Raise InvalidTournament for a text that moderators decided about."""
    for name in sorted(port().decided_event_texts(tournament.pk) & set(changed)):
        raise InvalidTournament(
            gettext("Moderators made a decision about this text. It stays until they lift the decision."),
            name,
        )


def _told(name: str, value: object) -> object:
    """A value as the log keeps it: texts are not kept, as moderators may hide one."""
    if name in TEXTS:
        return ""
    return value.isoformat() if name in TIMES and value is not None else value  # type: ignore[attr-defined]


def _tell_of_times(tournament: Tournament) -> None:
    """Tell the owners of bots in an event, except its organisers, that it starts at another time."""
    tell(
        owners_of_bots(tournament) - organiser_keys(tournament),
        Kind.STARTED,
        f"times {tournament.pk} {timezone.now().isoformat()}",
        fill(gettext_lazy("The times of %(event)s have changed."), event=lazy_event_title(tournament.name)),
        tournament.get_absolute_url(),
    )
