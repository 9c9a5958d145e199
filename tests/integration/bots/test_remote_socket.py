"""The websocket of a remote bot: who is let in, what it carries, and what nobody may do on it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import TYPE_CHECKING, Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.utils import timezone

from arena.accounts.models import User
from arena.asgi import application
from arena.web.live.rooms import unpack
from arena.web.models import Limit
from bots.models import RemotePresence, Token
from bots.remote import socket
from bots.remote.admission import CLOSE_CODES
from bots.remote.bus import WORKERS, bot_group, worker_group
from bots.remote.connections import online_count, traffic
from tests.factories.accounts import author
from tests.factories.accounts import token as make_token
from tests.factories.remote import remote_bot

if TYPE_CHECKING:
    from collections.abc import Callable

    from bots.models import Bot

pytestmark = pytest.mark.django_db(transaction=True)
SITTING = "a-sitting"


class Author:
    """The program of a remote bot's author: one connection."""

    def __init__(self, secret: str, *headers: tuple[bytes, bytes], address: str = "192.0.2.7") -> None:
        given = [(b"authorization", f"Bearer {secret}".encode())] if secret else []
        scope = {
            "type": "websocket",
            "path": f"/{socket.PATH}",
            "query_string": b"",
            "headers": [*given, *headers],
            "client": (address, 50000),
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        self._ends: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]

    async def shake(self) -> dict[str, Any]:
        await self._ends.send_input({"type": "websocket.connect"})
        return await self.output()

    async def output(self) -> dict[str, Any]:
        found: dict[str, Any] = await self._ends.receive_output(timeout=60)
        return found

    async def text(self, text: str) -> None:
        await self._ends.send_input({"type": "websocket.receive", "text": text})

    async def say(self, **frame: Any) -> None:
        await self.text(json.dumps(frame))

    async def hear(self) -> dict[str, Any]:
        message = await self.output()
        assert message["type"] == "websocket.send", message
        frame: dict[str, Any] = json.loads(message["text"])
        return frame

    async def nothing(self) -> bool:
        return bool(await self._ends.receive_nothing(timeout=0.1))

    async def refused(self) -> tuple[str, int]:
        """The code of the refusal that ends the connection, and that of its close."""
        frame = await self.hear()
        assert frame["type"] == "refused", frame
        assert frame["message"].endswith("."), frame
        closed = await self.output()
        return frame["code"], closed["code"]

    async def online(self, bot: Bot, *holding: str) -> Author:
        assert (await self.shake())["type"] == "websocket.accept"
        held = [{"game": game, "received": 1} for game in holding]
        await self.say(type="hello", wire=1, bot=bot.slug, boards=["crapaud"], games=2, holding=held)
        welcome = await self.hear()
        assert welcome["type"] == "welcome", welcome
        assert welcome["clock"] == {"bank_ms": 180_000, "increment_ms": 2_000}
        return self

    async def leave(self, code: int = 1000) -> None:
        await self._ends.send_input({"type": "websocket.disconnect", "code": code})
        await self._ends.wait(timeout=60)


class Worker:
    """A worker process, as connections see one."""

    def __init__(self, name: str = "w") -> None:
        self._layer: Any = get_channel_layer()
        self.group = worker_group(name)
        self._channel = ""
        self._heard: deque[dict[str, Any]] = deque()

    async def join(self) -> Worker:
        self._channel = await self._layer.new_channel()
        for group in (WORKERS, self.group):
            await self._layer.group_add(group, self._channel)
        return self

    async def send(self, bot: Bot, **message: Any) -> None:
        group = bot_group(bot.pk)
        await self._layer.group_send(group, {**message, "worker": self.group, "group": group})

    async def hear(self, *kinds: str) -> dict[str, Any]:
        async with asyncio.timeout(60):
            while True:
                while not self._heard:
                    self._heard.extend(unpack(await self._layer.receive(self._channel)))
                message = self._heard.popleft()
                if message["do"] in kinds:
                    return message

    async def seat(self, bot: Bot, sitting: str = SITTING) -> None:
        await self.send(bot, do="game", sitting=sitting, frame={"type": "game", "game": sitting}, again=False)
        await self.send(bot, do="line", sitting=sitting, n=1, line='{"type":"hello"}')


@pytest.fixture
async def worker() -> Worker:
    return await Worker().join()


