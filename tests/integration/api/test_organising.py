"""An organiser without a browser: plans an invited event, tells everyone, and reads the sheets."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.api import Filled, filled
from tests.factories.results import play_all
from tournaments.models import Tournament
from tournaments.pairing.progress import start_tournament

pytestmark = pytest.mark.django_db
BASE = "/api/v1/tournaments/"


@pytest.fixture
def arena() -> Filled:
    return filled()


def asks(arena: Filled, who: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {arena.tokens[who]}"})


def send(client: Client, path: str, body: dict[str, Any]) -> Any:
    return client.post(path, body, content_type="application/json")


def test_an_invited_event_is_planned_entered_by_key_announced_and_read(arena: Filled) -> None:
    ada, bob = asks(arena, "owner"), asks(arena, "other")
    Tournament.objects.filter(owner__username="ada").update(status=Tournament.Status.CANCELLED)
    now = timezone.now()
    wish = {
        "name": "Friends",
        "variant": "russian-bank",
        "entrants": [{"bot": "adas-first"}],
        "match": {"kind": "deals", "target": 1},
        "closes": (now + timedelta(hours=1)).isoformat(),
        "starts": (now + timedelta(hours=2)).isoformat(),
        "invited": True,
    }
    early = send(ada, BASE, {**wish, "starts": now.isoformat()})
    assert (early.status_code, early.json()["field"]) == (422, "starts")
    made = send(ada, BASE, wish).json()
    assert (made["status"], made["invited"]) == ("draft", True)
    assert made["starts_at"] > made["registration_until"]
    event = f"{BASE}{made['tournament']}/"
    entry = {"bot": "bobs-first"}
    assert send(bob, f"{event}entries/", entry).json()["field"] == "key"
    assert bob.get(f"{event}key/").status_code == 403
    old = ada.get(f"{event}key/").json()["key"]
    key = ada.post(f"{event}key/").json()["key"]
    assert old != key
    assert send(bob, f"{event}entries/", {**entry, "key": old}).status_code == 422
    assert send(bob, f"{event}entries/", {**entry, "key": key}).status_code == 201
    assert send(bob, f"{event}announcements/", {"text": "Hello."}).status_code == 403
    told = send(ada, f"{event}announcements/", {"text": "Round 1 begins at noon."}).json()
    assert Client().get(f"{event}announcements/").json()["items"] == [told]
    assert ada.delete(f"{event}announcements/{told['id']}/").status_code == 204
    assert ada.delete(f"{event}announcements/{told['id']}/").status_code == 404
    played = Tournament.objects.get(slug=made["tournament"])
    start_tournament(played)
    play_all(played)
    sheet = Client().get(f"{event}matches/1/1/sheet/").json()
    assert len(sheet["points"]) == 2
    assert [line["seat"] for line in sheet["deals"][0]["lines"]] == [1, 2]
    assert Client().get(f"{BASE}cup/matches/1/1/sheet/").status_code == 404


def test_a_program_invites_an_organiser_who_accepts_manages_and_leaves(arena: Filled) -> None:
    ada, bob = asks(arena, "owner"), asks(arena, "other")
    event = f"{BASE}cup/"
    refused = send(bob, f"{event}invitation/", {"answer": "accept"})
    assert (refused.status_code, send(bob, f"{event}pause/", {}).status_code) == (404, 403)
    assert send(ada, f"{event}organisers/", {"user": "nobody"}).json()["field"] == "user"
    assert send(ada, f"{event}organisers/", {"user": "bob"}).json() == {"message": "bob is invited."}
    assert Client().get(f"{event}organisers/").json() == {"items": ["ada"]}, "not before he accepts"
    assert send(bob, f"{event}invitation/", {"answer": "accept"}).json() == {"items": ["ada", "bob"]}
    assert send(bob, f"{event}pause/", {}).json()["status"] == "paused"
    assert bob.delete(f"{event}organisers/ada/").status_code == 409
    assert bob.delete(f"{event}organisers/nobody/").status_code == 404
    assert send(bob, f"{event}invitation/", {"answer": "leave"}).json() == {"items": ["ada"]}
    assert send(bob, f"{event}resume/", {}).status_code == 403
