"""What is formatted by hand has the declared fields: each message to a bot, and each event of a record."""

import json
from typing import Any

import engine
from referee import messages
from referee.job import ClockRule
from referee.protocol import nonces
from referee.ticks.loop import TickReferee
from tests.unit.referee.scripted import Played, Scripted, TickPlayer, eager

MESSAGES: dict[str, Any] = {
    **{"hello": messages.Hello, "move": messages.MoveQuestion, "stop": messages.StopQuestion},
    **{"tick": messages.TickQuestion, "end": messages.EndMessage},
}
"""The messages to bots by their ``type``."""
EVENTS: dict[str, Any] = {
    **{"move": messages.PlyEvent, "stop": messages.PlyEvent, "tick": messages.TickEvent},
    **{"offer": messages.NoteEvent, "decline": messages.NoteEvent, "end": messages.EndEvent},
}
"""The events of a record by their ``type``."""
WISHES = {"type": "ready", "stops": True, "start": True, "name": "all ears"}


def talkative(message: dict[str, Any]) -> dict[str, Any]:
    """Says everything a bot may say, and calls stop now and then."""
    if message["type"] == "stop":
        return {"id": message["id"], "stop": message["ply"] % 7 == 0}
    offer = message["ply"] % 11 == 0 and not message.get("draw_offered")
    remarks = {"comment": "so", "eval": 0.5, "offer_draw": offer}
    return {"id": message["id"], "moves": [message["legal"][0]], **remarks}


def assert_fields(events: list[dict[str, Any]], *players: Scripted) -> None:
    """Check that each object has all the fields it must have, and no others than it may have."""
    heard = [message for player in players for message in player.heard]
    for declared, found in ((EVENTS, events), (MESSAGES, heard)):
        for one in found:
            kind = declared[one["type"]]
            assert kind.__required_keys__ <= one.keys() <= kind.__required_keys__ | kind.__optional_keys__, (
                one
            )
            assert "result" not in one or one["result"].keys() == messages.ResultFields.__required_keys__


def test_a_game_of_turns_says_and_records_what_is_declared() -> None:
    game = engine.TurnGame.deal("crapette-it", "5" * 64)
    players = [Scripted(talkative, ready=WISHES), Scripted(talkative, ready=WISHES)]
    played = Played(game.position, players)
    assert_fields(played.events, *players)
    assert {"move", "stop", "offer", "decline", "end"} <= set(played.kinds())
    assert {message["type"] for message in players[0].heard} == {"hello", "move", "stop", "end"}


def test_a_game_in_ticks_says_and_records_what_is_declared() -> None:
    def remarked(message: dict[str, Any]) -> Any:
        answer: Any = eager(message)
        return answer | {"comment": "so", "eval": 0.5}

    players = [TickPlayer(remarked), TickPlayer()]
    game = engine.TickGame(engine.TickGame.deal("vitesse", "3" * 64).start)
    referee = TickReferee(game, players, [ClockRule(60_000, 500, 60_000)] * 2, nonces("test"))
    events = [json.loads(line) for lines in referee.play() for line in lines]
    referee.close()
    assert_fields(events, *players)
    assert {event["type"] for event in events} == {"tick", "end"}
