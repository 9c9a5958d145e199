"""Questions of people that need a search: hints at the table, and playing on a finished game.

And their ratings, which are asked for when their games end and when bots' ratings move. An analysis process
computes them (`ratings`), never a page.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

from friendlies.models import Friendly, PersonRating
from tournaments.models import RatingState
from tournaments.questions.question_types import (
    BRANCH_VERSION,
    FOR_THE_ARENA,
    MISTAKES_VERSION,
    VALUES_VERSION,
    Question,
    with_values,
)
from tournaments.questions.requests import want, want_again

if TYPE_CHECKING:
    from analysis.questions.whatif import Asked

HINTS_VERSION: Final = 2
PERSON_RATING_VERSION: Final = 1


def hints(row: Friendly) -> Question:
    """The four steps of a hint for the person of a friendly, as it stands now."""
    return Question("hints", {"friendly": str(row.pk), "revision": row.revision}, HINTS_VERSION)


def branch(row: Friendly, asked: Asked) -> Question:
    """A person's finished game played on."""
    return Question("friendly branch", {"friendly": str(row.pk), **asked.as_dict()}, BRANCH_VERSION)


def expected_question(row: Friendly) -> Question:
    """The expected result after every event of a person's finished game."""
    return Question("friendly values", {"friendly": str(row.pk)}, with_values(VALUES_VERSION))


def mistakes(row: Friendly) -> Question:
    """Where the planner would have done clearly better in a person's finished game."""
    return Question("friendly mistakes", {"friendly": str(row.pk)}, with_values(MISTAKES_VERSION))


def person_rating(user: int, variant: str) -> Question:
    """A person's rating in a variant, kept as their `PersonRating`."""
    return Question("person rating", {"user": user, "variant": variant}, PERSON_RATING_VERSION, FOR_THE_ARENA)


RATING_RESTS: Final = timedelta(hours=6)
"""How long a rating stands while only its opponents' move: by a few points a day at most."""
MOST_RATINGS: Final = 200
"""Ratings asked for at a time, the oldest first; each costs some milliseconds."""


def want_rating(row: Friendly) -> None:
    """Ask for the rating that a finished game changes. Call in the transaction that finishes it."""
    if row.owner_id is not None:
        want([person_rating(row.owner_id, row.variant)])


def want_due_ratings() -> int:
    """Ask for the ratings that games or bots' ratings have changed since; return how many."""
    waiting = Friendly.objects.filter(
        rated=True, status=Friendly.Status.FINISHED, weighed_at=None, owner__isnull=False
    )
    due = list(waiting.order_by().values_list("owner", "variant").distinct()[:MOST_RATINGS])
    moved = RatingState.objects.filter(variant=OuterRef("variant")).values("computed_at")
    stale = PersonRating.objects.filter(computed_at__lt=timezone.now() - RATING_RESTS)
    stale = stale.annotate(moved_at=Subquery(moved)).filter(moved_at__gt=F("computed_at"))
    due += stale.order_by("computed_at").values_list("user", "variant")[: MOST_RATINGS - len(due)]
    with transaction.atomic():
        want_again(person_rating(user, variant) for user, variant in sorted(set(due)))
    return len(set(due))
