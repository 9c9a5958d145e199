"""How a game of two that is over went."""

from engine.turns.core import DISCARD, HAND, RESERVE


def ended(core, seat):
    """Say how it went for the seat: 1 or -1, and up to a half for the cards left."""
    won = core.tally()[2]
    result = 0.0 if not won else 1.0 if won[0] == seat else -1.0
    left = [sum(core.size(pile + one) for pile in (RESERVE, DISCARD, HAND)) for one in (seat, 1 - seat)]
    return result + (left[1] - left[0]) / 104
