"""Plays `vitesse` by playing each action out against planner, on guesses of the hidden cards.

Both choose at once, so it first asks what planner would do in the other seat, and then which own action
answers that best if planners play on to the end of the game (`engine.policies.tick_search`). Planner looks a
dozen ticks ahead and counts points. Oracle sees who wins in the end, and what hidden cards may bring.

It thinks for up to a tenth of a second of CPU time, although its clock would allow more: an answer after the
tick closes is lost, and on a busy machine a second is over before the bot has had much of it.
"""

import time
from random import Random

from crapette import Answer
from weaker import FULL, in_tick, level_of

from engine import Tick
from engine.policies.tick_search import searched
from engine.ticks import ACTIONS, TickTracker
from engine.ticks.conversion import to_core
from engine.ticks.sampling import cores

MOST_S, SHARE, RESERVE_S = 0.08, 60, 1.0  # of CPU a tick: at most this, this part of the clock, kept back
rng = Random()


class Ticks:
    """Chooses an action in each tick of one game."""

    def __init__(self):
        self.tracker = None

    def __call__(self, turn):
        """Answer a tick."""
        until = time.process_time() + seconds(turn)
        position = turn.table()
        if self.tracker is None:  # the first question, maybe in the middle of a game
            self.tracker = TickTracker(position)
        else:
            for tick in turn.events:
                self.tracker.see(Tick.from_dict(tick))
        view, level = to_core(self.tracker.known(position)), level_of(turn.hello)
        if level != FULL and (action := in_tick(view, turn.seat, level, rng)):
            return action
        choice = searched(
            view,
            turn.seat,
            cores(self.tracker, position, rng),
            late=lambda: time.process_time() > until,
        )
        action = ACTIONS[choice.action]
        if choice.worth is None:  # there was nothing to decide, or to stop is sure to win
            return Answer(action, evaluation=1.0) if action == "stop" else action
        return Answer(
            action,
            comment=f"{choice.worth:+.2f}; expects {ACTIONS[choice.expected]}",
            evaluation=max(-1.0, min(1.0, choice.worth)),
        )


def seconds(turn):
    """Return the CPU time in seconds to spend on this tick, given the clock."""
    return min(MOST_S, max(0.0, turn.clocks[turn.seat] / 1000 - RESERVE_S) / SHARE)
