"""Finished games judged as the strongest house bot would, decision by decision: it takes seconds a game.

`turns` also says what the lines of one position are worth. Nobody is judged in the middle of a turn: only
where a card is turned up, the turn ends, or a tick is over.
"""
