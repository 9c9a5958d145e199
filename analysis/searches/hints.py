"""Hints in steps: where to look, which card, the move. The planner of the house chooses, from what the person
may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import engine
from analysis.questions.whynot import name
from analysis.thinking import thinks
from engine.policies import planner
from engine.turns.moves import texts

if TYPE_CHECKING:
    from engine import TurnPosition

NODES = 500


@dataclass(frozen=True, slots=True)
class Hint:
    """``words`` for the person; ``source`` and ``target`` piles to point out, as far as the step tells."""

    step: int
    words: str
    source: str = ""
    target: str = ""
    move: str = ""

    def as_dict(self) -> dict[str, object]:
        """As JSON."""
        return {"step": self.step, "words": self.words, "source": self.source, "move": self.move}


@thinks
def hints(position: TurnPosition) -> tuple[Hint, ...]:
    """The hints of all steps for whoever moves; of ``position`` only the public part is used."""
    seen = position.public()
    core = engine.TurnGame(seen).core
    move = str(texts(2, core.turn)[planner(NODES)(core)[0]])
    source, _, target = move.partition("-")
    where, pile = _where(seen, source)
    return (
        Hint(1, _first(where, source, target)),
        Hint(2, _second(seen, source), pile),
        Hint(3, f"Planner’s move: {engine.Move.parse(move).words(seen)}.", pile, target, move),
    )


def _where(position: TurnPosition, source: str) -> tuple[str, str]:
    """The part of the table a move starts from, and its pile."""
    turn = position.turn
    known = {
        "draw": ("your hand", f"h{turn}"),
        "pass": ("your piles", ""),
        "h": ("the drawn card", "x"),
        "r": ("your reserve", f"r{turn}"),
        "d": ("your discard", f"d{turn}"),
    }
    return known.get(source) or ("the houses", source)


def _first(where: str, source: str, target: str) -> str:
    """Where to look, and to what end."""
    if source == "draw":
        return "No good move on the table: draw."
    if source == "pass":
        return "There is nothing left to do this turn."
    aims = {"f": "the foundations", "r": "your opponent’s reserve", "d": "your opponent’s discard"}
    aim = "your discard" if target == "d" else aims.get(target[:1], "the houses")
    if where == aim:
        return "Look at the houses: there is a move between them."
    return f"Look at {where} and {aim}."


def _second(position: TurnPosition, source: str) -> str:
    """Which card."""
    seat = position.seats[position.turn]
    if source == "draw":
        return "Draw a card."
    if source == "pass":
        return "Pass."
    if source == "h":
        return f"It is the drawn card, {name(position.drawn or '')}."
    if source[0] == "t":
        return f"It is {name(position.houses[int(source[1:]) - 1][-1])} on house {source[1:]}."
    pile, words = (seat.reserve, "reserve") if source == "r" else (seat.discard, "discard")
    return f"It is {name(pile[-1])} on your {words}."
