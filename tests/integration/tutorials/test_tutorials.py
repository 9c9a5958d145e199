"""The pages of the tutorials, and what they are told while a step is played."""

from typing import Any

import pytest
from django.test import Client

from friendlies.tutorials.steps import steps_of

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def move(client: Client, address: str, **said: Any) -> Any:
    answer = client.post(f"/learn/{address}/move/", said, content_type="application/json")
    assert answer.status_code == 200
    return answer.json()


def test_a_step_is_played_without_anything_being_kept(client: Client) -> None:
    number = [step.key for step in steps_of("crapette")].index("empty") + 1
    address = f"crapette/{number}"
    state = client.get(f"/learn/{address}/state.json").json()

    wrong = move(client, address, do="move", move="t1-t3", cards=1, moves=[])
    first = move(client, address, do="move", move="t1-t2", cards=1, moves=[])
    second = move(client, address, do="move", move="t1-f", cards=1, moves=first["moves"])

    assert state["record"]["start"].startswith("crapette 0 play")
    assert state["hint"]["move"] == "t1-t2"
    assert wrong["refused"].startswith("Houses build down in the same suit")
    assert (wrong["moves"], wrong["events"], wrong["done"]) == ([], [], False)
    assert (first["from"], len(first["events"]), first["done"]) == (0, 1, False)
    assert (second["from"], second["moves"], second["done"]) == (1, ["t1-t2", "t1-f"], True)
    assert second["hint"] is None


def test_the_opponent_moves_where_the_step_says_so_and_a_tick_is_played_by_both(client: Client) -> None:
    number = [step.key for step in steps_of("crapette-it")].index("stop") + 1
    address = f"crapette-it/{number}"
    state = client.get(f"/learn/{address}/state.json").json()
    stopped = move(client, address, do="stop", moves=[])
    assert [event["move"] for event in state["events"]] == ["t2-t4"]
    assert state["awaits"] == "window"
    assert stopped["done"]
    assert [event["type"] for event in stopped["events"]] == ["stop"]
    state = client.get("/learn/vitesse/1/state.json").json()
    played = move(client, "vitesse/1", do="tick", tick=state["tick"], action="s1-f", moves=[])
    assert played["done"]
    assert played["events"][0]["actions"] == ["s1-f", "turn"]
    answer = client.post("/learn/crapo/1/move/", {"moves": ["h-d"]}, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "moves"), "nonsense is told so"
