"""Locks what moderators decide about, so that nothing waits in a circle.

Deleting an account locks it, and then what is its own. A decision refers to accounts: to the moderator, the
owners and whoever reported the thing. So all of these are locked first, in the order in which everything
locks several accounts, and the thing after them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bots.locks import lock_people
from bots.models import CoOwner
from people.moderation.errors import ModerationRefused
from people.moderation.models import AbuseReport, Subject
from people.moderation.subjects import find_thing

if TYPE_CHECKING:
    from django.db.models import Model

    from arena.accounts.models import User
    from people.moderation.models import Act


def lock_thing(staff: User, model: type[Model], subject: str, key: int) -> None:
    """Lock all whom a decision about a thing concerns, and then the thing.

    So decisions about it, and changes by its owner, come one after the other. Raises ModerationRefused if it
    changed hands, or the moderator's account was deleted, at this moment.
    """
    people = {staff.pk, *_owners(subject, key)}
    there = lock_people(*people, *_reporters(subject, key), no_key=subject != Subject.ACCOUNT)
    model._default_manager.select_for_update(of=("self",)).filter(pk=key).first()
    if not {staff.pk, *_owners(subject, key)} <= there.keys():
        raise ModerationRefused("Its owner has just changed. Try again.")


def lock_for_ban(staff: User, user: int, about: tuple[str, int] | None) -> None:
    """Lock an account, the moderator, who owns bots with it, and who reported it or `about`.

    What only refers to them does not wait: whoever holds an event, which the bots leave, may tell its people.
    Raises ModerationRefused if the account is gone.
    """
    shared = CoOwner.objects.filter(bot__owner=user, status=CoOwner.Status.ACCEPTED)
    reporters = [*_reporters(Subject.ACCOUNT, user), *(_reporters(*about) if about else ())]
    there = lock_people(staff.pk, user, *shared.values_list("user", flat=True), *reporters)
    if not {staff.pk, user} <= there.keys():
        raise ModerationRefused("It is no longer there.")


def lock_person(staff: User | None, act: Act) -> None:
    """Lock whom a decision concerns, and the moderator who ends it, if any, before the decision itself."""
    lock_people(act.person_id, staff.pk if staff else None, no_key=act.subject != Subject.ACCOUNT)


def _owners(subject: str, key: int) -> set[int]:
    thing = find_thing(subject, key)
    if thing is None:
        return set()
    return set(thing.others) | ({thing.owner.pk} if thing.owner else set())


def _reporters(subject: str, key: int) -> list[int]:
    found = AbuseReport.objects.filter(subject=subject, key=key, status=AbuseReport.Status.OPEN)
    return [one for one in found.values_list("reporter", flat=True) if one is not None]
