"""A person and what is theirs: ratings, bots, events, series, puzzles. Every list is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth import get_user_model
from django.db.models import Q

from bots.models import Bot, Version
from friendlies.models import PersonRating
from friendlies.puzzles.models import Solver
from tournaments.models import Organiser, Tournament
from tournaments.ratings.leaderboards import list_tournaments
from tournaments.series.models import EventSeries

if TYPE_CHECKING:
    from collections.abc import Collection

    from arena.accounts.models import User
BOTS_SHOWN: Final = 30
EVENTS_SHOWN: Final = 10
SERIES_SHOWN: Final = 10


def find_person(name: str) -> User | None:
    """The account of exactly this name; None if there is none or it is suspended."""
    found: User | None = get_user_model().objects.filter(username=name, is_active=True).first()
    return found


def ratings_of(user: User) -> list[PersonRating]:
    """A person's ratings in all variants, those of most games first."""
    return list(PersonRating.objects.filter(user=user).order_by("-games", "variant"))


def versions_by_key(keys: Collection[int]) -> dict[int, Version]:
    """Versions with their bots, by key."""
    return {one.pk: one for one in Version.objects.select_related("bot").filter(pk__in=keys)}


def bots_of(user: User) -> list[Bot]:
    """The bots in play that somebody owns, alone or with others, by name."""
    found = Bot.objects.of(user).in_play().filter(active_version__isnull=False)
    return list(found.select_related("active_version").order_by("name")[:BOTS_SHOWN])


def events_of(user: User) -> list[Tournament]:
    """The last events that somebody organises or organised, as everybody's list of events has them."""
    together = Organiser.objects.filter(user=user, status=Organiser.Status.ACCEPTED)
    mine = Q(owner=user) | Q(pk__in=together.values("tournament"))
    return list(list_tournaments().filter(mine)[:EVENTS_SHOWN])


def series_of(user: User) -> list[EventSeries]:
    """The last series that somebody organises."""
    return list(EventSeries.objects.filter(owner=user).order_by("-pk")[:SERIES_SHOWN])


def solver_of(user: User) -> Solver | None:
    """How somebody does at puzzles; None if they never tried one."""
    return Solver.objects.filter(user=user, tried__gt=0).first()
