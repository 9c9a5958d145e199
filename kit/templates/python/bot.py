"""My first bot: it ranks the legal moves by what they do, and plays the best."""

from crapette import run

OTHERS = ["draw", "stop", "turn", "h-d", "wait", "pass"]


def rank(move, houses):
    """How good a move looks: the lower, the better."""
    source, _, target = move.partition("-")
    if target == "f":
        return 0  # a card to a foundation
    if source == "r":
        return 1  # a card from your reserve
    if target[:1] == "r" or target[:1] == "d" != target:
        return 2  # a card onto an opponent's pile
    if target[:1] != "t":
        return 5 + OTHERS.index(move)
    if source[0] != "t":
        return 3  # a card from your hand or discard to a house
    taller = len(houses[int(target[1:]) - 1]) >= len(houses[int(source[1:]) - 1])
    return 4 if taller else 99  # a card onto a taller house; other moves of houses could go on for ever


def choose(turn):
    houses = turn.position.split()[4].split("/")
    return min(turn.legal, key=lambda move: rank(move, houses))


run(choose, tick=choose)
