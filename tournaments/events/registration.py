"""Registration: drafts that others may enter until they start, and copies of tournaments."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext

from analysis.errors import InvalidTournament, WrongStatus
from arena.web.audit_log import add_audit_entry
from arena.web.database import database_clock
from bots.models import Bot
from bots.port import port
from tournaments import live_updates as events
from tournaments.events.creation import (
    MOST_ENTRANTS,
    as_asked,
    assert_plays,
    create_tournament,
    enterable,
    new_join_key,
)
from tournaments.events.organiser_rights import organises
from tournaments.models import AuditEntry, Entry, Tournament
from tournaments.pairing.progress import cancel_tournament, start_tournament
from tournaments.ratings.leaderboards import board_of

if TYPE_CHECKING:
    from arena.accounts.models import User

MOST_EACH = 4
"""Versions that one user may enter in a tournament of another."""


def join(tournament: Tournament, version_id: int, user: User, key: str = "") -> Entry:
    """Enter a version of one's own while registration is open; raises WrongStatus or InvalidTournament.

    An invited event asks everyone but its organisers for its join `key`.
    """
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        _assert_open(locked)
        organiser = organises(locked, user)
        refused = "" if organiser else port().why_not_enter(locked.pk, user)
        if refused:
            raise InvalidTournament(refused)
        if locked.join_key and not organiser:
            _assert_key(locked.join_key, key)
        may = enterable(user, remote=tournament.admits_remote)
        version = may.filter(pk=version_id, bot__in=Bot.objects.of(user)).first()
        if version is None:
            raise InvalidTournament(
                gettext("Choose one of your own versions that has passed its check."), "version"
            )
        assert_plays(version, locked.variant, locked.players)
        if locked.entries.filter(version=version).exists():
            raise InvalidTournament(
                gettext("%(version)s is already entered.") % {"version": version}, "version"
            )
        if not organiser:
            _assert_room(locked, version.bot, user)
        if locked.entries.count() >= MOST_ENTRANTS:
            raise InvalidTournament(
                gettext("This tournament is full: it has %(most)s entrants.") % {"most": MOST_ENTRANTS}
            )
        last = locked.entries.aggregate(last=Max("number"))["last"] or 0
        entry = Entry.objects.create(tournament=locked, version=version, number=last + 1)
        events.changed_on_commit(locked.slug)
    return entry


def leave(entry: Entry, *, by: User | None = None) -> None:
    """Take a version out again while registration is open; raises WrongStatus. `by` is who does so."""
    with transaction.atomic():
        _assert_open(Tournament.objects.select_for_update().get(pk=entry.tournament_id))
        entry.delete()
        if by is not None and not entry.version.bot.is_owned_by(by):
            add_audit_entry(entry.tournament.audit_log, by, AuditEntry.What.TOOK_OUT, version=entry.version)
        events.changed_on_commit(entry.tournament.slug)


def start_due() -> int:
    """Start the drafts whose time has come, cancel those that cannot be held; how many.

    Another sweep, or the owner, may have been first with any of them.
    """
    now = database_clock.now()
    scheduled = Q(starts_at__lte=now) & (Q(registration_until=None) | Q(registration_until__lte=now))
    open_until = Q(starts_at=None, registration_until__lte=now)
    now_due = scheduled | open_until
    due = Tournament.objects.filter(now_due, status=Tournament.Status.DRAFT)
    for tournament in due:
        with contextlib.suppress(WrongStatus):
            try:
                start_tournament(tournament, now_due)
            except InvalidTournament as error:
                _cancel_due(tournament, now_due, f"This tournament could not start. {error}")
    return len(due)


@transaction.atomic
def _cancel_due(tournament: Tournament, due: Q, reason: str) -> None:
    """Cancel an event that cannot be held, unless its organiser has put it off meanwhile."""
    if Tournament.objects.select_for_update().filter(due, pk=tournament.pk).exists():
        cancel_tournament(tournament, reason)


def clone_tournament(tournament: Tournament, owner: User | None) -> Tournament:
    """A new draft with the same rules and entrants, as far as they may still be entered, on new deals."""
    wish = as_asked(tournament)
    known = enterable(owner, board_of(tournament), remote=wish.admits_remote).filter(pk__in=wish.versions)
    keys = set(known.values_list("pk", flat=True))
    return create_tournament(
        replace(
            wish,
            versions=tuple(key for key in wish.versions if key in keys),
            registration_until=None,
            starts_at=None,
            invited=False,
        ),
        owner,
    )


@transaction.atomic
def renew_key(tournament: Tournament, *, by: User | None = None) -> None:
    """Replace the join key of an invited draft, because it leaked; raises WrongStatus. `by` is who asks."""
    changed = Tournament.objects.filter(pk=tournament.pk, status=Tournament.Status.DRAFT).exclude(join_key="")
    if not changed.update(join_key=new_join_key()):
        raise WrongStatus(gettext("Only an invited event that has not started has a join key."))
    add_audit_entry(tournament.audit_log, by, AuditEntry.What.NEW_KEY)


def _assert_room(tournament: Tournament, bot: Bot, user: User) -> None:
    """Raise InvalidTournament if one of the bot's owners has enough versions there, also with others."""
    for owner in bot.team:
        if tournament.entries.filter(version__bot__in=Bot.objects.of(owner)).count() < MOST_EACH:
            continue
        words = (
            gettext("You already have %(most)s versions in this tournament, the most one author can enter.")
            if owner.pk == user.pk
            else gettext(
                "%(name)s, who owns this bot with you, already has %(most)s versions in this tournament, "
                "the most one author can enter."
            )
        )
        raise InvalidTournament(words % {"most": MOST_EACH, "name": owner.get_username()})


def _assert_key(expected: str, key: str) -> None:
    if not secrets.compare_digest(expected.encode(), key.strip().encode()):
        raise InvalidTournament(
            gettext("This is not the join key of this event. Ask its organiser for it."), "key"
        )


def _assert_open(tournament: Tournament) -> None:
    until = tournament.registration_until
    if tournament.status != Tournament.Status.DRAFT or until is None or until <= database_clock.now():
        raise WrongStatus(gettext("Registration for this tournament is closed."))
