"""Hints in the game in ticks, in the steps of `hints`: where to look, which card, the planner's choice.

What the bot may have chosen in the open tick is not known here, nor any card that the person may not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.questions.whynot import name
from analysis.searches.hints import Hint
from analysis.serving_guard import thinks
from engine.policies.tick_planner import tick_planner, weighed
from engine.ticks.conversion import to_core
from engine.ticks.position import ACTIONS

if TYPE_CHECKING:
    from engine import TickPosition

PLAIN = {
    "turn": ("No good move on the table: look at your hand.", "Turn up a card."),
    "wait": ("It is better not to play a card this tick.", "Wait."),
    "stop": ("Compare the points.", "You win if the game ends now."),
}
"""The first two steps for what plays no card."""
PLAIN_WORDS = {"turn": "turn up a card", "wait": "wait", "stop": "call stop"}


@thinks
def hints(position: TickPosition, seat: int) -> tuple[Hint, ...]:
    """The hints of all steps for a seat; of ``position`` only the public part is used."""
    seen = position.public()
    action = ACTIONS[tick_planner(to_core(seen), seat)]
    pile, card, where = _source(seen, seat, action)
    first, second = PLAIN.get(action) or (
        f"Look at {where} and the foundations.",
        f"It is {name(card)} on {where}.",
    )
    words = action_words(seen, seat, action)
    last = Hint(3, f"Planner’s choice: {words}.", pile, move=action)
    why = Hint(4, _why(seen, seat, action, words), pile, move=action)
    return Hint(1, first), Hint(2, second, pile), last, why


def _why(position: TickPosition, seat: int, action: str, words: str) -> str:
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
    return PLAIN_WORDS.get(action) or f"{name(_source(position, seat, action)[1])} to a foundation"


def _source(position: TickPosition, seat: int, action: str) -> tuple[str, str, str]:
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
