"""No bot voids a game that it loses, or harms who plays on: by its words, names, size or slow death."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
from kit.bot.entrants import find
from referee.job import ClockRule, Job, SeatJob
from referee.supervise import PlayingProcess
from sandbox import Level, Stage
from tests.security.abuses import Abuse, abuses
from tests.security.arena import as_runner, store
from tests.security.corpus import compiled

START = engine.deal("crapaud", "0" * 64)
"""Seat 1, the attacker's, starts."""
ENDINGS_OF_THE_GAME = {"win", "stall", "passes", "draw-agreed"}


def play(process: PlayingProcess, *seats: SeatJob) -> dict[str, Any]:
    job = Job("crapaud", str(START), seats, clock=ClockRule(400, 20), start_seconds=4)
    game = process.start(job)
    events = [event for batch in game.batches() for event in batch]
    assert game.result is not None
    assert [event["n"] for event in events] == list(range(len(events)))
    return game.result


@pytest.fixture(scope="module")
def process(stage: Stage) -> Iterator[PlayingProcess]:
    """One playing process for all: whoever harms it fails the games after it, the last of which is honest."""
    with PlayingProcess(stage) as made:
        yield made
        following = play(made, *[find("random").seat(stage)] * 2)["result"]
        assert following["termination"] in ENDINGS_OF_THE_GAME, following


@pytest.fixture(scope="module")
def honest(stage: Stage) -> SeatJob:
    return find("random").seat(stage)


@pytest.mark.parametrize("attack", abuses(), ids=lambda attack: attack.name)
def test_abusing_the_protocol_loses_the_game_and_does_nothing_else(
    attack: Abuse, stage: Stage, process: PlayingProcess, honest: SeatJob
) -> None:
    directory = store(stage, {"bot.py": attack.program}, "bot.py")
    begun = time.monotonic()
    message = play(process, honest, SeatJob(str(directory), "python", "bot.py"))
    result = message["result"]
    assert result["termination"] in attack.expect, result
    culprit = None if result["termination"] in ENDINGS_OF_THE_GAME else 1
    assert result["seat"] == culprit, result
    assert len(result["detail"]) < 500
    assert result["detail"].isprintable()
    # By itself, or not soon enough on a busy host.
    assert message["evidence"][0]["exit"] in {"exited with status 0", "was ended by the referee"}, message
    assert time.monotonic() - begun < 60


NAMES = (b"VmHWM:x", b"VmHWM: 9 kB", b"\nVmHWM: 9 kB\n", b"RssAnon:\xff", b"\xff\xfe\x80", b") Z 1 2 (", b"")
HELD_MB = 120
ENTRIES = {"python": "bot.py", "javascript": "bot.js", "native": "bot"}
PYTHON = b"""
import ctypes, json, os, sys

ctypes.CDLL(None).prctl(15, %(name)r, 0, 0, 0)
held = bytearray(b"x") * (%(held)d << 20)
answered = 0
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif asked["type"] == "move" and (answered := answered + 1) < 3:
        print(json.dumps({"id": asked["id"], "moves": asked["legal"][:1]}), flush=True)
    elif asked["type"] == "move":
        %(end)s
"""
RESIGN = b'print(json.dumps({"id": asked["id"], "resign": True}), flush=True)'
NODE = b"""
process.title = %(name)s;
const held = Buffer.alloc(%(held)d << 20, 1);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const asked = JSON.parse(line);
  if (asked.type === "hello") console.log('{"type": "ready"}');
  else if (asked.type === "move") { %(end)s }
});
"""
HONEST = PYTHON % {b"name": b"bot", b"held": 1, b"end": b"pass"}
HONEST = HONEST.replace(b"(answered := answered + 1) < 3", b"True")


MAPPER = Path(__file__).with_name("mapper.c")
WAYS = 5


def seat(stage: Stage, source: bytes, language: str = "python") -> SeatJob:
    entry = ENTRIES[language]
    return SeatJob(str(store(stage, {entry: source}, entry)), language, entry)


def job(stage: Stage, level: Level, bot: SeatJob, trial: float | None = None, bank_ms: int = 10_000) -> Job:
    """A game of a bot in seat 1, which begins, against one that answers; or its check."""
    seats = (seat(stage, HONEST), bot)
    return Job("crapaud", str(START), seats, ClockRule(bank_ms, 0), level=level.value, trial=trial)


def results(stage: Stage, jobs: list[Job]) -> list[dict[str, Any]]:
    """The result messages of games that one playing process plays one after the other."""
    found = []
    with PlayingProcess(stage) as process:
        for each in jobs:
            running = process.start(each)
            assert [event for batch in running.batches() for event in batch]
            assert running.result is not None
            assert running.result["trouble"] == ""
            found.append(running.result)
    return found


