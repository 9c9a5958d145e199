"""Hints in steps: where to look, which card, the move, and the whole line with what it is worth.

Oracle's search chooses (`deep.turns`), from what the person may know and remember.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

import engine
from analysis.questions.whynot import name
from analysis.searches.deep.turns import Effort, judge
from analysis.serving_guard import thinks
from engine.policies.tick_planner import tick_planner, weighed
from engine.policies.valued import MOST_NODES
from engine.ticks.conversion import to_core
from engine.ticks.position import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.searches.deep.turns import Judgement
    from engine import TickPosition, TurnPosition
    from engine.turns.knowledge.tracker import Tracker

EFFORT: Final = Effort(nodes=MOST_NODES, lines=12, games=1000, told=600)
"""Less than what a finished game is judged by: a person waits for it."""
MOST_WORDS: Final = 8
"""So many moves of the line are written out."""


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
def hints(tracker: Tracker) -> tuple[Hint, ...]:
    """The hints of all steps for whoever moves, from all that was ever seen at the table."""
    seen = tracker.position.public()
    judged = judge(tracker, Random(str(seen)), effort=EFFORT)  # noqa: S311 (the same hint for the same table)
    move = judged.lines[0].moves[0]
    source, _, target = move.partition("-")
    where, pile = _where(seen, source)
    return (
        Hint(1, _first(where, source, target)),
        Hint(2, _second(seen, source), pile),
        Hint(3, f"Oracle’s move: {engine.Move.parse(move).words(seen)}.", pile, target, move),
        Hint(4, _why(seen, judged), pile, target, move),
    )


def _why(position: TurnPosition, judged: Judgement) -> str:
    """The whole line, what it is worth, and what the next best is worth."""
    seat, best = judged.seat, judged.lines[0]
    line = f"Oracle’s line: {_line(position, best.moves)}."
    if judged.proved:
        result = {1.0: "wins whatever your opponent does", 0.5: "holds a draw"}
        return f"{line} It {result.get(best.win[seat], 'loses against the best play, as all others do')}."
    others = [one for one in judged.lines[1:] if one.moves[0] != best.moves[0]]
    worth = f"Its chance to win is estimated at {best.win[seat]:.0%}"
    if not others:
        return f"{line} {worth}."
    other = engine.Move.parse(others[0].moves[0]).words(position)
    return f"{line} {worth}, and that of lines that begin with {other} at {others[0].win[seat]:.0%}."


def _line(position: TurnPosition, moves: Sequence[str]) -> str:
    """The moves in words, each from the table that the ones before led to."""
    game, told = engine.TurnGame(position), []
    for number, move in enumerate(moves[:MOST_WORDS], start=1):
        told.append(engine.Move.parse(move).words(game.position))
        if number < len(moves):  # the last one may turn up a card that nobody knows
            game.push(move)
    more = len(moves) - len(told)
    return ", ".join(told) + (f" and {more} more" if more else "")


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


PLAIN = {
    "turn": ("No good move on the table: look at your hand.", "Turn up a card."),
    "wait": ("It is better not to play a card this tick.", "Wait."),
    "stop": ("Compare the points.", "You win if the game ends now."),
}
"""The first two steps for what plays no card."""
PLAIN_WORDS = {"turn": "turn up a card", "wait": "wait", "stop": "call stop"}


@thinks
def hints_in_ticks(position: TickPosition, seat: int) -> tuple[Hint, ...]:
    """The hints of all steps in the game in ticks, where the planner chooses.

    Of ``position`` only the public part is used: neither what the bot may have chosen in the open tick nor
    any card that the person may not know.
    """
    seen = position.public()
    action = ACTIONS[tick_planner(to_core(seen), seat)]
    pile, card, where = _tick_source(seen, seat, action)
    first, second = PLAIN.get(action) or (
        f"Look at {where} and the foundations.",
        f"It is {name(card)} on {where}.",
    )
    words = action_words(seen, seat, action)
    last = Hint(3, f"Planner’s choice: {words}.", pile, move=action)
    why = Hint(4, _why_in_ticks(seen, seat, action, words), pile, move=action)
    return Hint(1, first), Hint(2, second, pile), last, why


def _why_in_ticks(position: TickPosition, seat: int, action: str, words: str) -> str:
    """The choice, what the planner expects of the other, and the lead in points some ticks on."""
    choice = weighed(to_core(position), seat)
    if choice.worth is None or choice.expected is None:
        reason = "It is sure to win." if action == "stop" else "There is nothing else to do."
        return f"Planner’s choice: {words}. {reason}"
    lead = f"{abs(choice.worth):.0f} points {'ahead' if choice.worth >= 0 else 'behind'}"
    other = PLAIN_WORDS.get(ACTIONS[choice.expected], "play a card")
    expects = f"It expects your opponent to {other}, and sees you {lead} a dozen ticks on."
    return f"Planner’s choice: {words}. {expects}"


def action_words(position: TickPosition, seat: int, action: str) -> str:
    """What a seat does by an action."""
    return PLAIN_WORDS.get(action) or f"{name(_tick_source(position, seat, action)[1])} to a foundation"


def _tick_source(position: TickPosition, seat: int, action: str) -> tuple[str, str, str]:
    """The pile that an action starts from, its card, and how the person calls the pile; empty where none."""
    own = position.seats[seat]
    if action == "turn":
        return f"h{seat}", "", "your hand"
    if action in PLAIN:
        return "", "", ""
    if action[0] == "s":
        return f"s{seat}.{action[1]}", own.slots[int(action[1]) - 1] or "", f"your slot {action[1]}"
    pile, words = (own.reserve, "your reserve") if action[0] == "r" else (own.discard, "your discard")
    return f"{action[0]}{seat}", pile[-1], words
