"""Plays `vitesse` by asking, for every pair of what both could do now, how the next dozen ticks would go.

It remembers every card that was turned up, so once a hand was gone through it knows what each turn will
bring, its own and the other's. `engine.policies.tick_planner` chooses from there, and says how.
"""

from crapette import Answer

from engine import Tick
from engine.policies.tick_planner import weighed
from engine.ticks import ACTIONS, TickTracker
from engine.ticks.conversion import to_core


class Ticks:
    """Chooses an action in each tick of one game."""

    def __init__(self):
        self.tracker = None

    def __call__(self, turn):
        """Answer a tick."""
        position = turn.table()
        if self.tracker is None:  # the first question, maybe in the middle of a game
            self.tracker = TickTracker(position)
        else:
            for tick in turn.events:
                self.tracker.see(Tick.from_dict(tick))
        choice = weighed(to_core(self.tracker.known(position)), turn.seat)
        action = ACTIONS[choice.action]
        if choice.worth is None:  # there was nothing to decide, or to stop is sure to win
            return Answer(action, evaluation=1.0) if action == "stop" else action
        return Answer(
            action,
            comment=f"{choice.worth:+.1f}; expects {ACTIONS[choice.expected]}",
            evaluation=max(-1.0, min(1.0, choice.worth / 40)),
        )
