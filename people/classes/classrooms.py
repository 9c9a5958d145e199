"""Makes and changes classes for their teachers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.translation import gettext

from arena.accounts.confirmation import assert_confirmed
from arena.web import names
from bots.locks import lock_owner
from people.classes.errors import ClassRefused
from people.classes.models import LONGEST_NAME, Classroom
from tournaments.events.creation import new_join_key
from tournaments.models import Tournament

if TYPE_CHECKING:
    from arena.accounts.models import User

MOST_TAUGHT: Final = 5
"""Classes of one teacher."""


def clean_name(name: str) -> str:
    """The tidied name of a class. Raises ClassRefused."""
    tidy = " ".join(name.split())
    if not 3 <= len(tidy) <= LONGEST_NAME:
        raise ClassRefused(
            gettext("The name of a class has 3 to %(most)s characters.") % {"most": LONGEST_NAME}, "name"
        )
    flaw = names.hidden_flaw(tidy)
    if flaw:
        raise ClassRefused(flaw, "name")
    return tidy


@transaction.atomic
def create(teacher: User, name: str) -> Classroom:
    """Make a class that takes members. Raises AddressNotConfirmed or ClassRefused."""
    assert_confirmed(teacher)
    lock_owner(teacher)
    tidy = clean_name(name)
    if Classroom.objects.filter(teacher=teacher).count() >= MOST_TAUGHT:
        raise ClassRefused(
            gettext("You already teach %(most)s classes, the most one account can. Delete one first.")
            % {"most": MOST_TAUGHT}
        )
    return Classroom.objects.create(teacher=teacher, name=tidy, join_key=new_join_key())


def rename(classroom: Classroom, name: str) -> None:
    """Give a class another name. Raises ClassRefused."""
    if not Classroom.objects.filter(pk=classroom.pk, name_held=False).update(name=clean_name(name)):
        raise ClassRefused(gettext("Moderators chose this name. You cannot change it now."), "name")


def renew_key(classroom: Classroom) -> None:
    """Replace the join key, because it leaked. Members stay."""
    Classroom.objects.filter(pk=classroom.pk).update(join_key=new_join_key())


def take_members(classroom: Classroom, *, takes: bool) -> None:
    """Switch the join key on or off."""
    Classroom.objects.filter(pk=classroom.pk).update(takes_members=takes)


@transaction.atomic
def delete(classroom: Classroom) -> None:
    """Delete a class; its members keep their bots. Raises ClassRefused while an event waits for them alone,
    which would let everybody in."""
    # Whoever joins at this moment, or limits an event, locks the row: they come before, or find no class.
    locked = Classroom.objects.select_for_update(of=("self",)).get(pk=classroom.pk)
    if Tournament.objects.filter(class_event__classroom=locked, status=Tournament.Status.DRAFT).exists():
        raise ClassRefused(gettext("First open the events of this class to everyone, or cancel them."))
    locked.delete()