@database_sync_to_async  # type: ignore[untyped-decorator]
def bot_of(name: str) -> tuple[Bot, str]:
    """A remote bot, and the secret of a token that may connect it."""
    user = author(name)
    return remote_bot(user, f"{name}'s GPU"), make_token(user, ["remote"])


async def seated(worker: Worker) -> tuple[Bot, Author]:
    """Ada's bot with its first line, and the program that has heard it."""
    bot, secret = await bot_of("ada")
    ada = await Author(secret).online(bot)
    await worker.seat(bot)
    assert [(await ada.hear())["type"] for _ in range(2)] == ["game", "line"]
    return bot, ada


@pytest.mark.on_postgresql
async def test_only_a_token_with_the_scope_opens_a_connection(settings: Any) -> None:
    def status(answer: dict[str, Any]) -> int:
        assert answer["type"] == "websocket.http.response.start", answer
        return int(answer["status"])

    reader = await database_sync_to_async(lambda: make_token(author("eve"), ["read"]))()
    _, secret = await bot_of("ada")
    nobody = Author("")
    assert status(await nobody.shake()) == 401
    assert json.loads((await nobody.output())["body"])["code"] == "token"
    assert status(await Author("crapette_wrong").shake()) == 401
    assert status(await Author(reader).shake()) == 403
    assert status(await Author(secret, (b"origin", b"https://evil.example")).shake()) == 403
    settings.REMOTE = False
    assert status(await Author(secret).shake()) == 503


@pytest.mark.on_postgresql
async def test_who_connects_again_and_again_is_refused() -> None:
    for _ in range(60):
        await Author("", address="192.0.2.99").shake()
    answer = await Author("", address="192.0.2.99").shake()
    assert answer["status"] == 429
    assert b"retry-after" in dict(answer["headers"])


async def test_lines_go_both_ways_once_and_what_an_answer_took_is_told(worker: Worker) -> None:
    bot, secret = await bot_of("ada")
    ada = await Author(secret).online(bot)
    assert await database_sync_to_async(online_count)() == 1
    online = await worker.hear("online")
    assert (online["bot"], online["holding"]) == (bot.pk, [])
    await worker.seat(bot)
    assert (await ada.hear())["type"] == "game"
    line = await ada.hear()
    assert (line["type"], line["game"], line["n"], line["line"]) == ("line", SITTING, 1, '{"type":"hello"}')
    for _ in range(2):  # the second counts for nothing
        await ada.say(type="line", game=SITTING, n=1, line="{}")
    await ada.say(type="line", game=SITTING, n=2, line="{}")  # nobody asked
    await ada.say(type="line", game="elsewhere", n=1, line="{}")
    await ada.say(type="abandon", game="elsewhere")
    await ada.say(type="abandon", game=SITTING)
    answer = await worker.hear("answer", "gone")
    assert (answer["do"], answer["n"], answer["line"], answer["us"] >= 0) == ("answer", 1, "{}", True)
    assert (await worker.hear("answer", "gone"))["do"] == "gone"
    await worker.send(bot, do="over", sitting=SITTING, frame={"type": "over", "game": SITTING})
    assert (await ada.hear())["type"] == "over"
    await ada.leave()
    lost = await worker.hear("lost")
    assert (lost["bot"], lost["connection"]) == (bot.pk, online["connection"])
    assert not await database_sync_to_async(online_count)()
    came, went = await database_sync_to_async(traffic)()
    assert came > 6 * len('{"type":"line"}')
    assert went > len(line["line"])


async def test_nobody_answers_for_another_bot(worker: Worker) -> None:
    (bot, secret), (other, others) = await bot_of("ada"), await bot_of("bob")
    ada, bob = await Author(secret).online(bot), await Author(others).online(other, SITTING)
    await worker.seat(bot)
    await ada.hear()
    await ada.hear()
    await bob.say(type="line", game=SITTING, n=1, line="{}")
    await bob.say(type="abandon", game=SITTING)
    await ada.say(type="line", game=SITTING, n=1, line='{"mine":1}')
    answer = await worker.hear("answer", "gone")
    assert (answer["bot"], answer["line"]) == (bot.pk, '{"mine":1}')
    # And a bot is connected only by its owners.
    thief = Author(others)
    await thief.shake()
    await thief.say(type="hello", wire=1, bot=bot.slug)
    assert await thief.refused() == ("unknown-bot", 4404)


