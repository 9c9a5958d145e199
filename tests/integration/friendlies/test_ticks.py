"""A person against a sandboxed bot in ticks: what stays hidden, the server's clock, pauses, the end."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import engine
from bots.models import Version
from friendlies.models import Friendly
from friendlies.opponent.engagement import Engagement
from friendlies.tables.bot_turns import answer
from friendlies.tables.opponents import Engagements
from friendlies.tables.store import load_ticks
from tests.factories.friendlies import act, sit_down

pytestmark = pytest.mark.django_db

LATE = "vitesse 40 9,0/9,0/9,0/9,0 ./KS,KH,KD,KC/2S3H/. 9S8D7D6D/TS,QH,QD,QC/3S/. 3 0,0/."
"""Seat 1 can play the ten of spades; the reserve of seat 0 is empty."""


def state(client: Client, game: Friendly) -> dict[str, Any]:
    found: dict[str, Any] = client.get(reverse("play:state", args=[game.pk])).json()
    return found


def sit(client: Client, version: Version, pace: str) -> Friendly:
    return sit_down(client, version, variant="vitesse", pace=pace)


def open_since(game: Friendly, seconds: float) -> None:
    Friendly.objects.filter(pk=game.pk).update(clock_from=timezone.now() - timedelta(seconds=seconds))


@pytest.mark.any_database
def test_the_bots_choice_is_hidden_until_both(
    client: Client, greedy: Version, opponents: Engagements
) -> None:
    game = sit(client, greedy, "wait")
    Friendly.objects.update(start=LATE)
    assert "paused" in act(client, game, do="tick", tick=40, action="wait")["refused"]
    act(client, game, do="go")
    assert answer(game.pk, opponents)

    told = state(client, game)
    stored = load_ticks(Friendly.objects.get()).pending[1]
    assert stored is not None
    assert stored["action"] == "s1-f"
    assert (told["awaits"], told["tick"], told["events"]) == ("person", 40, [])
    assert "s1-f" not in json.dumps({**told, "legal": []})
    refused = act(client, game, do="tick", tick=40, action="s1-f")["refused"]
    assert refused == "K♠ does not fit on a foundation now."

    told = act(client, game, do="tick", tick=40, action="turn", length=0, epoch=0)
    assert told["events"][0]["actions"] == ["turn", "s1-f"]
    assert (told["awaits"], told["tick"]) == ("bot", 41)


def test_the_servers_clock_decides_who_is_late(
    client: Client, greedy: Version, opponents: Engagements
) -> None:
    game = sit(client, greedy, "1")
    Friendly.objects.update(start=LATE)
    act(client, game, do="go")
    assert answer(game.pk, opponents)

    open_since(game, 0.5)
    assert act(client, game, do="close", tick=40)["tick"] == 40  # the page's clock is ahead
    open_since(game, 1.1)
    assert act(client, game, do="close", tick=40)["tick"] == 41
    assert answer(game.pk, opponents)
    open_since(game, 1.5)
    told = act(client, game, do="tick", tick=41, action="turn", length=0, epoch=0)
    assert told["refused"] == "Too late: the tick is over."
    assert [event["late"] for event in told["events"]] == [[0], [0]]

    assert answer(game.pk, opponents)
    open_since(game, 60)
    assert state(client, game)["paused"]
    told = act(client, game, do="tick", tick=42, action="turn")
    assert (told["refused"], told["tick"]) == ("The game is paused. Continue first.", 42)
    assert not act(client, game, do="go")["paused"]
    open_since(game, 0.5)
    since = Friendly.objects.get(pk=game.pk).clock_from
    act(client, game, do="go")
    assert Friendly.objects.get(pk=game.pk).clock_from == since, "saying it again gives no more time"
    for tick in (42, 43, 44):
        open_since(game, 1.1)
        told = act(client, game, do="close", tick=tick)
        assert answer(game.pk, opponents)
    assert told["paused"]  # five times late in a row
    assert act(client, game, do="pace", ms=500)["refused"]
    assert act(client, game, do="pace", ms=0)["tick_ms"] == 0


class Hasty(Engagements):
    """Bots beside whom something happens just before what they said is written down."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__(2)
        self._meanwhile = meanwhile

    def keep(self, row: Friendly, engagement: Engagement) -> None:
        self._meanwhile()
        super().keep(row, engagement)


@pytest.mark.each_database
def test_a_tick_counts_when_both_answer_at_the_same_moment(client: Client, greedy: Version) -> None:
    game = sit(client, greedy, "wait")
    act(client, game, do="go")
    hasty = Hasty(lambda: act(client, game, do="tick", tick=0, action="wait"))

    assert answer(game.pk, hasty)
    hasty.dismiss()

    told = state(client, game)
    assert (told["tick"], told["awaits"]) == (1, "bot")
    assert told["events"][0]["actions"][0] == "wait"


def test_a_game_in_ticks_ends_and_is_replayed(
    client: Client, greedy: Version, opponents: Engagements
) -> None:
    game = sit(client, greedy, "wait")
    Friendly.objects.update(start=LATE)
    told = act(client, game, do="go", length=0, epoch=0)
    while told["result"] is None:
        assert answer(game.pk, opponents)
        wanted = "stop" if told["tick"] == 43 else "wait"
        told = act(client, game, do="tick", tick=told["tick"], action=wanted, length=0, epoch=0)

    assert told["result"]["termination"] == "stop"
    record = client.get(reverse("play:record", args=[game.pk])).json()
    replayed = engine.TickGame(engine.TickPosition.parse(record["start"]))
    replayed.play([",".join(event["actions"]) for event in record["events"] if event["type"] == "tick"])
    outcome = replayed.outcome()
    assert outcome is not None
    assert list(outcome.points) == record["result"]["points"]
    assert "data-explore" not in client.get(reverse("play:replay", args=[game.pk])).content.decode()
    assert client.get(reverse("play:explore", args=[game.pk])).status_code == 409
