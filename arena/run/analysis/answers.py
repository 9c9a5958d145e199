"""Every kind of question that an analysis process answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from friendlies.puzzles.services.handlers import ANSWERS as PUZZLES
from friendlies.services.handlers import ANSWERS as FRIENDLIES
from tournaments.services.questions.handlers import ANSWERS as TOURNAMENTS

if TYPE_CHECKING:
    from tournaments.services.questions.kinds import QuestionKind

ANSWERS: Final[dict[str, QuestionKind]] = {**TOURNAMENTS, **FRIENDLIES, **PUZZLES}
