"""The functions that answer questions about puzzles. Serving processes never import this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext

import engine
from analysis.searches.puzzles import judge
from friendlies.puzzles.models import Puzzle
from friendlies.puzzles.services.game_reader import read_on
from friendlies.puzzles.services.questions import JUDGE, SEARCH
from tournaments.services.questions.kinds import Gone, QuestionKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.services.questions.kinds import Arguments


def _search(arguments: Arguments) -> None:
    read_on()


def _judge(arguments: Arguments) -> dict[str, Any]:
    puzzle = Puzzle.objects.filter(pk=arguments["puzzle"]).first()
    if puzzle is None:
        raise Gone(gettext("This puzzle no longer exists."))
    found = judge(engine.TurnPosition.parse(puzzle.position), arguments["moves"])
    return {"wins": found.wins, "reply": list(found.reply)}


ANSWERS: Final[Mapping[str, QuestionKind]] = {
    SEARCH: QuestionKind(_search, 120),
    JUDGE: QuestionKind(_judge, 15),
}
