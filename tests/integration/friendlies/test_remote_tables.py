"""People against bots on their authors' own hardware: the bridge is real, the author's connection is not."""

import asyncio
import json
import queue
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.errors import InvalidFriendly
from arena.web.live.rooms import unpack
from bots.models import Bot, RemotePresence, Version
from bots.remote import connections
from bots.remote.bridge import Bridge
from friendlies import tasks
from friendlies.models import Friendly
from friendlies.tables import waiting_bots as tables
from friendlies.tables.bot_turns import answer
from friendlies.tables.new_games import NewFriendly, choices, rematch, start
from friendlies.tables.new_games import opponents as opponents_of
from friendlies.tables.people import Person
from friendlies.tables.store import load, save
from friendlies.tables.waiting_bots import Engagements
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.friendlies import act, sit_down
from tests.factories.remote import online, remote_bot
from tests.factories.tournaments import running
from tournaments.games.claims import has_place
from tournaments.models import Game
from tournaments.models.embargo import seeing_hidden

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
GUEST = Person(None, "a guest", "a network")


class Author:
    """A channel layer whose other end is the author's program: it plays the first move it is offered."""

    def __init__(self) -> None:
        self.there, self.gives_up = True, False
        self.games: list[dict[str, Any]] = []
        self.overs: queue.Queue[dict[str, Any]] = queue.Queue()
        self.lines: list[dict[str, Any]] = []

    async def new_channel(self) -> str:
        self._heard = asyncio.Queue[dict[str, Any]]()
        return "channel"

    async def group_add(self, group: str, channel: str) -> None:
        pass

    async def flush(self) -> None:
        pass

    async def receive(self, channel: str) -> dict[str, Any]:
        return await self._heard.get()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        for each in unpack(message):
            self._hear(group, each)

    def _hear(self, group: str, message: dict[str, Any]) -> None:
        if message["do"] == "game":
            self.games.append(message["frame"])
        if message["do"] == "over":
            self.overs.put(message["frame"])
        if not self.there or message["do"] == "over":
            return
        said: dict[str, Any] = {"do": "state", "known": True, "lacks": []}
        if message["do"] == "line":
            asked = json.loads(message["line"])
            self.lines.append(asked)
            said = {"do": "answer", "n": message["n"], "line": json.dumps(self.reply(asked)), "us": 1000}
            if asked["type"] == "move" and self.gives_up:
                said = {"do": "gone"}
        bot = int(group.rpartition(".")[2])
        self._heard.put_nowait(
            {"bot": bot, "connection": "c", "sitting": message["sitting"], "server": group, **said}
        )

    def reply(self, asked: dict[str, Any]) -> dict[str, Any]:
        if asked["type"] == "hello":
            return {"type": "ready", "start": True}
        return {"id": asked["id"], "moves": asked["legal"][:1]}


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[Author]:
    found = Author()
    bridge = Bridge(found)
    monkeypatch.setattr(tables, "bridge", lambda: bridge)
    monkeypatch.setattr(tables, "WATCH_S", 3600.0)
    monkeypatch.setattr("bots.remote.bridge.UNREACHED_S", 0.5)
    yield found
    bridge.close()


@pytest.fixture
def bot() -> Bot:
    found = remote_bot(author("ada"), "Farbot")
    online(found, "crapaud", "vitesse", people=True)
    return found


def version_of(bot: Bot) -> Version:
    return bot.versions.get()


def seated(bot: Bot) -> Friendly:
    """A guest's game in which the bot is to move first."""
    while True:
        row = start(GUEST, NewFriendly("crapaud", version_of(bot).pk, 0))
        if row.bot_is_awaited:
            return row
        row.delete()


def ending(row: Friendly) -> tuple[Any, ...]:
    row.refresh_from_db()
    assert row.result is not None
    return row.result["termination"], row.result["seat"], row.place_until


def test_it_sees_no_hidden_card(client: Client, bot: Bot, program: Author, opponents: Engagements) -> None:
    assert "Farbot (remote)" in client.get(reverse("play:new")).content.decode()
    game = sit_down(client, version_of(bot))
    for _ in range(20):
        told = client.get(reverse("play:state", args=[game.pk])).json()
        if told["awaits"] == "person":
            act(client, game, do="move", move=told["legal"][0]["move"])
        elif told["awaits"] == "bot":
            assert answer(game.pk, opponents)
            if len(program.lines) > 6 and len(program.games) == 1:
                opponents.dismiss()  # as when a worker is started anew: the next one is told the whole game
        else:
            break
    act(client, game, do="resign")
    row = Friendly.objects.get(pk=game.pk)
    first, _, *asked = program.games[0], *program.lines
    assert (first["board"], first["seat"], first["opponents"]) == ("crapaud", 1, ["a person"])
    assert asked
    assert len(program.games) == 2
    assert row.start not in json.dumps(program.lines)
    assert all("??" in one["position"] for one in asked if "position" in one)
    assert program.overs.get(timeout=60)["result"] == "void"  # of the worker that ended


