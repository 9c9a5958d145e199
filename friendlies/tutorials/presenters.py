"""A tutorial as its pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

import engine
from analysis import game_record
from arena.web.variants import in_words

if TYPE_CHECKING:
    from engine import Variant
    from friendlies.tutorials.steps.step import TutorialStep
    from friendlies.tutorials.tables import Lesson


@dataclass(frozen=True, slots=True)
class TutorialRow:
    """A variant's tutorial in a list."""

    variant: Variant
    steps: tuple[TutorialStep, ...]

    @property
    def keys(self) -> str:
        """The steps by what a browser remembers them by."""
        return " ".join(step.key for step in self.steps)


def row(variant: str, steps: tuple[TutorialStep, ...]) -> TutorialRow:
    """A variant's tutorial in the reader's language."""
    return TutorialRow(in_words(engine.VARIANTS[variant]), steps)


def names() -> list[str]:
    """What the seats are called."""
    return [gettext("You"), gettext("Opponent")]


def page_state(lesson: Lesson, known: int = 0, refused: str = "") -> dict[str, Any]:
    """What the page of a step lacks that has `known` events."""
    return {
        **lesson.state(known, refused),
        "moves": lesson.moves,
        "done": lesson.is_done,
        "hint": lesson.hint(),
    }


def first_state(lesson: Lesson) -> dict[str, Any]:
    """What the page of a step begins with: a record's head as well."""
    head = game_record.head(
        game=f"{lesson.variant}-{lesson.step.key}",
        variant=lesson.variant,
        seats=[game_record.seat_head(name) for name in names()],
        start=lesson.start,
        clock=None,
        result=None,
        status="running",
        rules=engine.RULES_VERSION,
    )
    return {**page_state(lesson), "record": head}
