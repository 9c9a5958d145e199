"""Questions about puzzles that need a search: are there new ones, and does an answer win?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from django.db import transaction

from friendlies.puzzles.models import Puzzle
from tournaments.models import Analysis
from tournaments.questions.question_types import FOR_THE_ARENA, Question
from tournaments.questions.requests import UNFINISHED, want

if TYPE_CHECKING:
    from collections.abc import Sequence


SEARCH_VERSION: Final = 1
JUDGE_VERSION: Final = 1
SEARCH: Final = "puzzles"
JUDGE: Final = "puzzle answer"


def search(now: datetime | None = None) -> Question:
    """Are there puzzles among the games that were not read yet? One question for each five minutes."""
    slot = int((now or datetime.now(UTC)).timestamp()) // 300
    return Question(SEARCH, {"slot": slot}, SEARCH_VERSION, FOR_THE_ARENA)


def answer(puzzle: Puzzle, moves: Sequence[str]) -> Question:
    """Does this turn win?"""
    return Question(JUDGE, {"puzzle": puzzle.pk, "moves": list(moves)}, JUDGE_VERSION)


MOST_UNTRIED: Final = 500
"""While so many puzzles wait for a first try, no more are looked for."""


def want_puzzles() -> bool:
    """Ask for puzzles in games that were not read yet; False if enough wait or somebody reads already."""
    if Puzzle.objects.filter(tried=0).count() >= MOST_UNTRIED:
        return False
    with transaction.atomic():
        if Analysis.objects.filter(kind=SEARCH, status__in=UNFINISHED).exists():
            return False
        want([search()])
    return True