@pytest.mark.parametrize("who", ["person", "author"])
def test_the_author_hears_who_gave_up(bot: Bot, program: Author, opponents: Engagements, who: str) -> None:
    row, program.gives_up = seated(bot), who == "author"
    assert answer(row.pk, opponents)
    if who == "person":
        opponents.end_left()
        assert program.overs.empty(), "the person only thinks"
        row.refresh_from_db()
        assert row.place_until is not None
        table = load(row)
        table.resign()
        assert save(row, table)
        opponents.end_left()
    over = program.overs.get(timeout=60)
    said = {"person": ("win", "resignation"), "author": ("loss", "disconnected")}[who]
    assert (over["result"], over["termination"]) == said
    assert ending(row) == (said[1], 0 if who == "person" else 1, None)


def test_two_people_and_one_place_which_a_game_with_a_hidden_result_takes_like_any_other(bot: Bot) -> None:
    version, bob = version_of(bot), author("bob")
    free = Version.objects.filter(has_place(timezone.now()))
    row = start(GUEST, NewFriendly("crapaud", version.pk))
    assert not free.exists(), "no game between bots takes the place either"
    with pytest.raises(InvalidFriendly, match="can’t be played now"):
        start(Person(bob), NewFriendly("crapaud", version.pk))
    Friendly.objects.update(place_until=timezone.now() - timedelta(seconds=1))
    assert rematch(GUEST, row).version == row.version
    Friendly.objects.all().delete()
    running(bob, [version, accepted_bot(bob, "Near")], pairs=1, admits_remote=True)
    Game.objects.update(hidden=True)
    with seeing_hidden():
        Game.objects.filter(leg=0).update(status=Game.Status.RUNNING)
    with pytest.raises(InvalidFriendly, match="can’t be played now"):
        start(GUEST, NewFriendly("crapaud", version.pk))


def test_a_bot_that_is_away_is_waited_for(bot: Bot, program: Author, opponents: Engagements) -> None:
    row = seated(bot)

    def asked() -> bool:
        Friendly.objects.update(lease_until=None)
        done = answer(row.pk, opponents)
        row.refresh_from_db()
        return done

    program.there = False  # the site believes it is online, but nobody answers
    assert not asked()
    assert (bool(row.trouble), row.place_until) == (True, None)
    connections.disconnect(bot.pk, RemotePresence.objects.get().connection)
    assert not asked()
    program.there = True
    online(bot, "crapaud")  # and no longer against people: a game that has begun goes on
    assert asked()
    assert not row.trouble
    opponents.dismiss()
    connections.disconnect(bot.pk, RemotePresence.objects.get().connection)
    gone = timezone.now() - connections.GONE_AFTER - timedelta(seconds=1)
    RemotePresence.objects.update(seen_at=gone)
    Friendly.objects.update(awaits="bot", acted_at=gone)
    assert asked()
    assert ending(row)[:2] == ("disconnected", 1)


def test_only_those_are_offered_that_want_people_and_only_in_turns(bot: Bot, settings: Any) -> None:
    version = version_of(bot)
    assert version in choices(GUEST)
    assert version not in opponents_of(GUEST), "neither for the daily deal nor for duplicates"
    with pytest.raises(InvalidFriendly, match="Farbot does not play"):
        start(GUEST, NewFriendly("vitesse", version.pk))
    with pytest.raises(InvalidFriendly, match="house bots"):
        start(Person(author("eve")), NewFriendly("crapaud", version.pk, rated=True))
    settings.REMOTE = False
    assert version not in choices(GUEST)
    settings.REMOTE = True
    held = online(bot, "crapaud")
    assert version not in choices(GUEST)
    connections.disconnect(bot.pk, held.connection)
    with pytest.raises(InvalidFriendly, match="can’t be played now"):
        start(GUEST, NewFriendly("crapaud", version.pk))
    online(bot, "crapaud", people=True)
    Bot.objects.update(withdrawn_at=timezone.now())
    assert version not in choices(GUEST)


def test_a_slow_remote_bot_takes_no_thread_of_those_that_ask_sandboxed_ones(
    bot: Bot, greedy: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: queue.Queue[threading.Thread] = queue.Queue()
    told = "friendlies.tables.bot_turns.answer"
    monkeypatch.setattr(told, lambda _: asked.put(threading.current_thread()))
    for version in (version_of(bot), greedy):
        tasks.answer_friendly(str(start(GUEST, NewFriendly("crapaud", version.pk)).pk))
        assert (asked.get(timeout=60) is threading.current_thread()) is not version.is_remote
