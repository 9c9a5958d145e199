"""Offers a draw with every answer and accepts every one."""

from crapette import Answer, run


def choose(turn):
    if turn.draw_offered:
        return Answer(accept_draw=True)
    return Answer(turn.legal[0], offer_draw=True, comment="peace?", evaluation=0.5)


run(choose)
