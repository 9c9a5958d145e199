"""A game of turns judged from its start to its end.

It is cut into stretches as for `mistakes`: the moves of one seat up to the next card that is turned up, or
to the end of its turn. Each is judged once, before anybody knew the card, with the line that was played among
the others. So what a stretch cost and the change of the chances that is not luck are the same figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import engine
from analysis.errors import BrokenRecord
from analysis.searches.deep.judging import Judgement, judge
from analysis.serving_guard import thinks
from engine.errors import EngineError
from engine.turns.knowledge.tracker import Tracker
from engine.turns.moves import STOP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analysis.searches.deep.judging import Effort
    from engine import TurnPosition


@dataclass(frozen=True, slots=True)
class JudgedStretch:
    """A stretch of the game's words, from the `first` (from 0) to before `after`, and what was said of it."""

    first: int
    after: int
    judged: Judgement


@thinks
def judged_turns(
    start: TurnPosition,
    words: Sequence[str],
    key: str,
    report: Callable[[float], object] = lambda share: None,
    effort: Effort | None = None,
) -> list[JudgedStretch]:
    """Every stretch of a game of any number of seats; a call of stop belongs to none.

    The same `key` gives the same samples. `report` hears what share of the game is done.

    Raises:
        BrokenRecord: the words are not moves of a game from there.
    """
    game, tracker = engine.TurnGame(start), Tracker(start.public())
    found: list[JudgedStretch] = []
    place = 0
    while place < len(words):
        report(place / len(words))
        before, first = tracker.copy(), place
        seat, ended = game.turn, False
        while not ended and place < len(words) and words[place] != STOP:
            ended = _push(game, tracker, words[place], seat)
            place += 1
        if place == first:  # a call of stop
            _push(game, tracker, words[place], seat)
            place += 1
            continue
        judged = judge(before, Random(f"{key}/{first}"), words[first:place], effort)  # noqa: S311
        found.append(JudgedStretch(first, place, judged))
    return found


def _push(game: engine.TurnGame, tracker: Tracker, word: str, seat: int) -> bool:
    """Carry out a word; whether a stretch of the seat ends with it."""
    try:
        event = game.stop() if word == STOP else game.push(word)
    except (EngineError, KeyError, ValueError) as error:
        raise BrokenRecord(f"expected a move of the game, got {word!r}") from error
    tracker.see(event)
    return event.reveal is not None or word == "draw" or game.finished or event.turn != seat
