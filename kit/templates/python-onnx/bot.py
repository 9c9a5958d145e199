"""My first bot with a net: the net says how good each legal move is, and the bot plays the best.

make_net.py wrote net.onnx. Train a better one with whatever you like, and keep its input `x` and output `y`.
"""

from pathlib import Path

import numpy as np
import onnxruntime as ort
from crapette import run

KINDS = [
    "foundation",
    "reserve",
    "load",
    "house",
    "taller",
    "lower",
    "draw",
    "stop",
    "turn",
    "h-d",
    "wait",
    "pass",
]

options = ort.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1  # a bot has one thread
NET = ort.InferenceSession(str(Path(__file__).with_name("net.onnx")), options)


def kind(move, houses):
    """What a move does, one of KINDS."""
    source, _, target = move.partition("-")
    if target == "f":
        return "foundation"  # a card to a foundation
    if source == "r":
        return "reserve"  # a card from your reserve
    if target[:1] == "r" or target[:1] == "d" != target:
        return "load"  # a card onto an opponent's pile
    if target[:1] != "t":
        return move
    if source[0] != "t":
        return "house"  # a card from your hand or discard to a house
    taller = len(houses[int(target[1:]) - 1]) >= len(houses[int(source[1:]) - 1])
    return "taller" if taller else "lower"  # a card onto another house


def features(move, houses):
    """What the net sees of a move: a row of len(KINDS) numbers."""
    row = np.zeros(len(KINDS), np.float32)
    row[KINDS.index(kind(move, houses))] = 1
    return row


def choose(turn):
    houses = turn.position.split()[4].split("/")
    inputs = np.stack([features(move, houses) for move in turn.legal])
    values = NET.run(None, {"x": inputs})[0][:, 0]
    return turn.legal[int(values.argmax())]


run(choose, tick=choose)
