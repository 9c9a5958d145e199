"""How a game that is over went."""

from engine.turns.core import DISCARD, HAND, RESERVE


def score_end(core, seat):
    """Say how it went for the seat: 1 if it went out first or -1, and up to a half for the cards left."""
    won, players = core.tally()[2], core.players
    result = 0.0 if not won else 1.0 if won[0] == seat else -1.0
    left = [sum(core.size(pile + one) for pile in (RESERVE, DISCARD, HAND)) for one in range(players)]
    own = left.pop(seat)
    return result + (sum(left) / (players - 1) - own) / 104
