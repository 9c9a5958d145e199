"""A person and what is theirs: ratings and places, bots, events, series, puzzles. Every list is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth import get_user_model
from django.db.models import BooleanField, Case, Count, F, FloatField, Q, When

from bots.models import Bot, Version
from friendlies.models import PersonRating
from friendlies.puzzles.models import Solver
from tournaments.models import Organiser, Tournament
from tournaments.ratings.leaderboards import list_tournaments
from tournaments.series.models import EventSeries

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from django.db.models import QuerySet

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


MEASURED: Final = 400.0
"""Elo from end to end: with a wider interval a rating is still being measured."""
ENOUGH_GAMES: Final = 20
"""Before so many games a person has no rating that anybody is shown: its interval would be 500 Elo wide."""


def ranked_people(**narrowed: str) -> QuerySet[PersonRating]:
    """The ratings that have places: of people who show how they play, in the order of the number that is
    `printed`; below them those that are `provisional`, whose interval is open or wider than `MEASURED`, so
    that a few lucky games do not lead. Who has won nothing comes last."""
    rows = PersonRating.objects.filter(
        user__is_active=True, user__shows_play=True, games__gte=ENOUGH_GAMES, **narrowed
    )
    return rows.annotate(
        printed=Case(
            When(low=None, then=None), When(high=None, then="low"), default="elo", output_field=FloatField()
        ),
        provisional=Case(
            When(low__isnull=False, high__isnull=False, high__lte=F("low") + MEASURED, then=False),
            default=True,
            output_field=BooleanField(),
        ),
    ).order_by("provisional", F("printed").desc(nulls_last=True), "pk")


def is_measured(rating: PersonRating) -> bool:
    """Whether a person's rating is known well enough to stand among the others."""
    return rating.low is not None and rating.high is not None and rating.high <= rating.low + MEASURED


def find_places(ratings: Iterable[PersonRating]) -> Mapping[str, tuple[int, int]]:
    """By variant, which place each of a person's ratings takes, and of how many; one query."""
    asked: dict[str, Count] = {}
    rows = list(ratings)
    for number, one in enumerate(rows):
        here, measured = Q(variant=one.variant), is_measured(one)
        shown = one.low if one.low is None or one.high is None else one.elo
        better = Q(printed__isnull=False) if shown is None else Q(printed__gt=shown)
        better &= Q(provisional=not measured)
        if not measured:
            better |= Q(provisional=False)
        asked[f"better_{number}"] = Count("pk", filter=here & better)
        asked[f"all_{number}"] = Count("pk", filter=here)
    found = ranked_people().order_by().aggregate(**asked) if rows else {}
    return {
        one.variant: (found[f"better_{number}"] + 1, found[f"all_{number}"])
        for number, one in enumerate(rows)
    }


def variants_with_people() -> set[str]:
    """The variants in which somebody has a place."""
    return set(ranked_people().order_by().values_list("variant", flat=True).distinct())
