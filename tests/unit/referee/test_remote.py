"""Remote seats: whose time counts, what counts as an answer, and what becomes of a lost connection."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import engine
from referee.child import Lines
from referee.errors import Infrastructure
from referee.job import Job, SeatJob
from referee.referees import referee_of
from referee.remote import RemoteLink
from tests.unit.referee.scripted import Scripted, first_legal

START = engine.Position.deal("crapaud", "0" * 64)  # seat 1 starts
TICKS = engine.Position.deal("vitesse", "0" * 64)


class Author:
    """The other end of the pipe: says of each line what came of it, as a worker would.

    ``answer`` gets the sitting, the number and the message, and returns news; a number among it is how long
    to wait before the rest, in seconds.
    """

    def __init__(self, answer: Callable[[str, int, dict[str, Any]], list[Any]]) -> None:
        self.heard: list[tuple[str, int, dict[str, Any]]] = []
        self._answer = answer
        self._waiting: list[Any] = []
        self._not_before = 0.0
        self._ends = os.pipe()

    def write(self, text: str = "") -> None:
        if text:
            said = json.loads(text)
            message = json.loads(said["line"])
            self.heard.append((said["sitting"], said["n"], message))
            if message["type"] != "end":
                self._waiting += self._answer(said["sitting"], said["n"], message)

    def take(self, seconds: float) -> list[str]:
        taken = []
        while self._waiting and time.monotonic() >= self._not_before:
            news = self._waiting.pop(0)
            if isinstance(news, float):
                self._not_before = time.monotonic() + news
            else:
                taken.append(json.dumps(news))
        if not taken:
            time.sleep(min(seconds, 0.005))
        return taken

    def fileno(self) -> int:
        return self._ends[0]

    def idle(self) -> None:
        self.write()

    def questions(self) -> list[dict[str, Any]]:
        return [message for _, _, message in self.heard if message["type"] in {"move", "tick"}]


def said(sitting: str, n: int, message: dict[str, Any], us: int = 0, **more: Any) -> dict[str, Any]:
    """The news that the author has answered a line as the simplest of bots does."""
    if message["type"] == "hello":
        reply: Any = {"type": "ready", "ticks": True}
    elif message["type"] == "tick":
        reply = {"id": message["id"], "action": message["legal"][0]}
    else:
        reply = first_legal(message)
    return {"sitting": sitting, "n": n, "line": json.dumps(reply | more), "us": us}


def happened(what: str, sitting: str = "b") -> dict[str, str]:
    return {"sitting": sitting, "do": what}


def resigns(sitting: str, n: int, message: dict[str, Any], us: int = 0) -> dict[str, Any]:
    return said(sitting, n, message, us, resign=True)


class Sat:
    """A game of a remote bot in seat 1 (and in all seats of ticks), played to its end."""

    def __init__(
        self,
        answer: Callable[[str, int, dict[str, Any]], list[Any]],
        start: engine.Position = START,
        **clock: Any,
    ) -> None:
        self.author = Author(answer)
        seats = (SeatJob("/", "python", "bot.py"), SeatJob("", "remote", "b"))
        if start is TICKS:
            seats = (SeatJob("", "remote", "a"), seats[1])
        job = Job(start.variant, str(start), seats, nonce_seed="test", start_seconds=2.0)
        job = replace(job, remote_clock=replace(job.remote_clock, **clock))
        lines: Lines = self.author  # type: ignore[assignment]
        link = RemoteLink(job, lines)
        players: Any = [link.players.get(seat.entry, Scripted()) for seat in seats]
        self.beside = players[0]
        self.referee = referee_of(start, players, job, idle=link.watch_seats(lines.idle))

    def play(self) -> dict[str, Any]:
        self.events = [json.loads(line) for lines in self.referee.play() for line in lines]
        self.evidence = [each.as_dict() for each in self.referee.close()]
        assert self.referee.result is not None
        return self.referee.result.as_dict()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.remote.LOST_S", 0.2)
    monkeypatch.setattr("referee.remote.ADRIFT_S", 0.2)


def once(*first: Callable[[str, int, dict[str, Any]], list[Any]]) -> Callable[..., list[Any]]:
    """Answer hello, do these to the next questions, then resign."""
    left = list(first)

    def answer(sitting: str, n: int, message: dict[str, Any]) -> list[Any]:
        if message["type"] == "hello":
            return [said(sitting, n, message)]
        return left.pop(0)(sitting, n, message) if left else [resigns(sitting, n, message)]

    return answer


def test_a_remote_bot_is_told_its_clock_and_charged_what_its_author_took() -> None:
    sat = Sat(once(lambda s, n, m: [0.05, said(s, n, m, 7_000)]))
    result = sat.play()
    hello = sat.author.heard[0][2]
    assert hello["clock"] == {"bank_ms": 180_000, "increment_ms": 2_000, "wall": True}
    assert sat.beside.heard[0]["clock"] == {"bank_ms": 60_000, "increment_ms": 500}
    assert sat.author.questions()[0]["clocks"] == [60_000, 180_000]
    # 50 ms passed, of which 43 were the arena's.
    assert (sat.events[0]["ms"], sat.events[0]["seat"], result["cpu_ms"][1]) == (7, 1, 7)
    assert (result["termination"], result["seat"]) == ("resignation", 1)
    assert [n for _, n, _ in sat.author.heard] == list(range(1, len(sat.author.heard) + 1))
    assert sat.author.heard[-1][2]["type"] == "end"
    assert sat.evidence[1]["messages"][0][0] == "to"
    assert sat.evidence[1]["cpu_ms"] == 7
    sat = Sat(once(lambda s, n, m: [said(s, n, m, 900_000_000)]))
    sat.play()
    assert sat.events[0]["ms"] < 5_000, "more than passed is never charged"


def test_answers_count_once_and_only_to_what_was_asked_in_this_sitting() -> None:
    def muddle(s: str, n: int, m: dict[str, Any]) -> list[Any]:
        wrong = [(s, 1), (s, n + 1), (s, 99), ("x", n), (s, n)]
        news: list[Any] = [{"sitting": s, "n": n, "line": "not even JSON", "us": 0} for s, n in wrong]
        return [*news[:-1], said(s, n, m), news[-1]]

    sat = Sat(once(muddle, muddle))
    assert sat.play()["detail"] == "Seat 1 resigned."


def test_a_bot_that_never_answers_loses_on_its_own_clock() -> None:
    result = Sat(once(lambda s, n, m: []), bank_ms=80, increment_ms=0).play()
    assert result["termination"] == "timeout"
    assert result["detail"] == "Seat 1 used up its clock: all 0.08 seconds it was given."


@pytest.mark.usefixtures("short")
def test_a_lost_connection_is_waited_for_and_its_time_is_the_bots_own() -> None:
    sat = Sat(once(lambda s, n, m: [happened("lost"), 0.1, happened("back"), said(s, n, m, 0)]))
    assert sat.play()["termination"] == "resignation"
    assert sat.events[0]["ms"] >= 95


@pytest.mark.usefixtures("short")
def test_the_connection_may_be_lost_so_long_in_all_and_no_longer() -> None:
    def flicker(s: str, n: int, m: dict[str, Any]) -> list[Any]:
        return [happened("lost"), 0.12, happened("back"), said(s, n, m)]

    result = Sat(once(flicker, flicker)).play()
    assert (result["termination"], result["seat"]) == ("disconnected", 1)
    assert result["detail"] == "Seat 1 was disconnected for more than 0.2 seconds."


@pytest.mark.usefixtures("short")
def test_a_bot_that_is_gone_loses_also_while_another_is_asked() -> None:
    sat = Sat(once(*([lambda s, n, m: [said(s, n, m), happened("lost")]] * 20)))
    sat.beside._answer = lambda message: None
    assert sat.play()["termination"] == "disconnected"


def test_a_bot_that_leaves_loses_at_once() -> None:
    for what, detail in (
        ("gone", "Seat 1 left the game."),
        ("program", "Seat 1 came back without the program that played this game."),
    ):
        result = Sat(once(lambda s, n, m, what=what: [happened(what)])).play()  # type: ignore[misc]
        assert (result["termination"], result["detail"]) == ("disconnected", detail)


@pytest.mark.usefixtures("short")
def test_what_the_arena_lost_is_not_charged_unless_the_author_proves_to_have_lost_it() -> None:
    sat = Sat(once(lambda s, n, m: [happened("adrift"), 0.1, happened("back"), said(s, n, m)]))
    assert sat.play()["termination"] == "resignation"
    assert sat.events[0]["ms"] < 50
    sat = Sat(once(lambda s, n, m: [0.1, happened("back"), happened("late"), said(s, n, m)]))
    assert sat.play()["termination"] == "resignation"
    assert sat.events[0]["ms"] >= 95


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("what", ["adrift", "ours"])
def test_a_game_whose_seat_the_arena_cannot_find_is_void(what: str) -> None:
    with pytest.raises(Infrastructure) as caught:
        Sat(once(lambda s, n, m: [happened(what)])).play()
    assert (caught.value.seat, str(caught.value)) == (None, "seat 1 was not found for 0.2 seconds")


def test_both_seats_of_ticks_are_remote_and_a_late_answer_is_dropped() -> None:
    late: list[Any] = []

    def answer(s: str, n: int, m: dict[str, Any]) -> list[Any]:
        news = [resigns(s, n, m) if m.get("tick") == 4 else said(s, n, m)]
        if (s, m.get("tick")) == ("b", 2):  # it comes in the next tick, however long this one lasts
            late.extend(news)
            return []
        return [*late, *news] if (s, m.get("tick")) == ("b", 3) else news

    sat = Sat(answer, TICKS, tick_ms=100)
    assert sat.play()["termination"] == "resignation"
    assert sat.author.heard[0][2]["tick_ms"] == 100
    assert [event.get("late") for event in sat.events[:4]] == [None, None, [1], None]