@pytest.mark.parametrize("turned", [0, pytest.param(1, marks=pytest.mark.at_length)])
def test_whatever_a_bot_calls_itself_the_game_is_played_to_its_end(
    turned: int, level: Level, stage: Stage
) -> None:
    ends = [RESIGN, b"os.abort()"]
    bots = [
        seat(stage, PYTHON % {b"name": name, b"held": HELD_MB, b"end": ends[number % 2]})
        for number, name in enumerate(NAMES)
    ]
    games = (level is Level.FULL) ^ turned
    trials = [None if number // 2 % 2 == games else 20.0 for number in range(len(bots))]
    found = results(stage, [job(stage, level, *each) for each in zip(bots, trials, strict=True)])
    for number, message in enumerate(found):
        assert message["result"]["termination"] == ["resignation", "crash"][number % 2], message
        assert message["result"]["seat"] == 1
        # Who crashes was last looked at up to a twentieth of a second before, when it may have held little.
        least = 0.0 if number % 2 else 0.95
        assert least * HELD_MB < message["evidence"][1]["max_rss_kb"] / 1024 < HELD_MB + 50


def test_whatever_a_javascript_bot_is_titled_its_game_is_played_to_its_end(
    level: Level, stage: Stage
) -> None:
    resign = b"console.log(JSON.stringify({ id: asked.id, resign: true }));"
    bots = [
        seat(stage, NODE % {b"name": name, b"held": 100, b"end": end}, "javascript")
        for name, end in (
            (b'"VmHWM:x"', resign),
            (b'"\\nRssAnon:"', b"process.abort();"),
            (b'")".repeat(2_000_000)', resign),
        )
    ]
    found = results(stage, [job(stage, level, bot) for bot in bots])
    ended = [message["result"]["termination"] for message in found]
    assert ended == ["resignation", "crash", "resignation"], found
    # Who crashes was last looked at up to a twentieth of a second before, so what it took since is unknown.
    for message, least in zip(found, (100, 0, 100), strict=True):
        assert message["evidence"][1]["max_rss_kb"] > least << 10


@pytest.mark.parametrize("turned", [0, pytest.param(1, marks=pytest.mark.at_length)])
def test_whatever_a_native_bot_maps_its_game_is_played_to_its_end(
    turned: int, level: Level, stage: Stage
) -> None:
    ends = [(way + turned + (level is Level.FULL)) % 2 for way in range(WAYS)]
    jobs = []
    for way, end in enumerate(ends):
        bot = seat(stage, compiled(MAPPER, f"-DWAY={way}", f"-DEND={end}"), "native")
        jobs.append(job(stage, level, bot, 20.0 if way % 2 else None))
    for end, message in zip(ends, results(stage, jobs), strict=True):
        assert message["result"]["seat"] == 1
        assert message["result"]["termination"] in (["resignation", "crash"][end], "memory"), message


def test_a_bot_that_is_slow_to_die_has_lost_all_the_same(level: Level, stage: Stage) -> None:
    """Whether it resigned, or closed its output (which bwrap hides) and does not go; the next game is played.

    The kernel takes no time at all here, which is more than it has: so every bot is slow to die.
    """
    stay = b"\n        while True: pass"
    ends = (RESIGN + stay, b"os.close(1)" + stay)
    bots = [seat(stage, PYTHON % {b"name": b"bot", b"held": HELD_MB, b"end": end}) for end in ends]
    source = """
import sys
from referee import __main__ as playing, job
from referee.child import Lines
from sandbox import Stage, process

process.GONE_SECONDS = 0.0
lines = Lines()
lines.idle = lambda: None  # standard input ends before the games do
for line in sys.stdin:
    playing.play(job.parse(line), Stage.ensure(), lines)
"""
    feed = "".join(f"{job(stage, level, bot, bank_ms=300).line()}\n" for bot in bots)
    said = [json.loads(line) for line in as_runner(stage, source, feed).splitlines()]
    found = [message for message in said if message["type"] == "result"]
    closed = "crash" if level == "confined" else "timeout"
    assert [message["result"]["termination"] for message in found] == ["resignation", closed], said
    assert [message["evidence"][1]["exit"] for message in found] == 2 * ["was ended by the referee"]


def test_what_was_slow_to_die_is_freed_at_the_next_start(level: Level, stage: Stage) -> None:
    bot = PYTHON % {b"name": b"bot", b"held": HELD_MB, b"end": b"pass"}
    source = f"""
import json, sys, time
from pathlib import Path
from sandbox import *
from sandbox import process

stage, directory = Stage.ensure(), Path({str(store(stage, {"bot.py": bot}, "bot.py"))!r})


def started():
    bot = spawn(Program(directory, "python", "bot.py"), BotLimits(), Level({level.value!r}), stage)
    bot.send(b'{{"type": "hello"}}\\n', time.monotonic() + 60)
    bot.read_line(time.monotonic() + 60)
    return bot


process.GONE_SECONDS = 0.0
freed = []
for _ in range(3):
    bot = started()
    before = bot.when_gone
    bot.when_gone = lambda before=before: freed.append(before())
    ended = bot.close()
    left = process.reap()
    deadline = time.monotonic() + 60
    while process.reap() and time.monotonic() < deadline:
        time.sleep(0.01)
print(json.dumps([ended.cause, ended.killed, left, process.reap(), len(freed), bot.alive]))
"""
    cause, killed, _, left, freed, alive = json.loads(as_runner(stage, source))
    assert (cause, killed, left, freed, alive) == ("killed", True, 0, 3, False)
