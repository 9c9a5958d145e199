"""Finished games judged as the strongest house bot would, decision by decision: it takes seconds a game.

`judging` says what the lines of one position are worth, `turns` and `ticks` go through games. Nobody is
judged in the middle of a turn: only where a card is turned up, the turn ends, or a tick is over.
"""
