"""An error that nobody foresaw ends a game, never the playing process; the seat it concerns loses."""

import errno
import json
from collections.abc import Callable
from itertools import product
from typing import Any, NoReturn

import pytest

import engine
from referee import protocol
from referee.errors import Infrastructure
from referee.job import ClockRule
from referee.protocol import nonces
from referee.supervise import PlayingProcessDied, RunningGame
from referee.ticks.loop import TickReferee
from referee.turns.loop import Referee
from referee.turns.whole import RefereeTable
from tests.unit.referee.scripted import Scripted, TickPlayer

START = engine.TurnPosition.deal("crapaud", "0" * 64)
"""Seat 1 starts here."""
TICKS = engine.TickGame.deal("vitesse", "3" * 64).start
ERRORS = [
    ValueError("invalid literal for int() with base 10: b'x'"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    RecursionError("maximum recursion depth exceeded"),
    MemoryError(),
    KeyError("\ud800"),
    OSError(errno.EBADF, "Bad file descriptor"),
    StopIteration(),
    ZeroDivisionError("x" * 5000),
]


def fail(error: Exception) -> Callable[..., NoReturn]:

    def raises(*_: object, **__: object) -> NoReturn:
        raise error

    return raises


def game(*players: Scripted) -> Referee:
    return Referee(RefereeTable(START), players, [ClockRule()] * len(players), nonces("test"))


def ended(referee: Any) -> dict[str, Any]:
    """Play it to its end; its result, which is also the last line of its record."""
    lines = [json.loads(line) for batch in referee.play() for line in batch]
    assert [line["n"] for line in lines] == list(range(len(lines)))
    evidence = referee.close()
    assert len(evidence) == 2
    assert lines[-1]["result"] == json.loads(json.dumps(referee.result.as_dict()))
    found: dict[str, Any] = referee.result.as_dict()
    return found


def lost_by(result: dict[str, Any], seat: int) -> bool:
    return bool(result["ranking"] == ((1 - seat,), (seat,)) and result["seat"] == seat)


@pytest.mark.parametrize("method", ["send", "receive", "ask", "cpu_ns", "delayed_ns", "sleeps", "resume"])
def test_whatever_goes_wrong_with_a_bots_process_is_held_against_it(method: str) -> None:
    for error in ERRORS:
        players = [Scripted(late=True), Scripted(late=True)]
        setattr(players[1], method, fail(error))
        referee = game(*players)
        if method == "resume":
            referee._asking.paused.add(1)
        result = ended(referee)
        assert lost_by(result, 1), result
        assert result["termination"] == "crash"
        assert result["detail"].startswith("Seat 1 caused an error that the arena did not expect (")
        assert len(result["detail"]) < 300
        assert json.dumps(result["detail"]).encode()
        assert "Traceback" in referee.trouble


@pytest.mark.parametrize("where", ["parse", "advance", "write"])
def test_whatever_goes_wrong_with_an_answer_is_held_against_its_seat(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:

    def say(asked: dict[str, Any]) -> dict[str, Any]:
        return {"id": asked["id"], "moves": asked["legal"][:1], "comment": "look"}

    for error in ERRORS:
        referee = game(Scripted(), Scripted(say))
        if where == "parse":
            monkeypatch.setattr(protocol, "parse_answer", fail(error))
        elif where == "advance":
            monkeypatch.setattr(referee, "_stepper", _Failing(referee._stepper, "advance", error))
        else:
            monkeypatch.setattr(referee, "table", _Failing(referee.table, "write", error))
        result = ended(referee)
        assert lost_by(result, 1), result
        assert "Traceback" in referee.trouble


class _Failing:
    def __init__(self, inner: Any, method: str, error: Exception) -> None:
        self._inner = inner
        setattr(self, method, fail(error))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


@pytest.mark.parametrize("number", [errno.ENOMEM, errno.EMFILE, errno.ENOSPC, errno.EIO])
def test_only_the_kernels_word_makes_it_the_machines_fault(number: int) -> None:
    player = Scripted()
    player.ask = fail(OSError(number, "the kernel's word"))  # type: ignore[method-assign]
    with pytest.raises(Infrastructure, match=r"^the host has run out of something: the kernel's word$"):
        ended(game(Scripted(), player))


@pytest.mark.parametrize("method", ["send", "receive", "cpu_ns", "delayed_ns"])
def test_in_ticks_it_is_held_against_the_seat_whose_process_it_is(method: str) -> None:
    for seat, error in product((0, 1), ERRORS):
        players = [TickPlayer(), TickPlayer()]
        rules = [ClockRule(60_000, 500, 60_000)] * 2
        referee = TickReferee(engine.TickGame(TICKS), players, rules, nonces("test"))
        referee.admit = lambda _, seat=seat, players=players, error=error: setattr(  # type: ignore[misc]
            players[seat], method, fail(error)
        )
        result = ended(referee)
        assert lost_by(result, seat), result
        assert result["termination"] == "crash"


def test_a_known_result_stands_whatever_happens_while_the_bots_are_told_of_it() -> None:
    for error in (*ERRORS, OSError(errno.ENOMEM, "no memory"), Infrastructure("too late")):
        players = [Scripted(), Scripted(lambda asked: {"id": asked["id"], "resign": True})]
        players[0].farewell = fail(error)  # type: ignore[method-assign]
        assert ended(game(*players))["termination"] == "resignation"
        assert players[1].heard[-1]["type"] == "end"
        assert all(player.closed for player in players)


class Process:
    """A playing process that says these messages and is then silent, or gone."""

    def __init__(self, *batches: list[dict[str, Any]], gone: bool = True) -> None:
        self._batches = list(batches)
        self._gone = gone
        self.killed = False

    def read(self, _: float) -> list[dict[str, Any]] | None:
        return self._batches.pop(0) if self._batches else None if self._gone else []

    def last_words(self) -> str:
        return "the playing process ended with status -9"

    def kill(self) -> None:
        self.killed = True


END = {"type": "end", "result": {"termination": "resignation", "seat": 1}}
MOVE = {"type": "move"}
FAILED = {"type": "infrastructure", "reason": "a disk is full", "seat": 1}


@pytest.mark.parametrize(
    ("process", "silent"),
    [
        (Process([MOVE], [END]), False),
        (Process([MOVE, END], [], [FAILED]), False),
        (Process([MOVE], [END], gone=False), True),
    ],
    ids=["killed", "failed", "hangs"],
)
def test_a_known_result_stands_whatever_becomes_of_the_playing_process(
    process: Any, silent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if silent:
        monkeypatch.setattr("referee.supervise._CLOSE_S", -1.0)
    running = RunningGame(process)
    assert [event for batch in running.batches() for event in batch] == [MOVE, END]
    assert running.result is not None
    assert running.result["result"] == END["result"]
    assert running.result["evidence"] == []
    assert running.result["trouble"]
    assert process.killed


@pytest.mark.parametrize(
    ("process", "kind", "seat"),
    [(Process([MOVE]), PlayingProcessDied, None), (Process([MOVE], [FAILED]), Infrastructure, 1)],
    ids=["killed", "failed"],
)
def test_a_game_without_a_result_is_void(process: Any, kind: type[Exception], seat: int | None) -> None:
    running = RunningGame(process)
    with pytest.raises(Infrastructure) as void:
        list(running.batches())
    assert (type(void.value), void.value.seat, running.result) == (kind, seat, None)
