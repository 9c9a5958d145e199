"""Plays the move that it has learned to like best, one at a time, with ONNX Runtime.

The net was trained by `crapette.examples.ppo`. A position that it has been in this turn it does not go back
to: moves between houses could go to and fro for ever.
"""

from pathlib import Path

import numpy as np
import onnxruntime as ort
from crapette import run
from crapette.engine.turns.layout import encode
from crapette.engine.turns.moves import texts
from features import BYTES, CARDS, WIDTH, card_views

options = ort.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1  # a bot has one thread
NET = ort.InferenceSession(str(Path(__file__).with_name("net.onnx")), options)
BEEN = {"turn": None, "tables": set()}


def inputs(seen, legal):
    """Return the row that the net takes, as training has it."""
    houses, tops, numbers, sizes = card_views(np.frombuffer(seen, np.uint8)[None])
    row = np.zeros((1, WIDTH), np.float32)
    cards = np.concatenate((houses, tops), 1)[0].astype(int)
    row[0, np.arange(CARDS) * BYTES + cards] = 1
    first = CARDS * BYTES
    plain = np.concatenate((numbers, sizes), 1)[0]
    row[0, first : first + len(plain)] = plain
    row[0, first + len(plain) + np.array(legal)] = 1
    return row


def choose(turn):
    core = turn.game().core
    legal = core.legal()
    worth = NET.run(None, {"x": inputs(encode(turn.tracker(), turn.seat), legal)})[0][0]
    if BEEN["turn"] != core.turn_number:
        BEEN.update(turn=core.turn_number, tables=set())
    BEEN["tables"].add(core.table_hash())
    names = texts(2, core.turn)
    for move in sorted(legal, key=lambda move: -worth[move]):
        if not names[move].startswith("t"):
            break  # only moves from houses can lead back
        after = core.clone()
        after.push(move)
        if after.turn != core.turn or after.table_hash() not in BEEN["tables"]:
            break
    return names[move]


run(choose, stop=lambda poll: poll.irregular(), name="ppo", plays=["crapaud"])
