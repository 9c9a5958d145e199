"""Persons against real bots in real sandboxes, in turns and in ticks, asked by whatever worker is there."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import engine
from analysis.errors import InvalidFriendly
from analysis.event_log import unpack
from bots.models import Version
from engine.policies import greedy
from engine.turns.moves import texts
from friendlies.games.turns import Awaits
from friendlies.models import Friendly
from friendlies.opponent.engagement import Engagement
from friendlies.tables import idle
from friendlies.tables.bot_turns import answer
from friendlies.tables.new_games import NewFriendly, start, start_duplicate
from friendlies.tables.new_games import opponents as opponents_of
from friendlies.tables.people import Person
from friendlies.tables.store import load_ticks, load_turns
from friendlies.tables.waiting_bots import Engagements
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot
from tests.factories.friendlies import act, ended, sit_down
from tests.factories.tournaments import running
from tests.thinking import post

pytestmark = pytest.mark.django_db


def late_position(variant: str, plies: int) -> dict[str, str]:
    """Where greedy play from both seats leads: fields of a game that begins there."""
    game = engine.TurnGame.deal(variant, "11" * 32)
    while game.ply < plies:
        game.push(greedy_move(game))
    return {"start": str(game.position), "awaits": Awaits.BOT if game.turn else Awaits.PERSON}


def greedy_move(game: engine.TurnGame) -> str:
    return str(texts(2, game.turn)[greedy(game.core)])


def test_a_guest_plays_a_restarted_bot(client: Client, greedy: Version, opponents: Engagements) -> None:
    game = sit_down(client, greedy, variant="crapette")
    Friendly.objects.update(**late_position("crapette", plies=200))
    told = client.get(reverse("play:state", args=[game.pk])).json()
    assert "??" in told["record"]["start"]
    for step in range(3000):
        if told["awaits"] == "person":
            move = greedy_move(load_turns(Friendly.objects.get()).game)
            assert move in [one["move"] for one in told["legal"]]
            told = act(client, game, do="move", move=move, length=told["length"], epoch=told["epoch"])
            assert told["refused"] == ""
        else:
            assert answer(game.pk, opponents)
            told = client.get(reverse("play:state", args=[game.pk]), {"length": told["length"]}).json()
        if step == 20:
            opponents.dismiss()  # as when a worker is started anew: the next bot is told the whole game
        if told["awaits"] == "nobody":
            break
    record = client.get(reverse("play:record", args=[game.pk])).json()
    moves = [event["move"] for event in record["events"] if event["type"] == "move"]
    replayed = engine.Game.replay(engine.TurnPosition.parse(record["start"]), moves)
    outcome = replayed.game.outcome()
    assert outcome is not None
    assert [list(group) for group in outcome.ranking] == record["result"]["ranking"]
    assert client.get(reverse("play:table", args=[game.pk])).status_code == 302


@pytest.mark.any_database
def test_nobody_else_sees_a_game_under_way(client: Client, greedy: Version, opponents: Engagements) -> None:
    game = sit_down(client, greedy)
    if game.bot_is_awaited:
        assert answer(game.pk, opponents)
    told = client.get(reverse("play:state", args=[game.pk])).json()
    public = str(engine.TurnPosition.parse(game.start).public())
    assert told["record"]["start"] == public
    assert all("comment" not in event and "eval" not in event for event in told["events"])
    assert client.get(reverse("play:record", args=[game.pk])).status_code == 404

    client.cookies.clear()
    assert client.get(reverse("play:state", args=[game.pk])).status_code == 404
    assert client.get(reverse("play:table", args=[game.pk])).status_code == 403
    reply = client.post(reverse("play:act", args=[game.pk]), "{}", content_type="application/json")
    assert reply.status_code == 404


def test_hints_come_in_steps_and_moves_are_taken_back(client: Client, greedy: Version) -> None:
    ada = author("ada")
    client.force_login(ada)
    line = str(engine.deal("crapaud", "00" * 32))  # seat 1 begins; t6-f is legal
    game = start(Person(ada), NewFriendly("crapaud", greedy.pk, 1))
    Friendly.objects.filter(pk=game.pk).update(start=line, awaits=Awaits.PERSON)
    for action in ({"do": "move", "move": "t1-t2"}, {"do": ["undo"]}, {"do": "stop"}, {"do": "undo"}):
        assert act(client, game, **action)["refused"]
    address = reverse("play:hint", args=[game.pk])
    words = [json.loads(post(client, address, {"step": step}).content) for step in (1, 2, 3, 4, 1)]
    assert words[0]["move"] == words[1]["move"] == ""
    assert words[3]["move"] == words[2]["move"]
    assert words[2]["move"] in engine.TurnGame(engine.TurnPosition.parse(line)).legal_moves()
    assert Friendly.objects.get(pk=game.pk).hints == 1

    told = act(client, game, do="move", move="t6-f", length=0, epoch=0)
    assert (told["from"], [event["move"] for event in told["events"]]) == (0, ["t6-f"])
    told = act(client, game, do="undo", length=1, epoch=0)
    assert (told["from"], told["events"], told["epoch"], told["length"]) == (0, [], 1, 0)
    told = act(client, game, do="resign")
    assert (told["result"]["termination"], told["result"]["seat"]) == ("resignation", 1)


def test_the_deal_of_a_game_that_waits_cannot_be_played(greedy: Version) -> None:
    ada = author("ada")
    event = running(ada, [greedy, accepted_bot(ada, "Mine")], pairs=1)
    with pytest.raises(InvalidFriendly, match="stays secret"):
        start_duplicate(Person(ada), event.games.all()[0], 0)


def test_an_empty_clock_loses_and_leaving_for_long_means_resigning(greedy: Version) -> None:
    ada = author("ada")
    timed = start(Person(ada), NewFriendly("crapo", greedy.pk, 0, "5+5"))  # seat 0 begins
    left = start(Person(None, "a guest", "an address"), NewFriendly("crapo", greedy.pk, 0))
    kept = start(Person(ada), NewFriendly("crapo", greedy.pk, 0))
    idle.sweep()
    assert not Friendly.objects.exclude(status="running").exists()

    ago = timezone.now() - timedelta(hours=4)
    Friendly.objects.update(clock_from=ago, acted_at=ago)
    idle.sweep()
    ended = {row.pk: row.result["termination"] for row in Friendly.objects.exclude(result=None) if row.result}
    assert ended == {timed.pk: "timeout", left.pk: "silence"}
    assert Friendly.objects.get(pk=kept.pk).status == "running"


@pytest.mark.any_database
def test_a_bots_late_answer_is_worth_nothing(client: Client, greedy: Version, opponents: Engagements) -> None:
    ada = author("ada")
    client.force_login(ada)
    game = start(Person(ada), NewFriendly("crapo", greedy.pk, 1))  # the bot begins

    take = opponents.take

    def resign_first(row: Friendly, known: int, beat: Any) -> Any:
        act(client, row, do="resign")
        return take(row, known, beat)

    opponents.take = resign_first  # type: ignore[method-assign]
    assert not answer(game.pk, opponents)
    row = Friendly.objects.get(pk=game.pk)
    assert row.result is not None
    assert row.result["termination"] == "resignation"
    assert [event["type"] for event in unpack(bytes(row.events))] == ["end"]


@pytest.mark.any_database
def test_one_plays_the_house_and_own_bots_that_are_accepted(greedy: Version) -> None:
    ada, bob = author("ada"), author("bob")
    accepted = accepted_bot(ada, "Accepted")
    accepted.trials.filter(board="vitesse").update(verdict="left-out")
    new_bot(ada, "Waiting for its check")
    for person, own in ((Person(ada), [accepted]), (Person(bob), []), (Person(None, "a guest"), [])):
        offered = list(opponents_of(person))
        assert greedy in offered
        assert [version for version in offered if not version.bot.is_house] == own
    for player, variant, version, words in (
        (bob, "crapaud", accepted, "one of your own bots"),
        (bob, "x", greedy, "Choose a game"),
        (ada, "vitesse", accepted, "has not passed the check for Crapette vitesse"),
    ):
        with pytest.raises(InvalidFriendly, match=words):
            start(Person(player), NewFriendly(variant, version.pk))
    assert start(Person(ada), NewFriendly("crapaud", accepted.pk)).version == accepted


def test_guests_take_a_few_games_along_when_they_sign_in(client: Client, greedy: Version) -> None:
    cache.clear()
    games = [sit_down(client, greedy) for _ in range(3)]
    chosen = {"variant": "crapaud", "version": greedy.pk, "seat": "0", "clock": "none"}
    assert client.post(reverse("play:new"), chosen).status_code == 422
    client.force_login(author("ada"))
    client.get(reverse("play:new"))
    assert set(Friendly.objects.values_list("owner__username", flat=True)) == {"ada"}
    assert client.get(reverse("play:table", args=[games[0].pk])).status_code == 200


@pytest.mark.each_database
def test_an_action_is_done_once_and_never_from_an_old_tab(client: Client, greedy: Version) -> None:
    ada = author("ada")
    client.force_login(ada)
    game = start(Person(ada), NewFriendly("crapaud", greedy.pk, 1))
    line = str(engine.deal("crapaud", "18" * 32))  # seat 1 begins; t3-f and t8-f are legal
    Friendly.objects.filter(pk=game.pk).update(start=line, awaits=Awaits.PERSON)
    for move in ("t3-f", "t8-f"):
        assert not act(client, game, do="move", move=move)["refused"]

    told = [act(client, game, do="undo", length=2, epoch=0) for _ in range(2)]
    assert [bool(one["refused"]) for one in told] == [False, True]
    assert [(one["length"], one["epoch"]) for one in told] == [(1, 1), (1, 1)]
    for old in ({"length": 2, "epoch": 0}, {"length": 1, "epoch": 0}, {"length": None, "epoch": 1}):
        assert act(client, game, do="undo", **old)["refused"]
    assert not act(client, game, do="undo", length=1, epoch=1)["refused"]
    assert act(client, game, do="resign", length=1, epoch=1)["result"] is None
    assert act(client, game, do="resign")["result"] is not None


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
def test_the_bots_choice_is_hidden(client: Client, greedy: Version, opponents: Engagements) -> None:
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


def test_the_servers_clock_decides(client: Client, greedy: Version, opponents: Engagements) -> None:
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


def test_who_played_a_bot_keeps_the_game_when_its_owner_is_gone(client: Client) -> None:
    ada, bea = author("ada"), author("bea")
    met, alone = accepted_bot(ada), accepted_bot(ada, "Played by nobody else")
    client.force_login(ada)
    for version in (met, alone):
        sit_down(client, version)
    kept = ended(sit_down(client, met), won=True)
    Friendly.objects.filter(pk=kept.pk).update(owner=bea)

    delete_account(ada)
    assert [version.bot.owner for version in Version.objects.filter(pk__in=(met.pk, alone.pk))] == [None]
    client.force_login(bea)
    page = client.get(reverse("play:replay", args=[kept.pk])).content.decode()
    assert f"Departed bot {met.bot_id}" in page
