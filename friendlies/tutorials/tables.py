"""A step's table after what the learner has done so far.

Nothing is stored: the page says it each time, and the rules answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final, cast

from django.utils.translation import gettext

import engine
from friendlies.games.turns import Awaits, PersonTable
from friendlies.tables.illegal import why_not_in_ticks
from friendlies.tables.state import unstored_state
from friendlies.tables.turn_actions import carry_out
from friendlies.tutorials.steps.step import THEIRS, TICK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from friendlies.tutorials.steps.step import TutorialStep
    from referee.messages import RecordEvent

LEARNER: Final = 0
STOP: Final = "stop"
MOST_MOVES: Final = 20
"""Of one step: none has so many."""


class NotThisStep(ValueError):
    """What a page sent is not what was done in this step."""


class Lesson(ABC):
    """A step that is being played, whatever the kind of its game."""

    def __init__(self, variant: str, step: TutorialStep):
        self.variant, self.step = variant, step
        self.start = step.start(variant)
        self.moves: list[str] = []
        self.events: list[dict[str, Any]] = []

    @property
    @abstractmethod
    def _ply(self) -> int:
        """The number of the next ply of the step."""

    @property
    def is_done(self) -> bool:
        """Whether the learner has done all that the step asks for."""
        return self._ply == len(self.step.plies)

    @property
    @abstractmethod
    def right(self) -> list[str]:
        """The moves that are right now, the one to hint at first."""

    @abstractmethod
    def play(self, move: str) -> None:
        """Carry out a right move of the learner, and what the opponent does then."""

    @abstractmethod
    def why_not(self, action: dict[str, Any]) -> str:
        """Why an action was not what is asked for, in a sentence; empty once it has been carried out."""

    @abstractmethod
    def state(self, known: int = 0, refused: str = "") -> dict[str, Any]:
        """What a page lacks that has `known` events, in the form of a person's game."""

    @abstractmethod
    def hint(self) -> dict[str, Any] | None:
        """The move to hint at, and the event that it would be; None when the step is done."""

    def replay(self, moves: object) -> None:
        """Do what a page says was done. Raises NotThisStep."""
        if not isinstance(moves, list) or len(moves) > MOST_MOVES:
            raise NotThisStep(f"Expected a list of at most {MOST_MOVES} moves.")
        for move in moves:
            if self.is_done or move not in self.right:
                raise NotThisStep(f"Expected moves of the step, got {str(move)[:20]!r}.")
            self.play(move)

    def describe_unasked(self) -> str:
        """What is said of a move that is legal, but not asked for."""
        return gettext(
            "You may do that, but this step is about something else. Read it again, or ask for a hint."
        )


class TurnLesson(Lesson):
    """A step of a game of turns."""

    def __init__(self, variant: str, step: TutorialStep):
        super().__init__(variant, step)
        self.game = engine.TurnGame(engine.TurnPosition.parse(self.start))
        self._answer()

    @property
    def _ply(self) -> int:
        return len(self.events)

    @property
    def right(self) -> list[str]:
        """The moves that are right now, the one to hint at first."""
        possible = self.game.words()
        return [move for move in self.step.plies[self._ply].split() if move in possible]

    def play(self, move: str) -> None:
        """Carry out a right move of the learner, and what the opponent does then."""
        self.moves.append(move)
        self._push(move)
        self._answer()

    def why_not(self, action: dict[str, Any]) -> str:
        """Why an action was not what is asked for; empty once it has been carried out."""
        if action.get("do") not in ("move", STOP):
            return self.describe_unasked()
        table = self._table()
        refused = carry_out(table, action)
        if refused:
            return refused
        played = [event.move for event in table.game.history[len(self.events) :]]
        tried = type(self)(self.variant, self.step)
        for move in [*self.moves, *played]:
            if tried.is_done or move not in tried.right:
                return self._wrong(played)
            tried.play(move)
        for move in played:
            self.play(move)
        return ""

    def state(self, known: int = 0, refused: str = "") -> dict[str, Any]:
        """What a page lacks that has `known` events."""
        return unstored_state(self._table(), known, refused)

    def hint(self) -> dict[str, Any] | None:
        """The move to hint at, and the event that it would be."""
        if self.is_done:
            return None
        (move, *_) = self.right
        return {"move": move, "event": dict(self.game.clone().apply(move).as_dict())}

    def _answer(self) -> None:
        while not self.is_done and self.step.plies[self._ply].startswith(THEIRS):
            self._push(self.step.plies[self._ply].removeprefix(THEIRS))

    def _push(self, move: str) -> None:
        self.events.append(dict(self.game.apply(move).as_dict()))

    def _table(self) -> PersonTable:
        awaits = Awaits.BOT
        if not self.is_done:
            awaits = Awaits.WINDOW if self.game.turn != LEARNER else Awaits.PERSON
        events = cast("list[RecordEvent]", list(self.events))
        return PersonTable(self.start, LEARNER, events, awaits, polls=False)

    def _wrong(self, played: Sequence[str]) -> str:
        if played and played[0] in self.game.legal_moves() and self.game.irregular(played[0]):
            return gettext("That is against the order of moves: your opponent could call stop and take over.")
        return self.describe_unasked()


class TickLesson(Lesson):
    """A step of the game in which both act at once."""

    def __init__(self, variant: str, step: TutorialStep):
        super().__init__(variant, step)
        self.game = engine.TickGame(engine.TickPosition.parse(self.start))

    @property
    def _ply(self) -> int:
        return len(self.moves)

    @property
    def right(self) -> list[str]:
        """The actions that are right now."""
        return self.step.plies[self._ply].partition(TICK)[0].split()

    def play(self, move: str) -> None:
        """Carry out the tick in which the learner does the right thing."""
        theirs = self.step.plies[self._ply].partition(TICK)[2]
        self.moves.append(move)
        self.events.append(dict(self.game.push(move, theirs).as_dict()))

    def why_not(self, action: dict[str, Any]) -> str:
        """Why an action was not what is asked for; empty once it has been carried out."""
        move = action.get("action")
        if not isinstance(move, str) or move not in self.game.legal(LEARNER):
            return why_not_in_ticks(self.game.position, LEARNER, str(move))
        if move not in self.right:
            return self.describe_unasked()
        self.play(move)
        return ""

    def state(self, known: int = 0, refused: str = "") -> dict[str, Any]:
        """What a page lacks that has `known` events."""
        return {
            "from": known,
            "length": len(self.events),
            "events": self.events[known:],
            "awaits": Awaits.BOT if self.is_done else Awaits.PERSON,
            "trouble": False,
            "result": None,
            "tick": self.game.tick,
            "tick_ms": 0,
            "left_ms": None,
            "paused": False,
            "chosen": None,
            "legal": [] if self.is_done else list(self.game.legal(LEARNER)),
            "refused": refused,
        }

    def hint(self) -> dict[str, Any] | None:
        """The action to hint at."""
        return None if self.is_done else {"move": self.right[0], "event": None}


def lesson(variant: str, step: TutorialStep) -> Lesson:
    """The step from its beginning."""
    kind = TickLesson if engine.VARIANTS[variant].in_ticks else TurnLesson
    return kind(variant, step)
