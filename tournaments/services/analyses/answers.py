"""Who works out which kind of question. Never imported where pages are served."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from analysis.questions.whatif import Asked
from analysis.searches.branches import answer
from tournaments.selectors import records
from tournaments.services.analyses.expected import expected
from tournaments.services.analyses.kinds import Gone, Kind
from tournaments.services.analyses.mistakes import found
from tournaments.services.analyses.packing import pack
from tournaments.services.analyses.performing import performed, tell
from tournaments.services.rating import luck

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.models import Game
    from tournaments.services.analyses.kinds import Arguments


def _branch(arguments: Arguments) -> dict[str, Any]:
    asked = Asked.of(arguments)
    game = _game(arguments)
    return answer(game.start, records.events(game), asked).as_dict()


def _mistakes(arguments: Arguments) -> dict[str, Any]:
    game = _game(arguments)
    return found(str(game.pk), game.start, records.events(game))


def _values(arguments: Arguments) -> dict[str, Any]:
    game = _game(arguments)
    return expected(str(game.pk), game.start, records.events(game), records.result(game) or {})


def _luck(arguments: Arguments) -> None:
    luck.measure(arguments["game"])


def _game(arguments: Arguments) -> Game:
    game = records.find_game(arguments["game"])
    if game is None:
        raise Gone("This game no longer exists.")
    return game


ANSWERS: Final[Mapping[str, Kind]] = {
    "branch": Kind(_branch, 30),
    "mistakes": Kind(_mistakes, 60),
    "values": Kind(_values, 30),
    "luck": Kind(_luck, 300),
    "dataset": Kind(pack, 300),
    "performance": Kind(performed, 60, tell),
}
