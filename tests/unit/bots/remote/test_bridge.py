"""The bridge of a worker: what it says again, to whom, and what it makes of what it hears."""

from __future__ import annotations

import asyncio
import json
import os
import queue
from typing import TYPE_CHECKING, Any

import pytest

from arena.web.live.rooms import unpack
from bots.remote import bridge as bridges
from bots.remote.bridge import Bridge, RemoteTable
from bots.remote.bus import WORKERS, bot_group, server_group
from referee.log import encode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.supervise import PlayingProcess

BOT = 7
SERVER = server_group("first")
PATIENCE = 60.0


class Layer:
    def __init__(self) -> None:
        self.sent: queue.Queue[dict[str, Any]] = queue.Queue()
        self.ways: list[tuple[str, int]] = []
        self.groups: list[str] = []

    async def new_channel(self) -> str:
        self._loop, self._heard = asyncio.get_running_loop(), asyncio.Queue[dict[str, Any]]()
        return "channel"

    async def group_add(self, group: str, channel: str) -> None:
        self.groups.append(group)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        assert group in {bot_group(BOT), SERVER}
        messages = list(unpack(message))
        self.ways.append((group, len(messages)))
        for each in messages:
            self.sent.put(each)

    async def flush(self) -> None:
        pass

    async def receive(self, channel: str) -> dict[str, Any]:
        return await self._heard.get()

    def tell(self, **message: Any) -> None:
        said = {"bot": BOT, "connection": "first", "server": SERVER, **message}
        self._loop.call_soon_threadsafe(self._heard.put_nowait, said)

    def said(self, *kinds: str) -> dict[str, Any]:
        while True:
            message = self.sent.get(timeout=PATIENCE)
            if message["do"] in kinds:
                return message


class Process:
    def __init__(self) -> None:
        self._reads, self._writes = os.pipe()
        self._lines = os.fdopen(self._reads)
        self._output, self._says = os.pipe()

    def news_pipe(self) -> int:
        return self._writes

    def output_pipe(self) -> int:
        return self._output

    def says(self, text: str) -> None:
        os.write(self._says, text.encode())

    def exits(self) -> None:
        os.close(self._says)

    def close(self) -> None:
        self._lines.close()

    def hears(self) -> dict[str, Any]:
        news: dict[str, Any] = json.loads(self._lines.readline())
        del news["sitting"]
        return news


class Game:
    """A game with one remote seat, begun, whose author has it."""

    def __init__(self) -> None:
        self.layer, self.process = Layer(), Process()
        self.bridge = Bridge(self.layer)
        self.table = RemoteTable(self.bridge, {1: (BOT, {"type": "game", "board": "crapaud"})})
        self.sitting = self.table.sittings[1]
        process: PlayingProcess = self.process  # type: ignore[assignment]
        self.table.begin(process)
        announced = self.layer.said("game")
        assert announced["frame"] == {"type": "game", "board": "crapaud", "game": self.sitting}
        assert self.layer.groups == [WORKERS, announced["worker"]]

    def tell(self, do: str, **message: Any) -> None:
        self.layer.tell(do=do, sitting=self.sitting, **message)

    def ask(self, n: int) -> None:
        line = {"type": "line", "sitting": self.sitting, "n": n, "line": f"line {n}"}
        self.process.says(encode(line) + "\n")
        assert self.layer.said("line")["n"] == n

    def ready(self) -> Game:
        self.tell("state", known=True, lacks=[])
        self.ask(1)
        self.tell("answer", n=1, line="{}", us=5)
        assert self.process.hears() == {"n": 1, "line": "{}", "us": 5}
        self.ask(2)
        return self


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    monkeypatch.setattr(bridges, "PROBE_S", 0.05)
    found = Game()
    yield found
    found.table.end()
    found.table.over({})
    found.bridge.close()
    found.process.close()


def test_a_line_goes_its_way_while_nobody_reads_what_else_the_process_says(game: Game) -> None:
    game.ready()
    game.process.says('{"type":"move","n":1}\n{"type":"move",')
    game.process.says('"n":2}\n')
    game.ask(3)
    game.process.says('{"type":"end"}\n')
    read: list[Any] = []
    while len(read) < 3:
        read += game.table.read(10) or []
    assert read == [{"type": "move", "n": 1}, {"type": "move", "n": 2}, {"type": "end"}]
    assert game.table.read(0.01) == []
    game.process.exits()
    assert game.table.read(10) is None


def test_lines_that_wait_travel_together_to_the_process_that_holds_the_connection(game: Game) -> None:
    game.ready()
    lines = [{"type": "line", "sitting": game.sitting, "n": n, "line": ""} for n in (3, 4, 5)]
    game.process.says("".join(encode(line) + "\n" for line in lines))
    assert [game.layer.said("line")["n"] for _ in lines] == [3, 4, 5]
    assert (SERVER, 3) in game.layer.ways
    game.layer.tell(do="lost")
    assert game.process.hears() == {"do": "lost"}
    del game.layer.ways[:]
    game.layer.said("probe")
    while not game.layer.ways:
        game.layer.said("probe")
    assert {group for group, _ in game.layer.ways} == {bot_group(BOT)}, "wherever it connects again"


