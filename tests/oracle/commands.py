"""The command line of RULES 8 as functions from a line to a line, for comparison with `python -m engine`."""

import json

from tests.oracle import vitesse
from tests.oracle.dealing import deal
from tests.oracle.moves import legal
from tests.oracle.play import BadMove, apply, stop
from tests.oracle.position import BadPosition, State, parse
from tests.oracle.scoring import score


def legal_line(line: str) -> str:
    """`legal`: a position line to its legal moves. Raises BadPosition."""
    if line.startswith("vitesse "):
        return vitesse.legal_line(vitesse.parse(line))
    return " ".join(legal(parse(line)))


def apply_line(line: str) -> str:
    """`apply`: "position<TAB>move move ..." to the position after. Raises BadPosition or BadMove."""
    text, tab, moves = line.partition("\t")
    if not tab:
        raise BadPosition("no tab")
    if line.startswith("vitesse "):
        tick = vitesse.parse(text)
        for pair in moves.split(" ") if moves else []:
            vitesse.apply(tick, pair)
        return str(tick)
    state = parse(text)
    for move in moves.split(" ") if moves else []:
        if move == "stop":
            stop(state)
        else:
            apply(state, move)
    return str(state)


def score_line(line: str) -> str:
    """`score`: a finished position to its result, ranking and points. Raises BadPosition."""
    found = vitesse.score(vitesse.parse(line)) if line.startswith("vitesse ") else _score(parse(line))
    return json.dumps(found)


def _score(state: State) -> dict[str, object]:
    if state.result is None:
        raise BadPosition("the game goes on")
    return score(state)


def deal_line(variant: str, seed: str, players: int = 2) -> str:
    """`deal`: the position line."""
    return str(vitesse.deal(seed) if variant == "vitesse" else deal(variant, seed, players))


def perft(variant: str, seed: str, depth: int, players: int = 2) -> int:
    """`perft`: the number of sequences of `depth` moves of the mover (no stop calls)."""
    if variant == "vitesse":
        return vitesse.perft(vitesse.deal(seed), depth)
    return _perft(deal(variant, seed, players), depth)


def _perft(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in legal(state):
        after = state.copy()
        apply(after, move.rstrip("!"))
        total += _perft(after, depth - 1)
    return total


__all__ = ["BadMove", "BadPosition", "apply_line", "deal_line", "legal_line", "perft", "score_line"]
