"""Games of a tournament that the greedy bot really plays, without a sandbox."""

from typing import Any

import engine
from analysis.training.selfplay import play
from bots.playing.game_process import DeliveredGame
from engine.policies.greedy import greedily
from tests.factories.results import accept_result, lease
from tournaments.models import Game


def finish(broken: int | None = None, resigned: int | None = None) -> Game:
    """Play the next game really, by the greedy bot on both seats; or break its record at an event, or let
    seat 1 resign after so many."""
    claimed = lease()
    game = Game.objects.get(pk=claimed.game)
    start = engine.Position.parse(game.start)
    replay = engine.Game.replay(start, play(start, [greedily, greedily]).words)
    assert replay.error is None
    table = replay.game
    log: list[Any] = [
        {"n": n, "ply": n + 1, "clocks": [1, 1], **event.as_dict()} for n, event in enumerate(table.history)
    ]
    if broken is not None:
        log[broken]["move"] = "t1-t1"
    outcome = table.outcome()
    assert outcome is not None
    body = {
        "termination": outcome.result,
        "seat": None,
        "detail": "",
        "ranking": [list(group) for group in outcome.ranking],
        "points": list(outcome.points),
        "left": [seat.left for seat in table.position.seats],
        "plies": table.ply,
        "turns": table.turn_number,
        "cpu_ms": [1, 1],
    }
    if resigned is not None:
        del log[resigned:]
        body |= {"termination": "resignation", "seat": 1, "ranking": [[0], [1]], "points": [0, 0]}
        body |= {"left": [40, 44], "plies": resigned}
    log.append({"n": len(log), "type": "end", "result": body})
    accept_result(claimed, DeliveredGame(log, body))
    game.refresh_from_db()
    return game
