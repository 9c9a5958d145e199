"""Files of public data that name something hidden: dropped at once, and made again."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import Q
from django.utils import timezone

from people.moderation.models import Act, Subject
from tournaments.games.datasets import drop_before
from tournaments.models import Game

if TYPE_CHECKING:
    from django.db.models import QuerySet

STILL_MADE: Final = timedelta(hours=1)
"""For how long after a decision a file may still be stored that was begun before it."""


UNTIL_COMMITTED: Final = timedelta(minutes=1)
"""A file begun between a decision and its commit has the old name, too, as may one of a fast clock."""


def drop_files(act: Act) -> int:
    """Drop the files made before a decision that may have a name which it replaced; how many."""
    if "name" not in act.put:
        return 0
    return drop_before(act.at + UNTIL_COMMITTED, _games(act))


def drop_files_again() -> int:
    """Drop what has come since from before the decisions of the last hour; how many."""
    lately = Act.objects.filter(at__gt=timezone.now() - STILL_MADE).exclude(kind=Act.Kind.BAN)
    return sum(drop_files(act) for act in lately)


def _games(act: Act) -> QuerySet[Game]:
    """The games whose rows have the name: none has that of an owner."""
    if act.subject == Subject.TOURNAMENT:
        return Game.objects.filter(tournament=act.key)
    if act.subject == Subject.BOT:
        named = Q(seats__version__bot=act.key)
        return Game.objects.filter(named | Q(tournament__in=list(act.put.get("events", {}))))
    return Game.objects.none()
