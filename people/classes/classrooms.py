"""Classes: who may see which, what their pages read, how teachers change and students join them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Count, Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.accounts.confirmation import assert_confirmed
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web import names
from arena.web.i18n.phrases import fill
from arena.web.paths import path
from bots.locks import lock_owner
from bots.models import Bot, CoOwner, Version, prefetch_co_owners
from people.classes import ClassRefused
from people.classes.models import LONGEST_NAME, Classroom, KeyTry, Membership
from tournaments import live_updates as events
from tournaments.events.creation import new_join_key
from tournaments.models import Rating, Tournament

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from arena.accounts.models import User

MOST_MEMBERS: Final = 100
"""Students in a class."""
MOST_JOINED: Final = 10
"""Classes that one account is in."""
MOST_TRIES: Final = 10
"""Keys that one account tries in vain in an hour."""
HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class MemberBot:
    """A bot of a member, with its newest version, None if there is none."""

    bot: Bot
    newest: Version | None


@dataclass(frozen=True, slots=True)
class MemberLine:
    """Somebody in a class, with the bots that are in play."""

    user: User
    is_teacher: bool
    bots: list[MemberBot]


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A place on the board of a class; `place` is None while the rating compares with nobody's."""

    place: int | None
    rating: Rating


def classes_of(user: User) -> QuerySet[Classroom]:
    """The classes that somebody teaches or is in, with how many students each has."""
    own = Classroom.objects.filter(
        Q(teacher=user) | Q(pk__in=Membership.objects.filter(user=user).values("classroom"))
    )
    return own.select_related("teacher").annotate(size=Count("memberships"))


def class_for(user: Any, key: int) -> Classroom | None:
    """A class that somebody may see: its teacher, its members, and moderators; None for all others."""
    found = Classroom.objects.select_related("teacher").filter(pk=key).first()
    if found is None or not user.is_authenticated:
        return None
    if found.teacher_id == user.pk or is_member(found, user):
        return found
    return found if user.is_staff and user.has_perm("moderation.moderate") else None


def is_member(classroom: Classroom, user: Any) -> bool:
    """Whether somebody is a student in a class."""
    return Membership.objects.filter(classroom=classroom, user=user.pk).exists()


def members(classroom: Classroom) -> list[MemberLine]:
    """The teacher and the students of a class, each with their bots."""
    students = [one.user for one in classroom.memberships.select_related("user")]
    people = [classroom.teacher, *students]
    newest_first = Prefetch("versions", Version.objects.order_by("-number"), to_attr="newest_first")
    found: defaultdict[int | None, list[MemberBot]] = defaultdict(list)
    bots = _bots_of([one.pk for one in people]).order_by("name")
    for bot in bots.prefetch_related(newest_first, prefetch_co_owners()):
        versions: list[Version] = bot.newest_first
        for owner in bot.owner_keys:
            found[owner].append(MemberBot(bot, versions[0] if versions else None))
    return [MemberLine(one, one.pk == classroom.teacher_id, found[one.pk]) for one in people]


def board(classroom: Classroom, name: str) -> list[BoardLine]:
    """The active versions of the class's bots on a board of the arena, the best rated first."""
    people = [classroom.teacher_id, *classroom.memberships.values_list("user", flat=True)]
    active = Version.objects.active_on(name).filter(bot__in=_bots_of(people))
    rated = Rating.objects.filter(variant=name, version__in=active, games__gt=0)
    found = rated.select_related("version__bot__owner").prefetch_related(prefetch_co_owners("version__bot__"))
    found = found.order_by("-anchored", "provisional", "-elo", "version")
    return [BoardLine(place if one.anchored else None, one) for place, one in enumerate(found, 1)]


def _bots_of(people: Collection[int]) -> QuerySet[Bot]:
    """The bots in play that one of these people owns, also with others, whoever they are."""
    accepted = CoOwner.objects.filter(user__in=people, status=CoOwner.Status.ACCEPTED)
    together = accepted.order_by().values("bot")
    own = Bot.objects.filter(owner__in=people).order_by().values("pk")
    return Bot.objects.in_play().filter(pk__in=own.union(together))


def events_of(classroom: Classroom) -> QuerySet[Tournament]:
    """The events for a class alone, the newest first."""
    return Tournament.objects.filter(class_event__classroom=classroom)


def could_be_limited(teacher: User) -> QuerySet[Tournament]:
    """The drafts of a teacher that are not yet for one class alone and still take entries."""
    drafts = Tournament.objects.filter(owner=teacher, status=Tournament.Status.DRAFT, class_event=None)
    return drafts.exclude(registration_until=None)


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
    locked = Classroom.objects.select_for_update(of=("self",)).filter(pk=classroom.pk).first()
    if locked is None:
        raise ClassRefused(gettext("This class no longer exists."))
    if Tournament.objects.filter(class_event__classroom=locked, status=Tournament.Status.DRAFT).exists():
        raise ClassRefused(gettext("First open the events of this class to everyone, or cancel them."))
    locked.delete()


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
