"""Whole games of every variant, language, number of seats and end, played by the process the site starts."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import engine
from analysis.luck.policy_agreement import tallies
from referee.errors import Infrastructure
from referee.job import REMOTE, ClockRule, Job, SeatJob
from referee.supervise import Message, PlayingProcess
from tests.integration.referee.conftest import Arena, Game
from tests.variants import IN_TURNS

OWN_END = {"win", "stall", "passes"}
UNLIKE = ("crapaud", "crapette-it", "russian-bank")
"""Of the variants in turns, those that differ most: a short run plays these."""
MOST_TURNS = [
    variant if variant in UNLIKE else pytest.param(variant, marks=pytest.mark.at_length)
    for variant in IN_TURNS
]
SHORT = ClockRule(bank_ms=2000, increment_ms=0)
"""A clock that a bot which does not look at it would use up."""


def replayed(start: engine.TurnPosition, events: list[dict[str, Any]]) -> engine.TurnGame:
    game = engine.TurnGame(start)
    for event in events[:-1]:
        made = game.stop() if event["type"] == "stop" else game.push(event["move"])
        assert made.as_dict().items() <= event.items()
    return game


@pytest.mark.parametrize("variant", MOST_TURNS)
def test_house_bots_play_every_variant_by_its_rules_and_as_the_core_does(
    play: Callable[..., Game], variant: str
) -> None:
    start = engine.TurnPosition.deal(variant, "9" * 64)
    game = play("planner", "greedy", start=start)
    assert game.result["termination"] in OWN_END, game.result
    outcome = replayed(start, game.events).outcome()
    assert outcome is not None
    assert tuple(map(tuple, game.result["ranking"])) == outcome.ranking
    assert tuple(game.result["points"]) == outcome.points
    if variant in UNLIKE:
        first, second = tallies(start, engine.words_of(game.events))
        assert first["planner"] == first["stretches"] > 10
        assert second["greedy"] == second["stretches"] > 10


@pytest.mark.parametrize("variant", MOST_TURNS)
def test_greedy_plays_the_same_game_in_every_language(play: Callable[..., Game], variant: str) -> None:
    start = engine.TurnPosition.deal(variant, "7" * 64)
    games = [play(*bots, start=start) for bots in (("greedy", "greedy"), ("greedy-js", "greedy-c"))]
    first, second = ([_plain(event) for event in game.events[:-1]] for game in games)
    assert first
    assert second == first
    assert games[0].result["ranking"] == games[1].result["ranking"]
    assert {one["exit"] for one in games[1].evidence} == {"exited with status 0"}


def _plain(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key not in {"ms", "clocks"}}


def unlike(*games: tuple[str, str]) -> list[Any]:
    """These games in a short run, and every other bot of the gallery in every other variant at length."""
    every = product(("sampler", "cautious", "oracle"), (*IN_TURNS, "vitesse"))
    return [one if one in games else pytest.param(*one, marks=pytest.mark.at_length) for one in every]


@pytest.mark.parametrize(
    ("bot", "variant"),
    unlike(("sampler", "crapette-it"), ("cautious", "russian-bank"), ("oracle", "vitesse")),
)
def test_the_gallery_plays_every_variant(play: Callable[..., Game], bot: str, variant: str) -> None:
    game = play(bot, "greedy", start=engine.deal(variant, "5" * 64), clock=SHORT)
    assert game.result["termination"] in OWN_END | {"stop"}, game.result


def test_a_random_bot_is_stopped_in_crapette_it(play: Callable[..., Game]) -> None:
    start = engine.TurnPosition.deal("crapette-it", "2" * 64)
    game = play("greedy", "random", start=start)
    stops = [event for event in game.events if event["type"] == "stop"]
    assert stops
    assert {event["seat"] for event in stops} == {0}
    assert all(event["turn"] == 0 for event in stops)  # greedy asks the engine, so every call is rightful
    replayed(start, game.events)


def test_a_bad_job_says_what_is_wrong_and_a_missing_bot_is_the_machines_trouble(arena: Arena) -> None:
    words = (
        "^the playing process ended with status 2: bad job: expected 2 'seats', as 'start' has them, got 3$"
    )
    with pytest.raises(Infrastructure, match=words):
        arena.run(arena.job("random", "random", "random"))
    gone = SeatJob("/nowhere", "python", "bot.py")
    with pytest.raises(Infrastructure):
        arena.run(replace(arena.job("random", "random"), seats=(gone, gone)))


def test_the_process_that_plays_has_no_secret_nor_root(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://user:password@host/name")
    with PlayingProcess(arena.stage) as process:
        for _ in range(2):  # one process plays one game after the other
            game = process.start(arena.job("random", "resigner"))
            list(game.batches())
            assert game.result is not None
            assert game.result["result"]["termination"] == "resignation"
        environment = Path(f"/proc/{process.popen.pid}/environ").read_bytes()
        status = Path(f"/proc/{process.popen.pid}/status").read_text()
    assert b"DATABASE_URL" not in environment
    names = {entry.partition("=")[0] for entry in environment.decode().split("\0") if entry}
    python = {"PYTHONPATH", "PYTHONHASHSEED", "LD_LIBRARY_PATH"}
    assert names <= {"PATH", "HOME", "LANG", "CRAPETTE_TMPFS", "CRAPETTE_WHEELS", *python}
    uids = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
    assert "0" not in uids


SUPERVISOR = """
import sys, time
from referee import job
from referee.supervise import PlayingProcess
game = PlayingProcess().start(job.parse(sys.argv[1]))
print(game.pid, flush=True)
time.sleep(600)
"""


def test_when_the_supervisor_is_killed_the_game_and_its_bots_end(arena: Arena) -> None:
    job = arena.job("sleeper", "spinner", clock=ClockRule(600_000, 0))
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISOR, job.line()], stdout=subprocess.PIPE)
    assert supervisor.stdout is not None
    pid = int(supervisor.stdout.readline())
    _until(lambda: len(_descendants(pid)) >= 4, "both bots started")
    family = [pid, *_descendants(pid)]
    os.kill(supervisor.pid, signal.SIGKILL)
    supervisor.wait()
    supervisor.stdout.close()
    _until(lambda: not any(_alive(each) for each in family), "everything ended")


def _descendants(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [each for child in children for each in (int(child), *_descendants(int(child)))]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _until(true: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, f"expected that {what} within a minute"
        time.sleep(0.02)


def test_a_game_is_played_at_level_confined_too(arena: Arena) -> None:
    game = arena.play("random", "random-js", level="confined")
    assert game.result["termination"] in OWN_END, game.result
    assert game.message["sandbox"]["level"] == "confined"


START = engine.deal("vitesse", "6" * 64)


def test_house_bots_play_vitesse_as_the_core_does_and_the_record_replays(play: Callable[..., Game]) -> None:
    for bots in (("planner", "greedy"), ("random-js", "random-c")):
        game = play(*bots, start=START)
        if bots[0] == "planner":
            first, second = tallies(START, engine.words_of(game.events))
            assert first["plans"] == first["stretches"] > 10
            assert second["greedy"] == second["stretches"] > 10
        assert game.result["termination"] in {"stop", "stall"}, game.result
        replayed = engine.TickGame(engine.TickPosition.parse(str(START)))
        for event in game.events[:-1]:
            assert replayed.push(*event["actions"]).as_dict().items() <= event.items()
        outcome = replayed.outcome()
        assert outcome is not None
        assert game.result["points"] == list(outcome.points)
        # On a busy machine a bot may not have left by the time it has for that.
        left = {"exited with status 0", "was ended by the referee"}
        assert {each["exit"] for each in game.evidence} <= left


def test_a_bot_that_oversleeps_waits_and_one_that_leaves_has_lost(play: Callable[..., Game]) -> None:
    game = play("greedy", "napper", start=START, clock=ClockRule(10_000, 100, 500))
    assert game.events[3]["late"] == [1]
    assert game.events[3]["actions"][1] == "wait"
    assert game.events[11]["tick"] == 11
    assert (game.result["termination"], game.result["seat"], game.result["plies"]) == ("crash", 1, 12)
    assert game.evidence[1]["exit"] == "exited with status 3"
    assert any('"tick":12' in text for way, text in game.evidence[1]["messages"] if way == "to")


def answer(message: dict[str, Any]) -> dict[str, Any]:
    match message["type"]:
        case "hello":
            return {"type": "ready", "stops": True, "ticks": True}
        case "stop":
            return {"id": message["id"], "stop": message["ply"] % 7 == 0}
        case "tick":
            return {"id": message["id"], "action": message["legal"][0]}
    return {"id": message["id"], "moves": message["legal"][:1]}


@pytest.mark.parametrize(
    ("variant", "players", "beside"),
    [("crapette", 3, "greedy"), ("crapette-it", 2, None), ("vitesse", 2, "planner")],
)
def test_remote_bots_play_whole_games(arena: Arena, variant: str, players: int, beside: str | None) -> None:
    start = engine.Position.deal(variant, "3" * 64, players)
    seats = [SeatJob("", REMOTE, f"sitting{seat}") for seat in range(players)]
    if beside:
        seats[0] = arena.seat(beside)
    heard: dict[str, list[int]] = {}
    with PlayingProcess(arena.stage) as process, os.fdopen(process.news_pipe(), "w", 1) as news:
        print('{"sitting":"before","do":"lost"}', file=news)  # of a game that was over when it came

        def read(timeout: float) -> list[Message] | None:
            said = process.read(timeout)
            for line in said or []:
                if line["type"] == "line":
                    reply(line)
            return said and [each for each in said if each["type"] != "line"]

        def reply(line: Message) -> None:
            message = json.loads(line["line"])
            heard.setdefault(line["sitting"], []).append(line["n"])
            if message["type"] != "end":
                said = json.dumps(answer(message))
                told = {"sitting": line["sitting"], "n": line["n"], "line": said, "us": 2_000}
                print(json.dumps(told, separators=(",", ":")), file=news)

        running = process.start(Job(variant, str(start), tuple(seats)), read=read)
        events = [event for batch in running.batches() for event in batch]
    assert running.result is not None
    result = running.result["result"]
    assert result["termination"] in {"win", "stall", "passes", "stop"}
    assert events[-1]["result"] == result
    assert heard.keys() == {seat.entry for seat in seats if seat.language == REMOTE}
    for seat, lines in zip(seats[-len(heard) :], heard.values(), strict=True):
        assert lines == list(range(1, len(lines) + 1)), seat
    walls = running.result["sandbox"]["seats"]
    assert [each == {"remote": True} for each in walls] == [seat.language == REMOTE for seat in seats]
    # At most the two milliseconds that each answer is said to have taken, and no CPU time of the arena's.
    answers = [len(lines) - 2 for lines in heard.values()]
    assert sum(result["cpu_ms"][-len(heard) :]) <= 2 * sum(answers)
    assert beside or running.result["cpu_us"]["bots"] == 0


QUICK = {"clock": ClockRule(200, 0)}
ENDED, MEMORY = "was ended by the referee", "wanted more than its 512 MB of memory"
WAITED = r"Seat 1 did not answer within [\d.]+ seconds\. It had used \d+ ms of its 200 ms of CPU time\."
MISSING = "ModuleNotFoundError: No module named 'no_such_module'"


@pytest.mark.parametrize(
    ("bot", "more", "termination", "detail", "exit_", "stderr"),
    [
        (
            "spinner",
            QUICK,
            "timeout",
            "Seat 1 used up its clock: all 0.2 seconds of CPU time it was given.",
            ENDED,
            "",
        ),
        ("sleeper", QUICK, "silence", WAITED, ENDED, "good night"),
        (
            "crasher",
            {},
            "crash",
            "Seat 1 exited with status 1.",
            "exited with status 1",
            "IndexError: list index",
        ),
        ("leaver", {}, "crash", "Seat 1 exited with status 0.", "exited with status 0", ""),
        ("segfault", {}, "crash", "Seat 1 was killed by SIGSEGV.", "was killed by SIGSEGV", ""),
        ("glutton", {}, "memory", f"Seat 1 {MEMORY}.", MEMORY, "MemoryError"),
        ("flooder", {}, "flood", "Seat 1 wrote a line of more than 65536 bytes.", ENDED, ""),
        (
            *("broken", {}, "startup", "Seat 1 was not ready to play: it exited with status 1."),
            *("exited with status 1", MISSING),
        ),
        ("mute", {"start_seconds": 0.3}, "startup", "Seat 1 was not ready after 0.3 seconds.", ENDED, ""),
    ],
)
def test_a_bot_that_does_wrong_loses_with_the_cause_and_the_evidence(
    play: Callable[..., Game], bot: str, more: Any, termination: str, detail: str, exit_: str, stderr: str
) -> None:
    game = play("random", bot, **more)
    assert (game.result["termination"], game.result["seat"]) == (termination, 1)
    assert re.fullmatch(detail, game.result["detail"]) or game.result["detail"] == detail
    assert game.result["ranking"] == [[0], [1]]
    assert game.evidence[1]["exit"] == exit_
    assert stderr in game.evidence[1]["stderr"]
    # The winner is told of the end, and leaves by itself, or not soon enough on a busy host.
    assert game.evidence[0]["exit"] in {"exited with status 0", "was ended by the referee"}


def test_the_evidence_has_the_last_messages_both_ways(play: Callable[..., Game]) -> None:
    game = play("random", "illegal")
    ways = [way for way, _ in game.evidence[1]["messages"]]
    assert ways == ["to", "from", "to", "from", "to"]
    hello, ready, question, answer, end = (text for _, text in game.evidence[1]["messages"])
    assert '"type":"hello"' in hello
    wishes = '"position":true,"events":true,"stops":false,"ticks":false,"start":true'
    assert ready == f'{{"type":"ready","name":"",{wishes}}}'
    assert '"legal":["draw","t6-f","t7-t2"]' in question
    assert answer.endswith('"moves":["t1-t1"]}')
    assert '"termination":"illegal-move"' in end


def test_evidence_is_bounded(play: Callable[..., Game]) -> None:
    game = play("greedy", "greedy")
    for evidence in game.evidence:
        assert len(evidence["messages"]) == 24
        assert all(len(text) <= 4000 for _, text in evidence["messages"])
        assert evidence["max_rss_kb"] > 5000
        assert evidence["cpu_ms"] > 0


def test_a_bot_that_computes_while_others_think_is_charged_and_stopped(play: Callable[..., Game]) -> None:
    game = play("ponderer", "slow")
    assert game.result["termination"] == "resignation"
    ponderer, slow = game.result["cpu_ms"]
    assert slow > 500
    # It would have burnt as much as the slow one thought; what it gets is the grace before each stop.
    assert ponderer < slow / 2
