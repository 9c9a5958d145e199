"""Events that only the members of a class may enter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext

from people.classes import ClassRefused
from people.classes.models import ClassEvent, Classroom, Membership
from tournaments import live_updates as events
from tournaments.models import Tournament

if TYPE_CHECKING:
    from arena.accounts.models import User


def why_not_enter(event: int, user: Any) -> str:
    """Why a visitor may not enter an event because of a class, in a sentence; empty if they may."""
    limited = ClassEvent.objects.filter(tournament=event).values_list("classroom", flat=True).first()
    if limited is None:
        return ""
    if user.is_authenticated and (
        Membership.objects.filter(classroom=limited, user=user.pk).exists()
        or Classroom.objects.filter(pk=limited, teacher=user.pk).exists()
    ):
        return ""
    return gettext("This event is for a class: only its members can enter.")


@transaction.atomic
def limit_event(classroom: Classroom, teacher: User, slug: str) -> Tournament:
    """Let only the class enter an event of its teacher that has not started. Raises ClassRefused.

    Bots that are in it already stay until an organiser takes them out.
    """
    # It may be deleted at this moment.
    if not Classroom.objects.select_for_update(of=("self",)).filter(pk=classroom.pk).exists():
        raise ClassRefused(gettext("This class no longer exists."), "event")
    drafts = Tournament.objects.select_for_update(of=("self",)).filter(
        owner=teacher, status=Tournament.Status.DRAFT
    )
    found = drafts.filter(slug=slug).first()
    if found is None:
        raise ClassRefused(gettext("Choose one of your own events that has not started."), "event")
    if ClassEvent.objects.filter(tournament=found).exists():
        raise ClassRefused(gettext("This event is already for a class."), "event")
    ClassEvent.objects.create(tournament=found, classroom=classroom)
    events.changed_on_commit(found.slug)
    return found


@transaction.atomic
def open_event(classroom: Classroom, slug: str) -> None:
    """Let everybody enter an event again. Raises ClassRefused."""
    found = ClassEvent.objects.filter(classroom=classroom, tournament__slug=slug).first()
    if found is None:
        raise ClassRefused(gettext("This event is not for this class."), "event")
    found.delete()
    events.changed_on_commit(slug)