def test_an_answer_counts_once_and_only_from_the_bot_that_was_asked(game: Game) -> None:
    game.ready()
    game.tell("answer", n=1, line="again", us=0)
    game.tell("answer", n=9, line="unasked", us=0)
    game.layer.tell(do="answer", sitting="another", n=2, line="elsewhere", us=0)
    game.tell("answer", n=2, line="forged", us=0, bot=8)
    game.tell("answer", n=2, line="mine", us=3)
    assert game.process.hears() == {"n": 2, "line": "mine", "us": 3}


def test_what_a_connection_lacks_is_sent_again(game: Game) -> None:
    game.ready()
    assert game.layer.said("probe")["open"] == [2]
    game.tell("state", known=True, lacks=[1, 2])  # 1 is answered by now
    assert game.layer.said("line")["n"] == 2


def test_a_game_goes_on_on_another_connection_with_all_that_is_open(game: Game) -> None:
    game.ready()
    game.layer.tell(do="lost")
    assert game.process.hears() == {"do": "lost"}
    game.layer.tell(do="online", connection="second", holding=[game.sitting])
    assert game.process.hears() == {"do": "back"}
    assert game.layer.said("game")["again"] is True
    assert game.layer.said("line")["n"] == 2
    game.layer.tell(do="lost")  # once more, of the first
    game.layer.tell(do="lost", connection="second")
    assert game.process.hears() == {"do": "late"}
    assert game.process.hears() == {"do": "lost"}
    # One that is found by a probe alone is as good.
    game.tell("state", connection="third", known=True, lacks=[])
    assert game.process.hears() == {"do": "back"}
    assert game.layer.said("line")["n"] == 2


def test_a_program_that_is_gone_loses_unless_it_never_began(game: Game) -> None:
    game.tell("state", known=True, lacks=[])
    game.ask(1)
    game.layer.tell(do="online", connection="second", holding=[])
    assert game.process.hears() == {"do": "back"}
    assert game.layer.said("game")["again"] is False
    game.tell("answer", n=1, line="{}", us=5)
    assert game.process.hears()["n"] == 1
    game.layer.tell(do="online", connection="third", holding=["another"])
    assert game.process.hears() == {"do": "program"}


def test_nobody_loses_a_game_that_the_connection_may_have_called_void(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.ready()
    monkeypatch.setattr(bridges, "SILENT_S", 0.05)
    monkeypatch.setattr(bridges, "FORGETS_S", 0.05)
    assert game.process.hears() == {"do": "adrift"}
    monkeypatch.setattr(bridges, "SILENT_S", PATIENCE)
    game.tell("state", known=False, lacks=[])
    assert game.process.hears() == {"do": "ours"}


def test_an_author_who_did_not_read_for_long_and_then_leaves_loses(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.ready()
    monkeypatch.setattr(bridges, "SILENT_S", 0.05)
    monkeypatch.setattr(bridges, "FORGETS_S", 0.05)
    assert game.process.hears() == {"do": "adrift"}
    monkeypatch.setattr(bridges, "FORGETS_S", PATIENCE)
    game.layer.tell(do="lost", knows=[game.sitting])
    assert game.process.hears() == {"do": "lost"}
    game.layer.tell(do="online", connection="second", holding=[])
    assert game.process.hears() == {"do": "program"}


def test_nobody_loses_a_game_that_the_connection_did_call_void(game: Game) -> None:
    game.ready()
    game.tell("state", known=False, lacks=[], forgotten=True)
    assert game.process.hears() == {"do": "ours"}


def test_a_game_whose_bot_does_not_come_is_given_back(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert game.table.find_unreached() is None
    monkeypatch.setattr(bridges, "UNREACHED_S", 0.0)
    assert game.table.find_unreached() == 1
    game.table.over({})
    assert game.layer.said("over")["frame"] == {
        "type": "over",
        "game": game.sitting,
        "result": "void",
        "termination": None,
        "url": None,
    }


def test_a_process_that_does_not_read_keeps_nobody_waiting(game: Game) -> None:
    game.ready()
    long = "x" * (60 << 10)
    for n in range(3, 40):
        game.ask(n)
        game.tell("answer", n=n, line=long, us=n)
    for n in range(3, 40):
        assert game.process.hears()["us"] == n
    game.table.end()
    game.tell("answer", n=2, line="too late", us=0)  # for nobody, and no error
    game.table.over({1: {"result": "win"}})
    assert game.layer.said("over")["frame"]["result"] == "win"
