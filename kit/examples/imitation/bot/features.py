"""What the net sees of a position: small numbers, the same in training and in the arena."""

from engine.turns.core import DISCARD, HAND, NOBODY, RESERVE, Core

WIDTH = 226
"""How many numbers."""


def features(core: Core, seat: int) -> list[tuple[int, float]]:
    """Return the features of a core of two seats, as (index, value) pairs of those that are not 0.

    The top of the seat's own reserve is left out: a line that uncovers a card ends there, and the card is
    unknown. Everything else has been seen by both.
    """
    found: list[tuple[int, float]] = []
    for suit, heights in enumerate(core.heights_of()):
        found += [(2 * suit + place, height / 4) for place, height in enumerate(heights) if height]
    at = 8
    for one in (seat, 1 - seat):
        sizes = [core.size(pile + one) for pile in (RESERVE, HAND, DISCARD)]
        found += [(at + place, size / 4) for place, size in enumerate([*sizes, sum(sizes)]) if size]
        at += 4
    tops = [core.top_of(house) for house in range(8)]
    empty = tops.count(NOBODY)
    if empty:
        found += [(at, empty / 2), (at + 1, 1.0)]
    at += 2
    for card in tops:
        if card != NOBODY:
            found.append((at + (card >> 2), 1.0))
    at += 52
    for pile in (DISCARD + seat, DISCARD + 1 - seat, RESERVE + 1 - seat):
        card = core.top_of(pile)
        if card != NOBODY:
            found.append((at + (card >> 2), 1.0))
        at += 52
    return found
