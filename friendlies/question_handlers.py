"""The functions that answer a person's questions. Serving processes never import this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext

import engine
from analysis.questions.whatif import Asked
from analysis.searches import hints
from analysis.searches.what_if_games import answer
from engine.turns.knowledge.tracker import Tracker
from friendlies.games.turns import Awaits
from friendlies.models import Friendly
from friendlies.ratings import rate_person
from friendlies.tables import state
from friendlies.tables.store import load_ticks, load_turns
from tournaments.questions.expected import expected_results
from tournaments.questions.mistakes import find_mistakes
from tournaments.questions.question_types import Gone, QuestionKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.questions.question_types import Arguments


TURNING_POINTS: Final = 3
CLEAR: Final = 0.005
"""Points of a game; a smaller change decides nothing."""


def moments(
    start: str, log: Sequence[Mapping[str, Any]], values: Mapping[str, Sequence[float]]
) -> list[dict[str, Any]]:
    """Return the moves after which the expected result changed most, in the order of the game.

    `values` are those of `tournaments.questions.expected`. Each moment has `ply` (the move's own,
    from 1), `seat`, `words`, and in points of a game for seat 0 `change`, `luck` and `skill`.
    """
    win = values["win"]
    changed = {count: win[count] - win[count - 1] for count in range(1, len(win))}
    moves = [count for count in changed if log[count - 1]["type"] == "move"]
    greatest = sorted(moves, key=lambda count: -abs(changed[count]))[:TURNING_POINTS]
    wanted = {count for count in greatest if abs(changed[count]) >= CLEAR}
    game, found = engine.TurnGame(engine.TurnPosition.parse(start)), []
    for count, event in enumerate(log, start=1):
        if event["type"] not in {"move", "stop"}:
            continue
        if count in wanted:
            found.append(
                {
                    "ply": game.ply + 1,
                    "seat": event["seat"],
                    "words": engine.Move.parse(event["move"]).words(game.position),
                    "change": round(changed[count], 3),
                    "luck": values["luck"][count],
                    "skill": values["skill"][count],
                }
            )
        game.play(engine.words_of([event]))
    return found


def _hints(arguments: Arguments) -> list[dict[str, object]]:
    row = Friendly.objects.filter(pk=arguments["friendly"], revision=arguments["revision"]).first()
    if row is None or row.is_over:
        raise Gone(gettext("The game has moved on."))
    if row.in_ticks:
        steps = hints.hints_in_ticks(load_ticks(row).game.position, row.seat)
    else:
        table = load_turns(row)
        if table.awaits is not Awaits.PERSON:
            raise Gone(gettext("The game has moved on."))
        steps = hints.hints(Tracker.of(table.game.observation(row.seat)))
    return [step.as_dict() for step in steps]


def _row(arguments: Arguments) -> Friendly:
    row = Friendly.objects.filter(pk=arguments["friendly"]).first()
    if row is None:
        raise Gone(gettext("This game no longer exists."))
    return row


def _branch(arguments: Arguments) -> dict[str, Any]:
    row = _row(arguments)
    return answer(row.start, state.events(row), Asked.of(arguments)).as_dict()


def _values(arguments: Arguments) -> dict[str, Any]:
    row = _row(arguments)
    log = state.events(row)
    values = expected_results(str(row.pk), row.start, log, row.result or {})
    return {**values, "moments": moments(row.start, log, values)}


def _mistakes(arguments: Arguments) -> dict[str, Any]:
    row = _row(arguments)
    return find_mistakes(str(row.pk), row.start, state.events(row))


def _person_rating(arguments: Arguments) -> None:
    rate_person(arguments["user"], arguments["variant"])


ANSWERS: Final[Mapping[str, QuestionKind]] = {
    "hints": QuestionKind(_hints, 20),
    "friendly branch": QuestionKind(_branch, 30),
    "friendly values": QuestionKind(_values, 30),
    "friendly mistakes": QuestionKind(_mistakes, 60),
    "person rating": QuestionKind(_person_rating, 120),
}
