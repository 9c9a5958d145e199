"""What can be reported: things with texts that somebody wrote; and locks for whoever decides about them.

Deleting an account locks it, and then what is its own. A decision refers to accounts: to the moderator, the
owners and whoever reported the thing. So all of these are locked first, in the order in which everything
locks several accounts, and the thing after them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.auth import get_user_model

from bots.locks import lock_people
from bots.models import Bot, CoOwner, Version
from people.classes.classrooms import class_for
from people.classes.models import Classroom
from people.moderation.errors import ModerationRefused
from people.moderation.models import AbuseReport, Subject
from tournaments.models import Announcement, Tournament
from tournaments.series.models import EventSeries

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import Model

    from arena.accounts.models import User
    from people.moderation.models import Act


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with texts that its owner wrote; `owner` is None for the house's own, and for what is left of
    a deleted account: events, announcements and series.

    `others` are the accounts that own it with them.
    """

    subject: str
    key: int
    title: str
    url: str
    owner: User | None
    texts: dict[str, str]
    others: frozenset[int] = frozenset()
    is_ladder: bool = False

    @property
    def left_behind(self) -> bool:
        """Whether its owner is gone, so that nobody is told of decisions; or the house's, of an event that is
        no ladder, which nobody tells apart."""
        left = (Subject.SERIES, Subject.TOURNAMENT, Subject.ANNOUNCEMENT)
        return self.owner is None and self.subject in left and not self.is_ladder


def find_thing(subject: str, key: int) -> Thing | None:
    """The thing that a report is about; None if there is none."""
    find = FINDERS.get(subject)
    return find(key) if find else None


def may_report(user: User, subject: str, key: int) -> bool:
    """Whether somebody sees a thing, and so may report it: of classes, only their members know."""
    return subject != Subject.CLASS or class_for(user, key) is not None


def _bot(key: int) -> Thing | None:
    bot = Bot.objects.select_related("owner").filter(pk=key).first()
    if bot is None:
        return None
    notes = Version.objects.filter(bot=bot).exclude(release_notes="").order_by("number")
    texts = {
        "name": bot.name,
        **{field: getattr(bot, field) for field in Bot.TEXTS},
        "release_notes": "\n".join(f"v{one.number}: {one.release_notes}" for one in notes),
    }
    others = frozenset(bot.owner_keys) - {bot.owner_id}
    return Thing(Subject.BOT, key, bot.name, bot.get_absolute_url(), bot.owner, texts, others)


def _account(key: int) -> Thing | None:
    user = get_user_model().objects.filter(pk=key).first()
    if user is None:
        return None
    name = user.get_username()
    return Thing(Subject.ACCOUNT, key, name, user.get_absolute_url(), user, {"name": name})


def _tournament(key: int) -> Thing | None:
    found = Tournament.objects.select_related("owner").filter(pk=key).first()
    if found is None:
        return None
    texts = {"name": found.name, "description": found.description}
    url, is_ladder = found.get_absolute_url(), found.format == Tournament.Format.LADDER
    return Thing(Subject.TOURNAMENT, key, found.name, url, found.owner, texts, is_ladder=is_ladder)


def _announcement(key: int) -> Thing | None:
    found = Announcement.objects.select_related("author", "tournament").filter(pk=key).first()
    if found is None:
        return None
    event = found.tournament
    return Thing(
        Subject.ANNOUNCEMENT, key, event.name, event.get_absolute_url(), found.author, {"text": found.text}
    )


def _class(key: int) -> Thing | None:
    found = Classroom.objects.select_related("teacher").filter(pk=key).first()
    if found is None:
        return None
    texts = {"name": found.name}
    return Thing(Subject.CLASS, key, found.name, found.get_absolute_url(), found.teacher, texts)


def _series(key: int) -> Thing | None:
    found = EventSeries.objects.select_related("owner").filter(pk=key).first()
    if found is None:
        return None
    texts = {"name": found.name, "description": found.description}
    return Thing(Subject.SERIES, key, found.name, found.get_absolute_url(), found.owner, texts)


FINDERS: Final[dict[str, Callable[[int], Thing | None]]] = {
    Subject.BOT: _bot,
    Subject.ACCOUNT: _account,
    Subject.TOURNAMENT: _tournament,
    Subject.ANNOUNCEMENT: _announcement,
    Subject.CLASS: _class,
    Subject.SERIES: _series,
}


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
