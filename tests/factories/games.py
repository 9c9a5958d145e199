"""Games really played, by bots that choose by a hash of where they are: the same deal, the same game."""

import hashlib
from typing import Any

import engine
from bots.playing.game_process import DeliveredGame
from tournaments.models import Game
from tournaments.models.embargo import seeing_hidden

RESIGNS_AFTER = 60
"""Plies after which the mover of a game that goes on resigns, so that tests need not wait for its end."""


@seeing_hidden()
def played(game_id: object, *, plies: int = RESIGNS_AFTER) -> DeliveredGame:
    """What a playing process would deliver: every move legal, the result that follows."""
    game = Game.objects.select_related("tournament").get(pk=game_id)  # type: ignore[misc]
    table = engine.TurnGame(engine.TurnPosition.parse(game.start))
    events: list[Any] = []
    clocks = [game.tournament.bank_ms] * table.players
    while not table.finished and table.ply < plies:
        moves = table.legal_moves()
        event = table.push(moves[_choice(game.start, table.ply, len(moves))])
        ms = table.ply % 7
        clocks[event.seat] -= ms
        said = {"comment": "so – and now?", "eval": 0.25} if table.ply % 10 == 0 else {}
        events.append(
            {
                **event.as_dict(),
                "n": len(events),
                "ply": table.ply,
                "ms": ms,
                "clocks": list(clocks),
                **said,
            }
        )
    result = _result(table)
    end: Any = {"n": len(events), "type": "end", "ply": table.ply, "result": result, "clocks": list(clocks)}
    return DeliveredGame(
        [*events, end], result, [{"stderr": "", "exit": ""}] * table.players, {"level": "full"}
    )


def _result(table: engine.TurnGame) -> dict[str, Any]:
    outcome = table.outcome()
    if outcome is not None:
        termination, seat, detail = outcome.result, None, "Ended by the rules."
        ranking, points = outcome.ranking, outcome.points
    else:
        seat = table.turn
        termination, detail = "resignation", f"Seat {seat} resigned."
        given_up = table.position.given_up(seat)
        ranking, points = given_up.ranking, given_up.points
    return {
        "termination": termination,
        "seat": seat,
        "detail": detail,
        "ranking": [list(group) for group in ranking],
        "points": list(points),
        "left": list(table.position.left),
        "plies": table.ply,
        "turns": table.turn_number,
        "cpu_ms": [10 + seat for seat in range(table.players)],
    }


def _choice(start: str, ply: int, count: int) -> int:
    return int.from_bytes(hashlib.sha256(f"{start} {ply}".encode()).digest()[:4], "big") % count
