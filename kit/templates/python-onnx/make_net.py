"""Writes net.onnx, which values each kind of move by its place in a list. Run it with: python make_net.py"""

from pathlib import Path

from crapette.onnx import Layer, written

# 0 is best. In the order of KINDS in bot.py; "lower" is last, since moves of houses could go on for ever.
RANKS = [0, 1, 2, 3, 4, 99, 5, 6, 7, 8, 9, 10]

if __name__ == "__main__":
    layer = Layer([[-rank] for rank in RANKS], [0])
    Path(__file__).with_name("net.onnx").write_bytes(written([layer]))
