"""What can be reported: things with texts that somebody wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.auth import get_user_model

from bots.models import Bot, Version
from people.classes.classrooms import class_for
from people.classes.models import Classroom
from people.moderation.models import Subject
from tournaments.models import Announcement, Tournament
from tournaments.series.models import EventSeries

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.accounts.models import User


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
