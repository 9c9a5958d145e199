"""The handle on a running bot: pausing, ending, counting; and bots whose referee dies."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path
from signal import SIGPIPE, SIGXFSZ
from typing import Any

import pytest

from sandbox import Level, Stage
from sandbox import as_runner as start_as_runner
from sandbox.staging.stage import PYTHON_FLAGS
from tests.security.arena import PRELUDE, ask_runner, store
from tests.security.elf import program

START = """
def spawn_bot(level, **limits):
    return spawn(Program(Path(job["directory"]), "python", "bot.py"), BotLimits(**limits), level, stage)
"""
PONDERS = b"""
for line in iter(input, "end"):
    print("heard", line, flush=True)
    while line == "think":
        pass
"""


def try_bot(stage: Stage, level: Level, bot: bytes, source: str, **files: bytes) -> Any:
    """Store `bot` with these files, run `source` after START as the runner; the JSON it printed."""
    named = {name.replace("_", "."): content for name, content in files.items()}
    directory = store(stage, {"bot.py": bot, **named}, "bot.py")
    job = {"directory": str(directory), "level": level.value}
    return ask_runner(stage, START + source, job)


def test_a_bot_is_paused_counted_to_the_microsecond_and_gone_within_fifty_milliseconds(
    level: Level, stage: Stage
) -> None:
    source = """
def thinks():
    bot.send(b"think\\n", soon())
    bot.read_line(soon())


bot = spawn_bot(job["level"])
bot.send(b"hello\\n", soon())
bot.read_line(soon())
readings = [bot.cpu_ns()]
time.sleep(0.3)
readings.append(bot.cpu_ns())
thinks()
time.sleep(0.3)
readings.append(bot.cpu_ns())
bot.pause()
time.sleep(0.05)
readings.append(bot.cpu_ns())
time.sleep(0.5)
readings.append(bot.cpu_ns())
bot.resume()
time.sleep(0.3)
readings += [bot.cpu_ns(), bot.close().cpu_ns]
took = []
for number in range(4):
    bot = spawn_bot(job["level"])
    thinks()
    if number % 2:
        bot.pause()
    begun = time.monotonic()
    ended = bot.kill()
    took.append(time.monotonic() - begun)
    assert (ended.signal, ended.killed, ended.cause) == (9, True, "killed"), ended
    assert not bot.alive
tell([readings, min(took)])
"""
    readings, took = try_bot(stage, level, PONDERS, source)
    first, waited, worked, before, paused, resumed, final = readings
    assert waited - first < 3e6
    assert 1e7 < worked - waited < 4e8
    assert paused - before < 5e6
    assert resumed - paused > 1e7
    assert final >= resumed
    assert any(reading % 10_000_000 for reading in readings)
    assert took < 0.05


PROMISED = b"""
import asyncio, dataclasses, decimal, heapq, itertools, json, math, os, queue
import random, statistics, threading, time
import crapette, engine, helper

async def main():
    loop = asyncio.get_running_loop()
    loop.call_soon_threadsafe(lambda: None)  # by a pair of sockets
    await asyncio.sleep(0.01)
    return random.Random(1).random() > 0, str(decimal.Decimal(1) / 4)

with threading.RLock(), open("data.txt") as file:
    data = file.read()
same = hash("x") == helper.again()
own = os.path.basename(__file__)
print(__name__, own, helper.VALUE, data, same, engine.RULES_VERSION, *asyncio.run(main()))
exit(3)
"""
ENDS = """
bot = spawn_bot(job["level"])
lines = []
try:
    while True:
        lines.append(bot.read_line(soon()).decode())
except BotExited as fault:
    tell([lines, fault.detail, fault.exit.stderr.decode()])
