"""Cores of full positions that nobody can tell from the true one: for search under uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.ticks.conversion import number, to_core

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from engine.ticks.core import TickCore
    from engine.ticks.position import TickPosition
    from engine.ticks.tracker import TickTracker


def cores(tracker: TickTracker, position: TickPosition, rng: Random) -> Iterator[TickCore]:
    """Yield cores of full positions for ever, each as likely as any other that fits everything seen.

    >>> from random import Random
    >>> from engine.protocol import deal
    >>> from engine.ticks.conversion import to_position
    >>> from engine.ticks.tracker import TickTracker
    >>> seen = deal("vitesse", "00" * 32).public()
    >>> guess = to_position(next(cores(TickTracker(seen), seen, Random(1))))
    >>> guess.public() == seen, "??" in guess.seats[0].hand
    (True, False)
    """
    view = to_core(tracker.known(position))
    pools = [[number(card) for card in pool] for pool in tracker.pools(position)]
    while True:
        for pool in pools:
            rng.shuffle(pool)
        first, second = pools
        yield view.filled(bytes(first), bytes(second))
