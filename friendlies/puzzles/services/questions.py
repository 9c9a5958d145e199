"""Questions about puzzles that need a search: are there new ones, and does an answer win?"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from tournaments.services.questions.question_types import FOR_THE_ARENA, Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from friendlies.puzzles.models import Puzzle

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
