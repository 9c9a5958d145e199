# family: protocol abuse
# does: offers a draw with every move and thinks it will be taken
# contained by: the protocol, parsed strictly and within bounds
# expect: win stall passes draw-agreed

from crapette import Answer, run

run(lambda turn: Answer(turn.legal[0], offer_draw=True, comment="x" * 5000, evaluation=1.0))
