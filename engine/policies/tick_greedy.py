"""The greedy bot of the game of ticks: a card up at once, the reserve first.

It stops as soon as it may and the other has more cards left.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from engine.errors import EngineError, quote
from engine.ticks.core import NOTHING, STOP
from engine.ticks.position import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.ticks.core import TickCore

    TickPolicy = Callable[[TickCore, int], int]
    """A way to play: a seat's action in the game as everybody may know it."""

ORDER: Final = tuple(map(ACTIONS.index, ("r-f", "s1-f", "s2-f", "s3-f", "s4-f", "d-f", "turn", "wait")))
"""Its actions by number, best first."""
GREEDY: Final = (bytes(ORDER) * 2, True)
"""How two greedy bots play, as `TickCore.play_greedily` takes it."""


def tick_greedy(core: TickCore, seat: int) -> int:
    """The action that the house's greedy bot chooses."""
    legal = core.legal(seat)
    if STOP in legal and _left(core, seat) < _left(core, 1 - seat):
        return STOP
    return next(action for action in ORDER if action in legal)


def tick_perturbed(rng: Random, share: float) -> TickPolicy:
    """The greedy bot that takes any legal action at random in a `share` of its ticks."""
    return partial(_perturbed, rng, share)


def _perturbed(rng: Random, share: float, core: TickCore, seat: int) -> int:
    """`tick_perturbed` itself, a function of the module so that it can be pickled."""
    if rng.random() < share:
        return int(rng.choice(core.legal(seat)))
    return tick_greedy(core, seat)


def tick_playout(core: TickCore, ticks: int = 1_000_000) -> TickCore:
    """Return a copy of a core, played on by two greedy seats to the end or for at most `ticks` ticks.

    Hidden cards can be turned up and fit nowhere.

    Raises:
        EngineError: less than no ticks.

    >>> from engine.protocol import deal
    >>> from engine.ticks.conversion import to_core
    >>> core = to_core(deal("vitesse", "00" * 32))
    >>> tick_playout(core).over > 0, bool(core.over)
    (True, False)
    """
    if ticks < 0:
        raise EngineError(f"expected a number of ticks, got {quote(ticks)}")
    copy = core.clone()
    copy.play_greedily(*GREEDY, ticks)
    return copy


def _left(core: TickCore, seat: int) -> int:
    """The cards that a seat still has."""
    in_slots = sum(1 for kind in core.slots_of(seat) if kind != NOTHING)
    return in_slots + sum(int(core.size(pile, seat)) for pile in range(3))
