"""Passages of games that people share as animated pictures: which there may be, and what is asked for them.

The pictures are drawn by analysis processes (`questions.passages`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from arena.web.deck.frame import can_be_drawn
from tournaments.models import Game, Result
from tournaments.questions import question_types

if TYPE_CHECKING:
    from tournaments.questions.question_types import Question

MOST_PLIES: Final = 60
"""A minute to look at."""


class NoPassage(Exception):
    """There is no such passage. The text is for a person, the code for a program."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Passage:
    """A finished game from after one ply until after another, or in ticks likewise; 0 is the deal."""

    game: Game
    first: int
    last: int

    @property
    def names(self) -> list[str]:
        """The seats' bots in letters that can be drawn; of two that are called alike, each with its seat."""
        bots = [seat.version.bot for seat in self.game.seats.all()]
        names = [bot.name if can_be_drawn(bot.name) else bot.slug for bot in bots]
        often = Counter(names)
        return [name if often[name] == 1 else f"{name} ({seat})" for seat, name in enumerate(names, start=1)]

    @property
    def question(self) -> Question:
        """What is asked of the analysis processes: another one once a bot has another name."""
        return question_types.passage(self.game, self.first, self.last, self.names)


def length(game: Game) -> int:
    """How many plies, or ticks, a finished game has. Raises NoPassage while it is not over."""
    if game.status != Game.Status.FINISHED:
        raise NoPassage("not-finished", gettext("You can share passages once the game is over."))
    try:
        return game.result.plies
    except Result.DoesNotExist:
        raise NoPassage("not-finished", gettext("This game has no result.")) from None


def passage(game: Game, first: int, last: int) -> Passage:
    """The passage of a game. Raises NoPassage if it has none like that."""
    plies = length(game)
    if not 0 <= first <= last <= plies:
        raise NoPassage(
            "passage",
            gettext("Choose numbers from 0 to %(plies)s, the smaller one first.") % {"plies": plies},
        )
    if last - first > MOST_PLIES:
        raise NoPassage(
            "too-long",
            gettext("This passage is too long. Choose numbers at most %(most)s apart.")
            % {"most": MOST_PLIES},
        )
    return Passage(game, first, last)