"""


def test_a_python_bot_finds_what_authors_are_promised(level: Level, stage: Stage) -> None:
    helper = b"VALUE = 7\n\n\ndef again():\n    return hash('x')\n"
    found = try_bot(stage, level, PROMISED, ENDS, helper_py=helper, data_txt=b"weights")
    assert found == [["__main__ bot.py 7 weights True 1 True 0.25"], "exited with status 3", ""]


def test_an_exception_is_told_as_authors_know_it(level: Level, stage: Stage) -> None:
    _, detail, said = try_bot(stage, level, b"def f():\n    return 1 / 0\n\n\nf()\n", ENDS)
    first, place, *_, last = said.splitlines()
    assert (detail, first) == ("exited with status 1", "Traceback (most recent call last):")
    assert "bot.py" in place
    assert "stub" not in said
    assert last == "ZeroDivisionError: division by zero"


def test_bots_die_with_their_referee(level: Level, stage: Stage) -> None:
    directory = store(stage, {"bot.py": PONDERS}, "bot.py")
    source = """
bots = [spawn_bot(job["level"]) for _ in range(3)]
for bot in bots:
    bot.send(b"think\\n", soon())
    bot.read_line(soon())
bots[1].pause()
print(json.dumps([bot.host_pid for bot in bots]), flush=True)
time.sleep(60)
"""
    command, dropped = start_as_runner([str(stage.python), *PYTHON_FLAGS, "-c", PRELUDE + START + source])
    referee = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=stage.environment,
        cwd="/",
        text=True,
        **dropped,
    )
    assert referee.stdin is not None
    assert referee.stdout is not None
    with referee:
        referee.stdin.write(json.dumps({"directory": str(directory), "level": level.value}) + "\n")
        referee.stdin.flush()
        pids = json.loads(referee.stdout.readline())
        assert all(alive(pid) for pid in pids)
        referee.kill()
    deadline = time.monotonic() + 30
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [pid for pid in pids if alive(pid)] == []


def alive(pid: int) -> bool:
    """Whether a process runs, the dead that wait to be collected left out."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


KILLS_ITSELF = b"""
import os
import signal

if input() == "signal":
    os.kill(os.getpid(), signal.SIGKILL)
os._exit(137)
"""


def test_a_bot_that_kills_itself_while_the_host_is_short_of_memory_is_not_believed(
    level: Level, stage: Stage
) -> None:
    source = """
from sandbox import exit_causes

kills = iter(range(100))
exit_causes.host_oom_kills = lambda: next(kills)  # the kernel kills something all the time
found = []
for how in (b"signal", b"status"):
    bot = spawn_bot(job["level"])
    bot.send(how + b"\\n", soon())
    try:
        bot.read_line(soon())
    except (BotFault, SandboxUnavailable) as fault:
        found.append(f"{type(fault).__name__}: {fault}")
tell(found)
"""
    assert try_bot(stage, level, KILLS_ITSELF, source) == 2 * ["BotExited: was killed by SIGKILL"]


LOGS = b"""
import os
import sys

for line in iter(input, "end"):
    os.write(2, b"first words\\n" + b"x" * (3 << 20) + b"\\nlast words\\n")
    print("heard", flush=True)
os.write(2, b"y" * (1 << 20) + b"goodbye")
"""


def test_a_bot_may_write_any_amount_to_standard_error_and_leaves_by_itself(
    level: Level, stage: Stage
) -> None:
    source = """
bot = spawn_bot(job["level"])
bot.send(b"hello\\n", soon())
heard = bot.read_line(soon(30.0))
bot.pause()
left = bot.farewell(b"end\\n", 30.0)
ended = bot.close()
found = [heard.decode(), left, ended.killed, ended.words, ended.max_rss_kb > 4000]
tell([found, ended.stderr_bytes, ended.stderr.decode()])
"""
    found, wrote, kept = try_bot(stage, level, LOGS, source)
    assert found == ["heard", True, False, "exited with status 0", True]
    assert wrote == len(b"first words\n\nlast words\ngoodbye") + (4 << 20)
    assert kept.startswith("first words\nxxx")
    assert kept.endswith("yyygoodbye")
    assert f"\n[... {wrote - (64 << 10)} bytes left out ...]\n" in kept


WRITES_BEFORE_IT_READS = b"""
import os
import sys

while line := sys.stdin.buffer.readline():
    where, count = map(int, line.split())
    said = b"z\\n" * count
    while said:
        said = said[os.write(where, said) :]
    sys.stdin.buffer.readline()
    os.write(1, b"heard\\n")
"""


