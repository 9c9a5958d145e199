"""Games of `vitesse`: nobody can learn the other's choice first, and arrival decides nothing (RULES 7)."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

import engine
from referee.endings import Termination
from referee.errors import Infrastructure
from referee.job import ClockRule
from referee.player import PlayerFault
from referee.protocol import nonces
from referee.ticks import stopwatch as ticking
from referee.ticks.loop import LATE_LIMIT, TickReferee
from referee.ticks.stopwatch import MOST_OWED
from tests.unit.referee.scripted import Reply, TickPlayer, eager

START = engine.TickGame.deal("vitesse", "3" * 64).start
Event = dict[str, Any]


def played(*players: TickPlayer, tick_ms: int = 60_000) -> tuple[list[Event], dict[str, Any]]:
    rules = [ClockRule(60_000, 500, tick_ms)] * 2
    referee = TickReferee(engine.TickGame(START), players, rules, nonces("test"))
    events = [json.loads(line) for lines in referee.play() for line in lines]
    referee.close()
    assert [event["n"] for event in events] == list(range(len(events)))
    result: dict[str, Any] = events.pop()["result"]
    return events, result


def asked(player: TickPlayer) -> list[dict[str, Any]]:
    return [message for message in player.heard if message["type"] == "tick"]


def test_both_are_asked_before_either_is_read_and_the_order_of_answers_does_not_change_the_record() -> None:
    games, measured = [], {"ms", "clocks"}
    for looks in ((0, 0), (4, 0), (0, 4)):
        log: list[str] = []
        events, result = played(*(TickPlayer(log=log, looks=each) for each in looks))
        assert log == ["asked", "asked", "read", "read"] * len(events)
        assert result["termination"] == "stop"
        games.append([{key: event[key] for key in event.keys() - measured} for event in events])
    assert games[0] == games[1] == games[2]


def test_no_question_has_anything_of_the_tick_that_is_open() -> None:
    first, second = TickPlayer(), TickPlayer()
    events, _ = played(first, second)
    seen = engine.TickGame(START).push("wait", "wait").as_dict().keys()
    told = [{key: event[key] for key in seen} for event in events]
    for player in (first, second):
        for number, message in enumerate(asked(player)):
            assert message["tick"] == number
            assert message["events"] == told[max(0, number - 1) : number]
    words = [message["id"] for player in (first, second) for message in asked(player)]
    assert len(set(words)) == 2 * len(events)


def test_the_record_replays_to_the_same_end() -> None:
    events, result = played(TickPlayer(), TickPlayer())
    game = engine.TickGame(START)
    for event in events:
        assert game.push(*event["actions"]).as_dict().items() <= event.items()
        assert event["ply"] == game.ply
    outcome = game.outcome()
    assert outcome is not None
    ranking, left = [list(group) for group in outcome.ranking], [seat.left for seat in game.position.seats]
    assert (result["ranking"], result["points"]) == (ranking, list(outcome.points))
    assert (result["left"], result["plies"]) == (left, game.ply)


def test_an_answer_after_the_tick_counts_as_wait_and_is_dropped_when_it_comes() -> None:
    owed: list[dict[str, Any]] = []

    def slow(message: dict[str, Any]) -> Reply:
        answer = eager(message)
        assert isinstance(answer, dict)
        if message["tick"] == 2:
            owed.append({**answer, "action": "stop"})  # which would be illegal in the next tick
            return None
        late = [json.dumps(each).encode() for each in owed]
        owed.clear()
        return b"\n".join([*late, json.dumps(answer).encode()])

    second = TickPlayer(slow)
    events, result = played(TickPlayer(), second, tick_ms=5)
    assert events[2]["late"] == [1]
    assert events[2]["actions"][1] == "wait"
    assert asked(second)[3]["events"][0]["late"] == [1]
    assert result["termination"] == "stop"


def test_a_bot_that_never_answers_is_asked_a_few_times_and_loses_by_silence() -> None:
    mute = TickPlayer(lambda _: None)
    events, result = played(TickPlayer(), mute, tick_ms=1)
    assert (result["termination"], result["seat"]) == ("silence", 1)
    assert result["detail"] == f"Seat 1 was late in {LATE_LIMIT} ticks in a row."
    assert len(events) == LATE_LIMIT - 1
    assert len(asked(mute)) == MOST_OWED
    assert result["points"][1] == 0


@pytest.mark.parametrize("tick", [4, 5])
@pytest.mark.parametrize("looks", [(0, 3), (3, 0)])
def test_of_two_wrongs_in_a_tick_the_first_in_priority_has_lost(tick: int, looks: tuple[int, int]) -> None:
    def wrong(message: dict[str, Any]) -> Reply:
        return {"id": message["id"], "action": "t1-f"} if message["tick"] == tick else eager(message)

    events, result = played(TickPlayer(wrong, looks=looks[0]), TickPlayer(wrong, looks=looks[1]))
    assert (result["termination"], result["seat"]) == ("illegal-move", tick % 2)
    assert len(events) == tick
    assert result["detail"].startswith(f"Seat {tick % 2} chose 't1-f' in tick {tick}: expected one of ")


@pytest.mark.parametrize(
    ("said", "termination"),
    [
        (lambda message: {"id": "0" * 8, "action": "wait"}, "protocol"),
        (lambda message: {"id": "", "action": "wait"}, "protocol"),
        (lambda message: {"id": message["id"], "moves": ["wait"]}, "protocol"),
        (lambda message: {"id": message["id"], "action": "", "resign": True}, "resignation"),
        (lambda message: b"wait", "protocol"),
        (lambda message: b"\n".join([json.dumps(eager(message)).encode()] * 2), "protocol"),
    ],
)
def test_wrong_answers_lose(said: Callable[[dict[str, Any]], Reply], termination: str) -> None:
    _, result = played(TickPlayer(said), TickPlayer())
    assert (result["termination"], result["seat"], result["ranking"]) == (termination, 0, [[1], [0]])


def test_a_crash_in_the_middle_gives_the_other_what_a_stop_is_worth() -> None:
    def crash(message: dict[str, Any]) -> Reply:
        if message["tick"] == 20:
            raise PlayerFault(Termination.CRASH, "exited with status 1")
        return eager(message)

    events, result = played(TickPlayer(), TickPlayer(crash))
    assert (result["termination"], result["seat"], len(events)) == ("crash", 1, 20)
    cards = 52 - result["left"][0]
    kings = [done for event in events for done in event["done"] if "completed" in done and done["seat"] == 0]
    assert result["points"] == [20 + cards + 10 * len(kings), 0]


def test_what_a_bot_computes_in_ticks_is_charged_to_its_bank() -> None:
    events, result = played(TickPlayer(), TickPlayer(cost_ns=10_000_000_000))
    assert [event["ms"][1] for event in events] == [10_000] * 6
    assert [event["clocks"][1] for event in events] == [60_000 - 9_500 * ticks for ticks in range(1, 7)]
    assert (result["termination"], result["seat"]) == ("timeout", 1)
    assert result["detail"] == "Seat 1 used up its clock: all 63 seconds of CPU time it was given."


def test_a_bot_without_a_core_is_not_late_and_the_game_is_void_if_that_lasts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starved = TickPlayer(lambda _: None)
    monkeypatch.setattr(starved, "delayed_ns", lambda: 2 * time.monotonic_ns())  # it always stood ready
    monkeypatch.setattr(ticking, "PATIENCE_NS", 100_000_000)
    words = r"^seat 1 was kept from running for .* s: the host is too busy$"
    with pytest.raises(Infrastructure, match=words):
        played(TickPlayer(), starved, tick_ms=20)
