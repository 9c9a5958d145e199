"""Finished games as rows to train on: every decision with what the seat could know and do."""

from typing import Any

import pytest

import engine
from analysis import game_record
from engine.policies.greedy import greedy
from engine.turns.moves import texts
from kit.records import rows


def record(variant: str, players: int = 2) -> dict[str, Any]:
    """A game that greedy seats, or the first legal actions, played to its end."""
    start = engine.deal(variant, "rows", players)
    game = engine.Game.of(start)
    events = []
    while game.acting:
        if start.rules.in_ticks:
            words = [next(word for word in game.options(seat) if word != "wait") for seat in game.acting]
            events.append(game.apply(",".join(words)))
        else:
            assert isinstance(game, engine.TurnGame)
            events.append(game.apply(str(texts(players, game.acting[0])[greedy(game.core)])))
    outcome = game.outcome()
    assert outcome is not None
    result = {"ranking": outcome.ranking, "points": outcome.points, "termination": "win"}
    head = game_record.head(
        game="one",
        variant=variant,
        seats=[game_record.seat_head(f"bot {seat}") for seat in range(players)],
        start=str(start),
        status="finished",
        result=result,
    )
    return dict(game_record.whole(head, [event.as_dict() for event in events]))


@pytest.mark.parametrize(("variant", "players"), [("crapaud", 2), ("crapette", 3), ("vitesse", 2)])
def test_every_decision_is_a_row_that_shows_only_what_was_seen(variant: str, players: int) -> None:
    played = record(variant, players)
    found = list(rows.rows(played, luck=True))

    words = engine.words_of(played["events"])
    moves = [one for word in words for one in word.split(",")]
    assert [row["move"] for row in found] == moves
    for row in found:
        assert row["move"] in row["legal"]
        assert row["bot"] == f"bot {row['seat']}"
    first = engine.Position.parse(found[0]["position"])
    assert first == engine.Position.parse(played["start"]).public()
    assert {row["luck"] is None for row in found} == {players > 2}
    best = list(played["result"]["ranking"][0])
    assert {row["seat"] for row in found if row["result"] == 1} == (set(best) if len(best) == 1 else set())
    assert abs(sum({row["seat"]: row["result"] for row in found}.values())) < 1e-9
