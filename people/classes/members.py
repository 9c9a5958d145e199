"""Students join a class with its key, leave it, or are removed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.i18n.phrases import fill
from arena.web.paths import path
from bots.locks import lock_owner
from people.classes import ClassRefused
from people.classes.models import Classroom, KeyTry, Membership
from tournaments import live_updates as events
from tournaments.events.creation import new_join_key
from tournaments.models import Tournament

if TYPE_CHECKING:
    from arena.accounts.models import User


MOST_MEMBERS: Final = 100
"""Students in a class."""
MOST_JOINED: Final = 10
"""Classes that one account is in."""
MOST_TRIES: Final = 10
"""Keys that one account tries in vain in an hour."""
HOUR: Final = timedelta(hours=1)


def join(user: User, key: str) -> Classroom:
    """Join the class that has this key; nothing happens to who is in it already. Raises ClassRefused.

    A key that opens nothing, that was switched off, or whose teacher is suspended gets the same answer.
    """
    with transaction.atomic():
        lock_owner(user)
        _assert_below_tries(user)
        classrooms = Classroom.objects.select_for_update(of=("self",)).select_related("teacher")
        found = classrooms.filter(join_key=key.strip()[:100], takes_members=True).first()
        if found is not None and found.teacher.is_active:
            _add(found, user)
            return found
        KeyTry.objects.create(user=user)
    raise ClassRefused(gettext("No class has this join key. Ask your teacher for the current one."), "key")


def leave(classroom: Classroom, user: User) -> None:
    """Leave a class. Raises ClassRefused."""
    if not Membership.objects.filter(classroom=classroom, user=user).delete()[0]:
        raise ClassRefused(gettext("You are not in this class."))


@transaction.atomic
def remove(classroom: Classroom, person: User) -> None:
    """Remove a student, who is told, and who comes back with the key unless it is replaced.

    Raises ClassRefused.
    """
    found = Membership.objects.filter(classroom=classroom, user=person).first()
    if found is None or not Membership.objects.filter(pk=found.pk).delete()[0]:
        raise ClassRefused(gettext("%(name)s is not in this class.") % {"name": person})
    text = fill(
        gettext_lazy("%(name)s removed you from the class %(title)s."),
        name=classroom.teacher.get_username(),
        title=classroom.name,
    )
    tell([person.pk], Kind.TOGETHER, f"class {classroom.pk} removed {found.pk}", text, path("classes:list"))


def _add(classroom: Classroom, user: User) -> None:
    """Add a student to a class whose row is locked. Raises ClassRefused."""
    if classroom.teacher_id == user.pk:
        raise ClassRefused(gettext("You teach this class."), "key")
    if Membership.objects.filter(classroom=classroom, user=user).exists():
        return
    if classroom.memberships.count() >= MOST_MEMBERS:
        raise ClassRefused(
            gettext("This class is full: it has %(most)s students.") % {"most": MOST_MEMBERS}, "key"
        )
    if Membership.objects.filter(user=user).count() >= MOST_JOINED:
        raise ClassRefused(
            gettext("You are already in %(most)s classes, the most one account can be. Leave one first.")
            % {"most": MOST_JOINED},
            "key",
        )
    Membership.objects.create(classroom=classroom, user=user)


def _assert_below_tries(user: User) -> None:
    tries = KeyTry.objects.filter(user=user)
    tries.filter(at__lte=timezone.now() - HOUR).delete()
    if tries.count() >= MOST_TRIES:
        raise ClassRefused(
            gettext("You tried too many keys. Ask your teacher, and try again in an hour."), "key"
        )


def close_events_of(owner: User) -> None:
    """Give events that have not started, and that only the teacher's classes could enter, a join key.

    Without their class everybody could enter them. Organisers who take such an event over find the key
    on its page, and may take it away.
    """
    drafts = Tournament.objects.select_for_update(of=("self",)).filter(
        class_event__classroom__teacher=owner, status=Tournament.Status.DRAFT, join_key=""
    )
    for draft in drafts:
        Tournament.objects.filter(pk=draft.pk).update(join_key=new_join_key())
        events.changed_on_commit(draft.slug)
