"""Several organisers of an event: invitations, answers, and how somebody stops.

The owner founded the event. Whoever they invite, and who accepts, may do what they may, and invite others;
but nobody removes the owner. Each function locks the accounts first and then the event, so that limits
hold in races and nobody joins an event whose owner leaves at that moment.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from analysis.errors import InvalidTournament, WrongStatus
from arena.accounts.confirmation import assert_confirmed
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.audit_log import add_audit_entry, doer_name
from arena.web.database import database_clock
from arena.web.i18n.phrases import fill
from arena.web.paths import path
from arena.web.variants import lazy_event_title
from bots.locks import lock_owner
from bots.teams.invitations import account_named, nobody_named, why_not_again, why_not_today
from tournaments import live_updates as events
from tournaments.events.organiser_rights import may_manage, organiser_keys
from tournaments.models import AuditEntry, Organiser, Tournament
from tournaments.pairing.progress import cancel_tournament, resume_tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User

NOBODY_STARTS_IT: Final = "Its organiser deleted the account."
MOST: Final = 10
"""People who organise an event beside its owner, or are asked to."""
Status = Organiser.Status


@transaction.atomic
def invite(tournament: Tournament, by: User, name: str) -> Organiser:
    """Ask somebody, by user name, to organise an event as well; they are told.

    Raises AddressNotConfirmed, InvalidTournament, PermissionDenied or WrongStatus.
    """
    assert_confirmed(by)
    lock_owner(by)
    locked = _managed(tournament, by)
    person = _person(name)
    _assert_may_organise(locked, person)
    before = Organiser.objects.filter(tournament=locked, user=person).first()
    if before is not None:
        organises = gettext("%(name)s already organises this event.")
        raise InvalidTournament(why_not_again(before.status, before.user, organises), "user")
    _assert_room(locked, person)
    if why := why_not_today(AuditEntry.objects.filter(what=AuditEntry.What.INVITED), by):
        raise InvalidTournament(why, "user")
    made = Organiser.objects.create(tournament=locked, user=person, invited_by=by)
    add_audit_entry(locked.audit_log, by, AuditEntry.What.INVITED, person=person)
    asks = gettext_lazy("%(name)s asks you to organise %(event)s with them.")
    _tell(locked, person, _asking(locked, person), asks, name=doer_name(by, organiser_keys(locked)))
    return made


def accept(tournament: Tournament, user: User) -> None:
    """Organise an event one was invited to. Raises AddressNotConfirmed, InvalidTournament or WrongStatus."""
    assert_confirmed(user)
    with transaction.atomic():
        lock_owner(user)
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        _assert_may_organise(locked, user)
        row = _answer(locked, user, Status.ACCEPTED, (Status.INVITED, Status.DECLINED))
        # Who declined held no place: others may have been asked since.
        _assert_room(locked, user)
        add_audit_entry(locked.audit_log, user, AuditEntry.What.JOINED)
        joins = gettext_lazy("%(name)s now organises %(event)s with you.")
        _tell(locked, row.invited_by, f"organiser {row.pk} accepted", joins, name=user.get_username())
        events.changed_on_commit(locked.slug)


def decline(tournament: Tournament, user: User) -> None:
    """Say no to an invitation. Raises WrongStatus."""
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        row = _answer(locked, user, Status.DECLINED, (Status.INVITED,))
        add_audit_entry(locked.audit_log, user, AuditEntry.What.DECLINED)
        declines = gettext_lazy("%(name)s declined to organise %(event)s with you.")
        _tell(locked, row.invited_by, f"organiser {row.pk} declined", declines, name=user.get_username())


def leave(tournament: Tournament, user: User) -> None:
    """Stop organising an event one did not found. Raises WrongStatus."""
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
        if locked.owner_id == user.pk:
            raise WrongStatus(gettext("You founded this event, so you cannot leave it."))
        if not _rows(locked, user, Status.ACCEPTED).delete()[0]:
            raise WrongStatus(gettext("You do not organise this event."))
        add_audit_entry(locked.audit_log, user, AuditEntry.What.LEFT)
        events.changed_on_commit(locked.slug)


def remove(tournament: Tournament, by: User, person: User) -> None:
    """Take an invitation back, or have somebody organise an event no longer; they are told the latter.

    Raises PermissionDenied or WrongStatus. Who declined can no longer change their mind; they stay in the
    list, and so are not asked again.
    """
    with transaction.atomic():
        locked = _managed(tournament, by)
        if locked.owner_id == person.pk:
            raise WrongStatus(
                gettext("%(name)s founded this event. Nobody can remove them.") % {"name": person}
            )
        taken_back = _rows(locked, person, Status.INVITED).delete()[0]
        if taken_back or _rows(locked, person, Status.DECLINED).update(status=Status.CLOSED):
            add_audit_entry(locked.audit_log, by, AuditEntry.What.UNINVITED, person=person)
        elif _rows(locked, person, Status.ACCEPTED).delete()[0]:
            add_audit_entry(locked.audit_log, by, AuditEntry.What.REMOVED, person=person)
            removed = gettext_lazy("%(name)s removed you as an organiser of %(event)s.")
            key = f"organiser {locked.pk} removed {database_clock.now().isoformat()}"
            name = doer_name(by, organiser_keys(locked))
            _tell(locked, person, key, removed, name=name, url=locked.get_absolute_url())
        else:
            raise WrongStatus(gettext("%(name)s does not organise this event.") % {"name": person})
        events.changed_on_commit(locked.slug)


def hand_over(owner: User) -> None:
    """Give the events of an account that is being deleted to those who organise each with it for longest.

    Call it in the transaction that deletes the account. Events that nobody else organises, or only
    suspended accounts, stay without an owner: a paused one goes on, and a draft that would never start by
    itself is cancelled.
    """
    for tournament in Tournament.objects.select_for_update().filter(owner=owner):
        heir = _who_goes_on(tournament).select_related("user").first()
        if heir is None:
            if tournament.status == Tournament.Status.PAUSED:
                resume_tournament(tournament)
            dated = tournament.registration_until or tournament.starts_at
            if tournament.status == Tournament.Status.DRAFT and not dated:
                cancel_tournament(tournament, NOBODY_STARTS_IT)
            continue
        Tournament.objects.filter(pk=tournament.pk).update(owner=heir.user)
        heir.delete()
        add_audit_entry(tournament.audit_log, heir.user, AuditEntry.What.INHERITED)
        says = gettext_lazy("%(event)s is yours now: its founder deleted their account.")
        _tell(tournament, heir.user, f"organiser {tournament.pk} inherited", says)
        events.changed_on_commit(tournament.slug)


def _who_goes_on(tournament: Tournament) -> QuerySet[Organiser]:
    """Who can organise an event without its owner."""
    rows = Organiser.objects.filter(tournament=tournament, status=Status.ACCEPTED, user__is_active=True)
    return rows.filter(user__is_staff=True) if tournament.rated else rows


def resume_without(owner: User) -> None:
    """Have the paused events of an account that was suspended go on, where nobody else can resume them."""
    for tournament in Tournament.objects.filter(owner=owner, status=Tournament.Status.PAUSED):
        if not _who_goes_on(tournament).exists():
            with contextlib.suppress(WrongStatus):  # staff were faster
                resume_tournament(tournament)


def _managed(tournament: Tournament, by: User) -> Tournament:
    """The event, locked; PermissionDenied if the account may not manage it (any more)."""
    locked = Tournament.objects.select_for_update(of=("self",)).get(pk=tournament.pk)
    if not may_manage(locked, by):
        raise PermissionDenied
    return locked


def _person(name: str) -> User:
    found = account_named(name)
    if found is None:
        raise InvalidTournament(nobody_named(name), "user")
    return found


def _assert_may_organise(tournament: Tournament, person: User) -> None:
    """Raise WrongStatus or InvalidTournament where an event takes no (such) organiser.

    Whoever organises an event chooses its opponents and when it stops: so what is rated stays with staff.
    """
    if tournament.owner_id is None:
        raise WrongStatus(gettext("The house organises this event."))
    if tournament.is_over:
        raise WrongStatus(gettext("This event is over."))
    if tournament.owner_id == person.pk:
        raise InvalidTournament(gettext("%(name)s founded this event.") % {"name": person}, "user")
    if tournament.rated and not person.is_staff:
        raise InvalidTournament(gettext("This event is rated, so only staff can organise it."), "user")


def _assert_room(tournament: Tournament, person: User) -> None:
    """Raise InvalidTournament if others take all the places of an event, which the caller has locked."""
    places = Organiser.objects.filter(tournament=tournament, status__in=(Status.INVITED, Status.ACCEPTED))
    if places.exclude(user=person).count() >= MOST:
        raise InvalidTournament(
            gettext("An event has at most %(most)s organisers besides its founder.") % {"most": MOST}, "user"
        )


def _rows(tournament: Tournament, user: User, *statuses: str) -> QuerySet[Organiser]:
    return Organiser.objects.filter(tournament=tournament, user=user, status__in=statuses)


def _answer(tournament: Tournament, user: User, status: Status, before: tuple[Status, ...]) -> Organiser:
    """Give an invitation its answer, by conditional update; WrongStatus if there is none."""
    if not _rows(tournament, user, *before).update(status=status, answered_at=database_clock.now()):
        raise WrongStatus(gettext("You have no invitation to organise this event, or it was taken back."))
    return Organiser.objects.select_related("invited_by").get(tournament=tournament, user=user)


def _asking(tournament: Tournament, person: User) -> str:
    """The key under which somebody is told that they are asked: once, and again after they organised it."""
    joined = AuditEntry.objects.filter(
        tournament=tournament, actor=person, what=AuditEntry.What.JOINED
    ).first()
    return f"organise {tournament.pk}" + (f" after {joined.pk}" if joined else "")


def _tell(
    tournament: Tournament,
    person: User | None,
    key: str,
    sentence: StrOrPromise,
    *,
    name: StrOrPromise = "",
    url: str = "",
) -> None:
    tell(
        [person.pk if person else None],
        Kind.TOGETHER,
        key,
        fill(
            sentence,
            name=name,
            event=lazy_event_title(tournament.name),
        ),
        url or path("tournaments:organisers", tournament.slug),
    )
