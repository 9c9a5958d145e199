"""What the net sees of observations: the same numbers in training, by PyTorch, and in the arena, by NumPy."""

HOUSES, DEPTH, MOVES = 8, 13, 128
BYTES = 54  # what a byte that stands for a card can be: none, one of 52 kinds, or unseen
TOPS = (112, 235, 128, 251, 466)  # of both reserves and both discards, and the drawn card; own ones first
FOUNDATIONS = tuple(range(104, 112))
OWN, OTHER = (232, 233, 234), (355, 356, 357)  # how many cards are in the reserve, discard and hand
IDLE, STALL = 467, 468
NUMBERS = (*FOUNDATIONS, *OWN, *OTHER, IDLE, STALL)
CARDS = HOUSES + len(TOPS)
PLAIN = len(NUMBERS) + HOUSES + MOVES
WIDTH = CARDS * BYTES + PLAIN  # how many inputs the net has


def card_views(seen):
    """Return the cards on top, (rows, 8) of the houses and (rows, 5) of other piles, and two more arrays.

    They are the numbers of the observation and how full each house is, from 0 to 1. ``seen`` is an array or a
    tensor of bytes, (rows, 474).
    """
    houses = seen[:, : HOUSES * DEPTH].reshape(-1, HOUSES, DEPTH)
    filled = houses > 0
    top = filled & True  # a copy, in both libraries
    top[:, :, :-1] &= ~filled[:, :, 1:]
    numbers = seen[:, list(NUMBERS)] / 52.0
    return (houses * top).sum(-1), seen[:, list(TOPS)], numbers, filled.sum(-1) / 13.0
