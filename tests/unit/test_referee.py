"""Jobs, messages, hints and diagnoses of the referee, and what a bot may say to it."""

import contextlib
import json
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import islice
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import engine
from engine.boards import BOARDS
from referee import job as jobs
from referee import messages
from referee.endings import Termination
from referee.errors import Infrastructure
from referee.job import ClockRule, Job, SeatJob
from referee.log import encode
from referee.mistake_advice import hint
from referee.player import PlayerFault
from referee.protocol import (
    MoveAnswer,
    ProtocolError,
    Ready,
    clean,
    nonces,
    parse_action,
    parse_answer,
    parse_ready,
    parse_stop,
)
from referee.sandboxed import SandboxedPlayer
from referee.ticks.loop import TickReferee
from referee.trial import CUT_SHORT, diagnose
from referee.turns.whole import RefereeTable
from sandbox import Exit, KilledByHost, SandboxUnavailable
from tests.unit.referee.scripted import Played, Scripted, TickPlayer, eager
from tests.variants import IN_TURNS

JOB = Job(
    "crapaud", "line", (SeatJob("/a", "python", "bot.py"), SeatJob("/b", "native", "bot")), ClockRule(10, 0)
)


def test_a_job_reads_back_as_it_was_written() -> None:
    assert jobs.parse(JOB.line()) == JOB
    weak = replace(JOB, seats=(replace(JOB.seats[0], level=3),))
    assert jobs.parse(weak.line()) == weak
    far = replace(
        JOB, seats=(JOB.seats[0], SeatJob("", "remote", "s1")), remote_clock=ClockRule(9, 8, 7, wall=True)
    )
    assert jobs.parse(far.line()) == far


def test_ids_do_not_repeat_and_cannot_be_foreseen_but_with_a_seed() -> None:
    one, other = list(islice(nonces(), 5000)), list(islice(nonces(), 5000))
    assert len(set(one)) > 4990
    assert not set(one[:100]) & set(other[:100])
    assert all(len(nonce) == 8 and set(nonce) <= set("0123456789abcdef") for nonce in one)
    assert list(islice(nonces("a"), 3000)) == list(islice(nonces("a"), 3000))
    assert next(nonces("a")) != next(nonces("b"))


MESSAGES: dict[str, Any] = {
    **{"hello": messages.Hello, "move": messages.MoveQuestion, "stop": messages.StopQuestion},
    **{"tick": messages.TickQuestion, "end": messages.EndMessage},
}
"""The messages to bots by their ``type``."""
EVENTS: dict[str, Any] = {
    **{"move": messages.PlyEvent, "stop": messages.PlyEvent, "tick": messages.TickEvent},
    **{"offer": messages.NoteEvent, "decline": messages.NoteEvent, "end": messages.EndEvent},
}
"""The events of a record by their ``type``."""
WISHES = {"type": "ready", "stops": True, "start": True, "name": "all ears"}


def talkative(message: dict[str, Any]) -> dict[str, Any]:
    """Says everything a bot may say, and calls stop now and then."""
    if message["type"] == "stop":
        return {"id": message["id"], "stop": message["ply"] % 7 == 0}
    offer = message["ply"] % 11 == 0 and not message.get("draw_offered")
    remarks = {"comment": "so", "eval": 0.5, "offer_draw": offer}
    return {"id": message["id"], "moves": [message["legal"][0]], **remarks}


def assert_fields(events: list[dict[str, Any]], *players: Scripted) -> None:
    """Check that each object has all the fields it must have, and no others than it may have."""
    heard = [message for player in players for message in player.heard]
    for declared, found in ((EVENTS, events), (MESSAGES, heard)):
        for one in found:
            kind = declared[one["type"]]
            assert kind.__required_keys__ <= one.keys() <= kind.__required_keys__ | kind.__optional_keys__, (
                one
            )
            assert "result" not in one or one["result"].keys() == messages.ResultFields.__required_keys__


def test_a_game_of_turns_says_and_records_what_is_declared() -> None:
    game = engine.TurnGame.deal("crapette-it", "5" * 64)
    players = [Scripted(talkative, ready=WISHES), Scripted(talkative, ready=WISHES)]
    played = Played(game.position, players)
    assert_fields(played.events, *players)
    assert {"move", "stop", "offer", "decline", "end"} <= set(played.kinds())
    assert {message["type"] for message in players[0].heard} == {"hello", "move", "stop", "end"}


