"""Asks for people's ratings when their games end and when bots' ratings move. An analysis process computes
them (`rating`), never a page."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

from friendlies.models import Friendly, PersonRating
from friendlies.questions import person_rating
from tournaments.models import RatingState
from tournaments.questions.requests import want

REST: Final = timedelta(hours=6)
"""How long a rating stands while only its opponents' move: by a few points a day at most."""
MOST: Final = 200
"""Ratings asked for at a time, the oldest first; each costs some milliseconds."""


def want_rating(row: Friendly) -> None:
    """Ask for the rating that a finished game changes. Call in the transaction that finishes it."""
    if row.owner_id is not None:
        want([person_rating(row.owner_id, row.variant)])


def want_due() -> int:
    """Ask for the ratings that games or bots' ratings have changed since; return how many."""
    waiting = Friendly.objects.filter(
        rated=True, status=Friendly.Status.FINISHED, weighed_at=None, owner__isnull=False
    )
    due = list(waiting.order_by().values_list("owner", "variant").distinct()[:MOST])
    moved = RatingState.objects.filter(variant=OuterRef("variant")).values("computed_at")
    stale = PersonRating.objects.filter(computed_at__lt=timezone.now() - REST)
    stale = stale.annotate(moved_at=Subquery(moved)).filter(moved_at__gt=F("computed_at"))
    due += stale.order_by("computed_at").values_list("user", "variant")[: MOST - len(due)]
    with transaction.atomic():
        want(person_rating(user, variant) for user, variant in sorted(set(due)))
    return len(set(due))
