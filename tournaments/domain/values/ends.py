"""What a finished game was worth to seat 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.score import score
from engine.table import to_position
from tournaments.domain.scores import half_points, margins

if TYPE_CHECKING:
    from engine.core import Core
    from engine.variants import Variant

REMEMBERED: Final = 1 << 15


class Ends:
    """The ends of games of one variant; games that ended alike are scored once."""

    def __init__(self, rules: Variant) -> None:
        self.rules = rules
        self._known: dict[tuple[int, ...], tuple[float, float]] = {}

    def of(self, core: Core) -> tuple[float, float]:
        """The result (-1 to 1) and margin of a game that is over, for seat 0."""
        key = core.ending()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            position = to_position(self.rules, core, frozenset())
            outcome = score(position)
            left = [seat.left for seat in position.seats]
            found = half_points(outcome.ranking, 0) - 1.0, margins(outcome.points, left)[0]
            self._known[key] = found
        return found