async def test_a_probe_finds_what_the_bus_has_lost(worker: Worker) -> None:
    bot, secret = await bot_of("ada")
    ada = await Author(secret).online(bot)
    await worker.send(bot, do="probe", sitting=SITTING, open=[1])
    state = await worker.hear("state")
    assert (state["known"], state["lacks"]) == (False, [])
    await worker.seat(bot)
    for _ in range(2):
        await ada.hear()
    await worker.hear("state")
    await ada.say(type="line", game=SITTING, n=1, line="{}")
    await worker.hear("answer")
    await worker.send(bot, do="probe", sitting=SITTING, open=[1, 2])
    again = await worker.hear("answer")
    assert (again["n"], again["line"]) == (1, "{}")
    state = await worker.hear("state")
    assert (state["known"], state["lacks"]) == (True, [2])
    await worker.send(bot, do="line", sitting=SITTING, n=1, line='{"type":"hello"}')
    assert (await worker.hear("answer"))["n"] == 1
    assert await ada.nothing()


async def test_a_late_word_of_an_earlier_connection_ends_no_later_one(worker: Worker) -> None:
    bot, secret = await bot_of("ada")
    first = await Author(secret).online(bot)
    late = await worker.hear("online")
    second = await Author(secret).online(bot)
    assert (await first.refused())[0] == "replaced"
    await worker.send(bot, **{name: value for name, value in late.items() if name != "bot"})
    assert await second.nothing()


async def test_an_author_who_does_not_read_holds_up_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    (bot, secret), (other, others) = await bot_of("ada"), await bot_of("bob")
    monkeypatch.setattr(socket, "FORGOTTEN_S", 0.0)
    waits = asyncio.Event()

    async def wait(*_: object) -> None:
        waits.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(socket.Connection, "_forget", wait)
    ada, bob = Author(secret), await Author(others).online(other)
    await ada.online(bot, SITTING)
    async with asyncio.timeout(60):
        await waits.wait()
    await database_sync_to_async(Token.objects.update)(revoked_at=timezone.now())
    for one in (bob, ada):
        assert (await one.refused())[0] == "token"


async def test_a_second_connection_takes_the_place_of_the_first_and_keeps_its_games(worker: Worker) -> None:
    bot, secret = await bot_of("ada")
    first = await Author(secret).online(bot)
    key = (await worker.hear("online"))["connection"]
    await worker.seat(bot)
    for _ in range(2):
        await first.hear()
    second = await Author(secret).online(bot, SITTING)
    assert await first.refused() == ("replaced", 4409)
    online = await worker.hear("online")
    assert (online["holding"], online["connection"] == key) == ([SITTING], False)
    assert (await worker.hear("lost"))["connection"] == key
    assert await database_sync_to_async(online_count)() == 1
    await worker.send(bot, do="game", sitting=SITTING, frame={"type": "game"}, again=True)
    await worker.send(bot, do="line", sitting=SITTING, n=1, line='{"type":"hello"}')
    assert (await second.hear())["type"] == "line"


