"""Which endings that the solver decided a bot has held: found out once for each game, with its luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.searches.won_endings import won_endings
from tournaments.models import SolvedEnding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Position
    from tournaments.models import Game


def keep_endings(game: Game, start: Position, words: Sequence[str]) -> None:
    """Keep for each seat that the solver saw win whether it did. Doing it twice changes nothing.

    Raises:
        BrokenRecord: the words are not moves of a game from there.
    """
    first = game.result.ranking[0]
    seats = won_endings(start, words)
    rows = [
        SolvedEnding(
            game=game,
            seat=one.seat,
            version=one.version,
            variant=game.tournament.variant,
            held=first == [one.seat],
        )
        for one in game.seats.all()
        if one.seat in seats
    ]
    SolvedEnding.objects.bulk_create(rows, ignore_conflicts=True)