def test_a_game_in_ticks_says_and_records_what_is_declared() -> None:
    def remarked(message: dict[str, Any]) -> Any:
        answer: Any = eager(message)
        return answer | {"comment": "so", "eval": 0.5}

    players = [TickPlayer(remarked), TickPlayer()]
    game = engine.TickGame(engine.TickGame.deal("vitesse", "3" * 64).start)
    referee = TickReferee(game, players, [ClockRule(60_000, 500, 60_000)] * 2, nonces("test"))
    events = [json.loads(line) for lines in referee.play() for line in lines]
    referee.close()
    assert_fields(events, *players)
    assert {event["type"] for event in events} == {"tick", "end"}


def said(**fields: object) -> Ready:
    return parse_ready(json.dumps({"type": "ready", **fields}).encode())


def test_a_bot_plays_what_it_names_or_all_of_turns_and_ticks_if_it_says_so() -> None:
    assert [board for board in BOARDS if said().plays_on(board)] == [
        one for one in BOARDS if one != "vitesse"
    ]
    assert [board for board in BOARDS if said(ticks=True).plays_on(board)] == list(BOARDS)
    ready = said(plays=["crapette/3", "go", "crapo"])
    assert ready.plays == ("crapette/3", "crapo"), "names of other arenas are let be"
    assert [board for board in BOARDS if ready.plays_on(board)] == ["crapo", "crapette/3"]
    assert not any(said(plays=[]).plays_on(board) for board in BOARDS)


def player(error: Exception, *, doubted: bool) -> SandboxedPlayer:

    def fail(*_: object) -> NoReturn:
        raise error

    process: Any = SimpleNamespace(
        cpu_ns=int, fileno=int, pause=list, resume=list, send=fail, ask=fail, read_line=fail
    )
    return SandboxedPlayer(process, 0, 1, doubted=doubted)


def conversations(mine: SandboxedPlayer) -> list[Callable[[], object]]:
    send, ask = partial(mine.send, b"{}\n", 1.0), partial(mine.ask, b"{}\n", 1.0, 1)
    return [send, ask, partial(mine.receive, 1.0)]


def killed(*, proved: bool) -> KilledByHost:
    words = "was ended by the kernel because the host ran out of memory"
    return KilledByHost(Exit(None, 9, 0, 0, b"", cause="host", words=words, proved=proved))


@pytest.mark.parametrize(("doubted", "proved"), [(False, False), (False, True), (True, True)])
def test_a_bot_that_the_host_ended_loses_nothing(doubted: bool, proved: bool) -> None:
    with pytest.raises(Infrastructure) as void:
        player(killed(proved=proved), doubted=doubted).ask(b"{}\n", 1.0, 1)
    assert str(void.value) == (
        "seat 1: a bot was ended by the kernel because the host ran out of memory"
        " (give the host memory, or play fewer games at once)"
    )
    assert void.value.seat == 1


def test_a_doubted_bot_needs_proof() -> None:
    words = r"^was killed by SIGKILL once more than the arena tolerates$"
    for conversation in conversations(player(killed(proved=False), doubted=True)):
        with pytest.raises(PlayerFault, match=words) as fault:
            conversation()
        assert fault.value.termination is Termination.CRASH


def test_a_failure_that_affects_no_bot_names_no_seat() -> None:
    with pytest.raises(Infrastructure, match=r"^a pipe broke$") as void:
        player(SandboxUnavailable("a pipe broke"), doubted=True).receive(1.0)
    assert void.value.seat is None


@pytest.mark.parametrize(
    "error", [ValueError("int(b'x')"), OSError(12, "no memory"), killed(proved=True)], ids=type
)
def test_nothing_is_raised_once_the_game_is_over(error: Exception) -> None:
    mine = player(error, doubted=False)
    with contextlib.suppress(PlayerFault, Infrastructure):
        mine.send(b"last words\n", 1.0)

    def fail(*_: object) -> NoReturn:
        raise error

    vars(mine._process).update(farewell=fail, close=fail, kill=fail)
    mine.farewell(b"end\n")
    left = mine.close()
    mine.kill()
    assert left.messages == [("to", "last words"), ("to", "end")]
    assert left.exit.startswith("caused an error that the arena did not expect (")


