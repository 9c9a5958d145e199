"""A chess engine of few words: plays both sides of one fixed game, move by move, at once.

It is what fastchess is measured with, in the place of our scripted bots. The game is legal, without captures,
checks or repetitions, and 200 plies long, so that nothing but the agreed number of moves ends it. How long
the games took from its first move to its last is written to the folder it is given.
"""

import os
import sys
import time

GAME = """
f2f3 f7f6 a2a4 d7d5 g2g3 d8d6 e2e3 d6c5 f1a6 e7e6 e1f2 c5d6 d2d3 c7c5 c1d2 c5c4 g1e2 b8d7 d2c3 h7h6
h2h3 f6f5 c3b4 d6c7 b1d2 c7a5 d3d4 e8d8 h3h4 a5c7 e2c1 d7b8 d2b1 f5f4 b4d6 g7g5 g3g4 c8d7 h1h2 c7c8
a6b5 h6h5 a1a2 b7b6 e3e4 h8h7 a2a1 g8h6 f2g2 d7c6 d1d3 h7e7 d3f1 f8g7 b1c3 c6e8 c3b1 c8b7 b5c6 e8g6
g2f2 b6b5 b1d2 c4c3 f2g2 e7f7 c1a2 b8a6 h2h1 b7c7 b2b3 f7f5 f1c4 g7h8 h1e1 c7a5 g2h2 g6h7 d6b8 h6f7
a1d1 h8g7 h2g2 f7d6 c6e8 g7f8 c4e2 d6c8 d1a1 b5b4 e1d1 a5b6 e2c4 f5f7 a2c1 b6a5 e8b5 c8b6 g2h3 d8e7
a1a3 h7g6 b5c6 f7h7 h3g2 h7g7 c4d3 g7g8 g2g1 e6e5 c6b7 g6h7 d3c4 h7g6 c4b5 g6h7 d2b1 g8g6 b1d2 f8h6
g1f2 b6c8 d1g1 g6g8 g1d1 e7f7 b5d3 c8b6 a3a1 h7f5 c1e2 a6c7 e2g3 f5g6 d1g1 h6f8 d2b1 c7e8 d3d2 a5b5
b1a3 g6f5 b7a6 f8h6 g1c1 b6c8 a1b1 g8g6 f2g1 b5c5 a3c4 c5f8 d2f2 e8g7 f2e3 g6c6 b1a1 f5g6 a1b1 f7e8
g3f1 c6d6 a6b7 f8g8 a4a5 d6d7 b8c7 c8d6 e3d2 d6f5 d2h2 a8b8 h2h3 g8h7 a5a6 h7h8 c7a5 h8g8 b1a1 e8e7
a1a4 d7d8 a4a3 g7e8 c1b1 e8d6 c4b2 e7d7 a3a2 f5g7 f1d2 b8c8 g1g2 c8c5 g2h1 g7f5 b1c1 d8e8 c1a1 g8h8
"""


def main() -> None:
    """Answer until told to quit."""
    answers = {b"uci": b"id name script\nuciok\n", b"isready": b"readyok\n"}
    moves = [f"bestmove {move}\n".encode() for move in GAME.split()]
    ply = plies = passed = first = last = begun = 0
    unread = b""
    while True:
        chunk = os.read(0, 1 << 16)
        if not chunk:
            return
        *lines, unread = (unread + chunk).split(b"\n")
        for line in lines:
            if line.startswith(b"position"):
                ply = line.count(b" ") - 2 if b"moves" in line else 0
            elif line.startswith(b"go"):
                last = time.monotonic_ns()
                if ply < 2:
                    first, begun = last, ply
                os.write(1, moves[ply])
            elif line in answers:
                os.write(1, answers[line])
            elif line in {b"ucinewgame", b"quit"} and first:
                plies, passed, first = plies + ply - begun, passed + last - first, 0
                with open(f"{sys.argv[1]}/{os.getpid()}", "w") as note:  # noqa: PTH123 (pathlib is slow to import)
                    note.write(f"{plies} {passed}")
            if line == b"quit":
                return


main()
