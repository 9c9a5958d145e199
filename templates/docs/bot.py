"""My first bot: foundation first, then the opponent's reserve, then whatever is legal."""

from crapette import run


def choose(turn):
    for target in ("-f", "-r"):
        for move in turn.legal:
            if move.endswith(target):
                return move
    return turn.legal[0]


run(choose, name="first")