MOVE = {"type": "move"}
LATE = {"type": "tick", "late": [0, 1]}


def unfinished(wall_ms: int, cpu_ms: int, *events: dict[str, Any], delayed_ms: int = 0) -> Any:
    """The diagnosis of a game of two that was cut short after these events."""
    took = {"wall_ms": wall_ms, "cpu_ms": cpu_ms, "delayed_ms": delayed_ms}
    result = {"termination": CUT_SHORT, "seat": None, "plies": len(events), "cpu_ms": [0, 0], "took": took}
    return diagnose(result, events, [{"cpu_ms": cpu_ms, "stderr": ""}, {"cpu_ms": 0, "stderr": ""}])


@pytest.mark.parametrize(
    ("wall_ms", "cpu_ms", "delayed_ms", "count", "words"),
    [
        (4000, 3900, 0, 0, "look for an endless loop"),
        (4000, 5, 0, 0, "It slept or waited (5 ms"),
        (4000, 300, 3600, 0, "look for an endless loop"),
        (8000, 20, 0, 4, "It slept or waited most of the time (20 ms"),
    ],
)
def test_a_bot_that_is_too_slow_fails_and_hears_what_it_did(
    wall_ms: int, cpu_ms: int, delayed_ms: int, count: int, words: str
) -> None:
    found = unfinished(wall_ms, cpu_ms, *[MOVE] * count, delayed_ms=delayed_ms)
    assert (found.passed, found.seat) == (False, 0)
    assert words in str(found.advice)
    assert ("the arena was busy" in found.detail) is (delayed_ms > 0)


def test_a_bot_that_answers_passes_however_long_it_thinks_but_for_ticks_in_which_it_was_late() -> None:
    assert unfinished(4000, 3900, MOVE).passed, "it thinks for long: the clock says how long it may"
    assert unfinished(4000, 100, *[MOVE] * 90).passed, "it is quick, and we are not"
    assert unfinished(4000, 100, MOVE, MOVE, delayed_ms=3500).passed, "it had no core"
    assert not unfinished(4000, 3900, LATE, LATE).passed
    assert unfinished(4000, 3900, LATE, {"type": "tick"}).passed


GAMES = [(name, players) for name in IN_TURNS for players in engine.VARIANTS[name].players]


@pytest.mark.parametrize(("variant", "players"), GAMES)
@pytest.mark.parametrize("seed", ["1" * 64, "2" * 64])
def test_every_event_and_public_line_of_a_random_game_is_the_engines(
    variant: str, players: int, seed: str
) -> None:
    dice = random.Random(seed)
    start = engine.TurnPosition.deal(variant, seed, players)
    game, table, behind = engine.TurnGame(start), RefereeTable(start), RefereeTable(start)
    stepper = behind.stepper()
    while not game.finished:
        assert table.legal_moves() == list(game.legal_moves())
        assert table.public_line() == stepper.public_line() == str(game.position.public())
        # Mostly what makes progress: random games end by stalling.
        forward = [move for move in game.legal_moves() if move.endswith("-f") or move[0] in "rdh"]
        move = dice.choice(forward if forward and dice.random() < 0.8 else list(game.legal_moves()))
        event = game.push(move)
        assert table.push(move) == encode(event.as_dict())
        stepper.advance([move])
        assert (table.turn, table.ply, table.turn_number) == (game.turn, game.ply, game.turn_number)
        assert table.can_stop() == game.can_stop()
        if game.can_stop() and dice.random() < 0.1:
            assert "{" + table.stop() == encode(game.stop().as_dict())
            stepper.stop()
            assert table.turn == game.turn
    assert table.finished
    assert table.outcome() == game.outcome()
    assert str(table.position) == str(game.position)


@pytest.mark.parametrize(("variant", "players"), GAMES)
def test_answers_are_played_to_the_next_card_turned_up_and_reported_together(
    variant: str, players: int
) -> None:
    dice = random.Random(variant)
    start = engine.TurnPosition.deal(variant, "3" * 64, players)
    game, table = engine.TurnGame(start), RefereeTable(start)
    stepper, played, expected = table.stepper(), list[int](), list[str]()
    while not game.finished and game.ply < 600:
        seat, answer, shown = game.turn, list[str](), False
        while not shown and game.turn == seat and not game.finished:
            answer.append(dice.choice(game.legal_moves()))
            event = game.push(answer[-1])
            expected.append(encode(event.as_dict()))
            shown = answer[-1] == "draw" or event.reveal is not None
        dropped = ["t1-f", "nonsense"]
        assert stepper.reachable([*answer, *dropped]) == answer
        played += stepper.advance([*answer, *dropped])
        assert (stepper.turn, stepper.ply, stepper.finished) == (game.turn, game.ply, game.finished)
        assert game.finished or stepper.legal_text() == encode(list(game.legal_moves()))
    assert ["{" + event for event in table.play(played)] == expected


