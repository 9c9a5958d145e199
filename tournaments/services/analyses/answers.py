"""Who works out which kind of question. Never imported where pages are served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from analysis.questions.whatif import Asked
from analysis.searches import hints
from analysis.searches import hints_ticks as race_hints
from analysis.searches.branches import answer
from friendlies.sittings.turns import Awaits
from tournaments.models import Friendly
from tournaments.selectors import friendly, records
from tournaments.services import luck
from tournaments.services.analyses.expected import expected
from tournaments.services.analyses.mistakes import found
from tournaments.services.friendly.store import load_race, load_turns

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tournaments.models import Game

    Arguments = Mapping[str, Any]


class Gone(Exception):
    """What was asked about has changed or is no longer there."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of question is answered, and after how many seconds nobody should wait for it any more.

    The answer is JSON; None says that it is kept elsewhere.
    """

    answer: Callable[[Arguments], Any | None]
    seconds: float


def _hints(arguments: Arguments) -> list[dict[str, object]]:
    row = Friendly.objects.filter(pk=arguments["friendly"], revision=arguments["revision"]).first()
    if row is None or row.is_over:
        raise Gone("The game has gone on.")
    if row.in_ticks:
        steps = race_hints.hints(load_race(row).game.position, row.seat)
    else:
        sitting = load_turns(row)
        if sitting.awaits is not Awaits.PERSON:
            raise Gone("The game has gone on.")
        steps = hints.hints(sitting.game.position)
    return [step.as_dict() for step in steps]


def _branch(arguments: Arguments) -> dict[str, Any]:
    asked = Asked(arguments["at"], tuple(arguments["moves"]), arguments["bot"], arguments["span"])
    if "friendly" in arguments:
        row = Friendly.objects.filter(pk=arguments["friendly"]).first()
        if row is None:
            raise Gone("The game is no longer there.")
        return answer(row.start, friendly.events(row), asked).as_dict()
    game = _game(arguments)
    return answer(game.start, records.events(game), asked).as_dict()


def _luck(arguments: Arguments) -> None:
    luck.measure(arguments["game"])


def _game(arguments: Arguments) -> Game:
    game = records.find_game(arguments["game"])
    if game is None:
        raise Gone("The game is no longer there.")
    return game


KINDS: Final[Mapping[str, Kind]] = {
    "hints": Kind(_hints, 10),
    "branch": Kind(_branch, 30),
    "mistakes": Kind(lambda arguments: found(_game(arguments)), 60),
    "values": Kind(lambda arguments: expected(_game(arguments)), 30),
    "luck": Kind(_luck, 300),
}
