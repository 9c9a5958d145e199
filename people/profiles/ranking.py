"""The places that people have by their ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import BooleanField, Case, Count, F, FloatField, Q, When

from friendlies.models import PersonRating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet

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