def refusal(parse: Callable[[], object]) -> str:
    with pytest.raises(ProtocolError) as caught:
        parse()
    return str(caught.value)


def test_ready_has_defaults_for_all_it_leaves_out_and_says_what_the_bot_wants() -> None:
    plain = Ready("", position=True, events=True, stops=False)
    assert parse_ready(b'{"type": "ready", "colour": "red"}') == plain
    line = b'{"type":"ready","name":" My  bot\\n","position":false,"events":false,"stops":true}'
    assert parse_ready(line) == Ready("My bot", position=False, events=False, stops=True)
    for bad, message in (
        (b'{"type":"go"}', "expected \"type\" to be 'ready', got 'go'"),
        (b'{"type":"ready","name":3}', 'expected "name" to be a string, got 3'),
        (b'{"type":"ready","stops":"yes"}', "expected \"stops\" to be true or false, got 'yes'"),
    ):
        assert refusal(partial(parse_ready, bad)) == message


def test_an_answer_may_be_moves_alone_or_say_everything() -> None:
    assert parse_answer(b'{"id":"a","moves":["draw","h-t1"]}', "a") == MoveAnswer(("draw", "h-t1"))
    line = b'{"id":"a","moves":["draw"],"comment":"hm","eval":-1,"offer_draw":true,"other":[],"resign":false}'
    assert parse_answer(line, "a") == MoveAnswer(("draw",), "hm", -1.0, offer_draw=True)
    for enough in (b'"resign":true', b'"accept_draw":true'):
        assert parse_answer(b'{"id":"a",' + enough + b"}", "a").moves == ()


def test_a_poll_is_answered_with_true_or_false() -> None:
    assert parse_stop(b'{"id":"a","stop":true}', "a") is True
    assert parse_stop(b'{"id":"a","stop":false}', "a") is False
    for bad in (b'{"id":"a"}', b'{"id":"a","stop":1}', b'{"id":"b","stop":true}'):
        assert refusal(partial(parse_stop, bad, "a")).startswith("expected ")


def test_a_bots_text_is_made_fit_to_show() -> None:
    assert clean("a\x00b\n\ud800c  \u202ed", 20) == "a b c d"
    assert clean("x" * 30, 20) == "x" * 19 + "…"
    assert clean("\x00", 20) == ""


FIELDS = ("type", "id", "name", "moves", "action", "comment", "eval", "resign", "stop", "plays", "position")
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 80), 1 << 80)
    | st.floats()
    | st.sampled_from(("ready", "x", "\ud800", "\0", "h-d"))
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
LINES = st.binary(max_size=80) | st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6).map(
    lambda fields: json.dumps(fields).encode()
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LINES)
@example(b'{"type":"ready","name":' + b"[" * 990 + b"]" * 990 + b"}")
@example(b'{"id":"x","moves":' + b"9" * 4000 + b"}")
@example(b'{"id":"x","eval":' + b"9" * 4000 + b"}")
@example(b'{"id":"x","eval":1e99999}')
def test_no_line_is_worse_than_a_wrong_answer(line: bytes) -> None:
    for parse in (
        parse_ready,
        parse_action,
        lambda one: parse_answer(one, "x"),
        lambda one: parse_stop(one, "x"),
    ):
        said = ""
        try:
            parse(line)
        except ProtocolError as error:
            said = str(error)
        assert "\0" not in said
        said.encode()  # raises for what no file takes


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=200), st.text(max_size=80), st.sampled_from(("crash", "startup", "timeout")))
@example("No module named '{0}{1}", "{", "crash")
@example("FileNotFoundError: x: '{x}'", "%s", "startup")
def test_no_output_is_too_odd_for_a_hint(stderr: str, detail: str, termination: str) -> None:
    assert str(hint(termination, detail, stderr, 7, 1.0) or "-")
