"""Questions of people that need a search: hints at the table, and playing on a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tournaments.questions.question_types import (
    BRANCH_VERSION,
    FOR_THE_ARENA,
    MISTAKES_VERSION,
    VALUES_VERSION,
    Question,
    with_values,
)

if TYPE_CHECKING:
    from analysis.questions.whatif import Asked
    from friendlies.models import Friendly

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