def test_a_bot_that_writes_before_it_reads_is_not_waited_for_in_vain(level: Level, stage: Stage) -> None:
    source = """
bot = spawn_bot(job["level"])
found = []
for words in ("2 1000000", "1 200000", "1 1000000"):
    bot.send(words.encode() + b"\\n", soon())
    try:
        bot.send(b"q" * (1 << 20) + b"\\n", soon(30.0))
        while (line := bot.read_line(soon(30.0))) == b"z":
            pass
        found.append(line.decode())
    except BotFault as fault:
        found.append(f"{type(fault).__name__}: {fault.detail}")
bot.close()
tell(found)
"""
    found = try_bot(stage, level, WRITES_BEFORE_IT_READS, source)
    assert found == ["heard", "heard", "BotFlooded: wrote more than 1048576 bytes that nobody asked for"]


FLOODS = b"""
import os

size = int(input())
while True:
    os.write(2, b"x" * size)
"""


def test_a_flood_of_standard_error_costs_the_referee_next_to_nothing(level: Level, stage: Stage) -> None:
    source = """
found = []
for size in (1, 65536):
    bot = spawn_bot(job["level"])
    bot.send(b"%d\\n" % size, soon())
    begun, used = time.monotonic(), time.process_time()
    try:
        bot.read_line(soon(0.5))
    except BotSilent:
        pass
    found.append([time.monotonic() - begun, time.process_time() - used])
    found[-1].append(bot.close().stderr_bytes)
tell(found)
"""
    for elapsed, used, wrote in try_bot(stage, level, FLOODS, source):
        assert used < elapsed / 5
        assert 0 < wrote <= (elapsed / 0.005 + 4) * 65536


EVIL_PARENT = """
import signal
for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_SETMASK, signal.Signals)
program = Program(Path(job["directory"]), job["language"], job["entry"])
bot = spawn(program, BotLimits(), job["level"], stage)
if job["language"] != "native":
    bot.read_line(soon())
lines = Path(f"/proc/{bot.host_pid}/status").read_text().splitlines()
status = dict(line.split(":\\t", 1) for line in lines)
bot.close()
tell([int(status[name], 16) for name in ("SigIgn", "SigBlk", "SigPnd")])
"""
AS_IN_A_TERMINAL = {
    "python": ("bot.py", b"import time\nprint('up', flush=True)\ntime.sleep(60)\n", (SIGPIPE, SIGXFSZ)),
    "javascript": ("bot.js", b"console.log('up'); process.stdin.resume();\n", (SIGPIPE, SIGXFSZ)),
    "native": ("bot", program(34), ()),  # pause
}
"""Programs that wait, with the signals that their interpreters ignore by themselves."""


@pytest.mark.parametrize("language", AS_IN_A_TERMINAL)
def test_a_bot_ignores_and_blocks_no_signal_that_its_parents_do(
    level: Level, stage: Stage, language: str
) -> None:
    entry, content, ignored = AS_IN_A_TERMINAL[language]
    job = {
        "directory": str(store(stage, {entry: content}, entry)),
        **{"language": language, "entry": entry, "level": level.value},
    }
    seen = ask_runner(stage, START + EVIL_PARENT, job)
    assert seen == [sum(1 << (number - 1) for number in ignored), 0, 0]


INTERRUPTED = """
import signal
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler, flush=True)
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
"""What Python does with SIGINT unless it was ignored when it started."""


def test_a_python_bot_has_the_handler_that_python_gives_it(level: Level, stage: Stage) -> None:
    source = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
bot = spawn_bot(job["level"])
tell([bot.read_line(soon()).decode() for _ in range(2)])
bot.close()
"""
    assert try_bot(stage, level, INTERRUPTED.encode(), source) == ["True", "interrupted"]


def test_a_bot_that_crashed_is_seen_to_crash_by_a_parent_that_buries_nobody(
    level: Level, stage: Stage
) -> None:
    source = """
import signal
from sandbox import inherited_signals
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
inherited_signals.accept()
bot = spawn_bot(job["level"])
try:
    bot.read_line(soon())
except BotExited:
    pass
tell(bot.close().code)
"""
    assert try_bot(stage, level, b"raise SystemExit(7)", source) == 7