async def test_a_server_that_ends_is_not_the_authors_loss_and_a_worker_that_died_nobodys(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, secret = await bot_of("ada")
    ada = await Author(secret).online(bot)
    await worker.hear("online")
    await ada.leave(socket.SERVER_ENDS)
    monkeypatch.setattr(socket, "FORGOTTEN_S", 0.2)
    again = await Author(secret).online(bot, SITTING)
    assert (await worker.hear("lost", "online"))["do"] == "online"
    over = await again.hear()
    assert (over["type"], over["game"], over["result"]) == ("over", SITTING, "void")


async def test_a_new_game_replaces_a_dead_workers(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, secret = await bot_of("ada")
    ada = await Author(secret).online(bot)  # for two games at once
    for sitting in ("dead", "live"):
        await worker.seat(bot, sitting)
        assert [(await ada.hear())["type"] for _ in range(2)] == ["game", "line"]
    await worker.seat(bot, "new")
    assert await ada.nothing(), "for all that is known, both are played, and the program would give it up"
    await worker.send(bot, do="probe", sitting="live", open=[1])
    monkeypatch.setattr(socket, "ORPHANED_S", 0.0)
    await worker.send(bot, do="probe", sitting="new", open=[1])
    over = await ada.hear()
    assert (over["type"], over["game"], over["result"]) == ("over", "dead", "void")
    while (state := await worker.hear("state"))["sitting"] != "new":
        pass
    assert (state["known"], state["forgotten"]) == (False, False)
    await worker.seat(bot, "new")
    assert (await ada.hear())["game"] == "new"
    await worker.send(bot, do="probe", sitting="dead", open=[])
    while (state := await worker.hear("state"))["sitting"] != "dead" or state["known"]:
        pass
    assert state["forgotten"], "so that nobody loses by it"


async def test_an_author_who_leaves_is_offline_after_the_last_game(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, secret = await bot_of("ada")
    monkeypatch.setattr(socket, "LEAVES_S", 0.0)
    ada = await Author(secret).online(bot)
    await worker.seat(bot)
    assert [(await ada.hear())["type"] for _ in range(2)] == ["game", "line"]
    await ada.say(type="leaving")
    await ada.say(type="line", game=SITTING, n=1, line="ready")
    await worker.hear("answer")
    await worker.send(bot, do="over", sitting=SITTING, frame={"type": "over"})
    assert (await ada.hear())["type"] == "over"
    assert await ada.refused() == ("left", CLOSE_CODES["left"])


ENDS: dict[str, tuple[str, Callable[[Bot], object]]] = {
    "revoked": ("token", lambda _: Token.objects.update(revoked_at=timezone.now())),
    "expired": ("token", lambda _: Token.objects.update(expires_at=timezone.now())),
    "banned": ("token", lambda _: User.objects.update(is_active=False)),
    "withdrawn": ("withdrawn", lambda bot: type(bot).objects.update(withdrawn_at=timezone.now())),
    "benched": ("withdrawn", lambda bot: bot.versions.update(benched_at=timezone.now())),
    "off": ("off", lambda _: None),
    "limit": ("off", lambda _: Limit.objects.create(name="remote_connections", value=0)),
    # As the sweep does if the database was away for long.
    "lost": ("restarting", lambda _: RemotePresence.objects.update(online_since=None, connection="")),
}


@pytest.mark.on_postgresql
@pytest.mark.parametrize("end", ENDS)
async def test_a_connection_ends_with_what_allowed_it(end: str, settings: Any) -> None:
    bot, secret = await bot_of("ada")
    ada = await Author(secret).online(bot)
    code, change = ENDS[end]
    await database_sync_to_async(change)(bot)
    settings.REMOTE = end != "off"
    assert await ada.refused() == (code, CLOSE_CODES[code])


HELLO = {"type": "hello", "wire": 1}
NONE = [
    ("not JSON", "bad-message"),
    ("[" * 60_000, "bad-message"),
    ('{"type":"line","game":"a","n":true,"line":""}', "bad-message"),
    (json.dumps({"type": "line", "game": "a", "n": 1, "line": "x" * (64 << 10)}), "too-large"),
    *(
        (json.dumps(hello), "bad-hello")
        for hello in (
            {"type": "line"},
            {**HELLO, "wire": 2},
            {**HELLO, "games": "all"},
            {**HELLO, "boards": "crapaud"},
            {**HELLO, "holding": [{"game": str(n)} for n in range(99)]},
        )
    ),
]


@pytest.mark.on_postgresql
async def test_a_frame_that_is_none_ends_the_connection_with_a_sentence() -> None:
    bot, secret = await bot_of("ada")
    for text, code in NONE:
        ada = Author(secret)
        if code == "bad-hello":
            await ada.shake()
        else:
            await ada.online(bot)
        await ada.text(text.replace('"wire"', f'"bot": "{bot.slug}", "wire"'))
        assert (await ada.refused())[0] == code, text[:80]


@pytest.mark.on_postgresql
async def test_who_floods_is_sent_away(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    bot, ada = await seated(worker)
    for n in range(2, 40):
        await worker.send(bot, do="line", sitting=SITTING, n=n, line="{}")
        await ada.hear()
        await ada.say(type="line", game=SITTING, n=n, line="")
    monkeypatch.setattr("bots.remote.admission.BURST_S", 0.05)
    for _ in range(40):
        await ada.say(type="abandon", game="x")
    assert await ada.refused() == ("too-fast", 4429)
    await database_sync_to_async(Limit.objects.create)(name="remote_kb_per_minute", value=60)
    again = await Author(await database_sync_to_async(lambda: make_token(bot.owner))()).online(bot)  # type: ignore[arg-type]
    await again.say(type="abandon", game="x" * (20 << 10))  # ten seconds' worth may come at once
    assert await again.refused() == ("too-fast", 4429)
