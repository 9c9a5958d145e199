"""The mistakes of a finished game that are worth telling: the costliest of `chances`.

They are the opinion of a bot and of a value function, not the truth: only clear differences are told. Once
every card is known it is the truth, as far as endings can be solved (`engine.turns.search.ending`): a turn
that began with a won position and ended with one that is not is a mistake, and no other is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.searches.win_chances import chances
from analysis.serving_guard import thinks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.searches.win_chances import FoundMistake
    from analysis.values.function import ValueFunction
    from engine import TurnPosition

MOST: Final = 12


@thinks
def mistakes(
    start: TurnPosition, words: Sequence[str], values: ValueFunction | None = None
) -> list[FoundMistake]:
    """The costliest mistakes of a game of two, at most `MOST`, in the order of the game.

    A draw thrown away in a solved ending is none of them: the solver does not say how it is held.

    Raises:
        UnknownValues: the variant has no value function.
        BrokenRecord: the words are not moves of a game from there.
    """
    return worst(found for found in chances(start, words, values).mistakes if found.better)


def worst(found: Iterable[FoundMistake]) -> list[FoundMistake]:
    """The costliest, at most `MOST`, in the order of the game."""
    kept = sorted(found, key=lambda mistake: -mistake.cost)[:MOST]
    return sorted(kept, key=lambda mistake: mistake.first)
