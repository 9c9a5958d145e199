"""Two bots that pass bits through the file system from one game to a later one, and how many arrive.

The writer leaves 1,000 random bits in a way a kernel may remember, and its sandbox ends. The reader, in a
sandbox of its own, guesses each bit. By chance half of them are right.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

from tests.security.arena import as_runner, store

if TYPE_CHECKING:
    from bots.sandbox import Level, Stage

BITS = 1000
CHANCE = range(430, 571)
"""Four and a half standard deviations to either side of one half."""

# A directory of names that do not exist, or files of the interpreter's library, and how a bot leaves a bit.
COMMON = """
import json, os, sys, time

LIBRARY = os.path.dirname(os.__file__)
job = json.loads(input())
bits = job["bits"]
files = sorted(os.path.join(at, name) for at, _, names in os.walk(LIBRARY) for name in names)
files = [path for path in files if path.endswith(".py") and not os.path.islink(path)]
files = (files * (1 + job["count"] // len(files)))[: job["count"]] if job["way"] != "names" else []

def missing(number):
    own = os.path.dirname(os.path.abspath(__file__))
    place = {"library": LIBRARY, "own": own, "above": "/usr", "root": "/"}
    return f'{place[job["place"]]}/absent-{job["salt"]}-{number}'

def timed(action, *arguments):
    begun = time.perf_counter_ns()
    try:
        action(*arguments)
    except OSError:
        pass
    return time.perf_counter_ns() - begun
"""

WRITER = (
    COMMON
    + """
for number, bit in enumerate(bits):
    if bit == "1":
        if job["way"] == "names":
            timed(os.stat, missing(number))
        else:
            with open(files[number], "rb", buffering=0) as file:
                file.read()
print("done", flush=True)
"""
)

READER = (
    COMMON
    + """
def fresh(number):
    return missing(f"never-{number}")

guesses = []
if job["way"] == "names":
    cold = sorted(timed(os.stat, fresh(number)) for number in range(300))[150]
    warm = sorted(timed(os.stat, fresh(number)) for number in range(300))[150]
    for number in range(job["count"]):
        guesses.append("1" if timed(os.stat, missing(number)) < (cold + warm) / 2 else "0")
elif job["way"] == "access":
    seen = [os.stat(path).st_atime_ns for path in files]
    middle = (min(seen) + max(seen)) / 2
    guesses = ["1" if when > middle else "0" for when in seen]
elif job["way"] == "sizes":
    seen = [(os.stat(path).st_blocks, os.stat(path).st_ino) for path in files]
    middle = sorted(seen)[len(seen) // 2]
    guesses = ["1" if what > middle else "0" for what in seen]
elif job["way"] == "pages":
    def first_read(path):
        with open(path, "rb", buffering=0) as file:
            return timed(file.read, 4096)
    seen = [first_read(path) for path in files]
    middle = sorted(seen)[len(seen) // 2]
    guesses = ["1" if took < middle else "0" for took in seen]
print("".join(guesses), flush=True)
"""
)

RELAY = """
import json, sys, time
from pathlib import Path
from bots.sandbox import Level, Limits, Program, Stage
from bots.sandbox.launch import start
from bots.sandbox.plan import Plan

job = json.loads(sys.stdin.readline())
stage = Stage.ensure()

def game(file, bits):
    program = Program(Path(job["directory"]), "python", file)
    without = frozenset(job["without"])
    plan = Plan(program, Limits(), Level(job["level"]), stage, without)
    bot = start(plan, verify=not without)
    try:
        asked = {**job, "bits": bits, "count": len(job["bits"])}
        bot.send(json.dumps(asked).encode() + b"\\n", time.monotonic() + 20)
        return bot.read_line(time.monotonic() + 20).decode()
    finally:
        bot.close()

game("writer.py", job["bits"])
print(game("reader.py", ""))
"""


def bits_that_arrive(
    way: str, place: str, level: Level, stage: Stage, without: frozenset[str] = frozenset()
) -> int:
    """How many of 1,000 random bits the reader guesses; 500 where nothing is remembered.

    `way` is "names" (looked for in vain, then timed), "access" (times of access), "sizes" (blocks and inode
    numbers) or "pages" (files read, then timed); `place` says for names in which directory.
    """
    generator = random.Random()
    bits = "".join(generator.choice("01") for _ in range(BITS))
    files = {"writer.py": WRITER.encode(), "reader.py": READER.encode()}
    job = {
        "directory": str(store(stage, files, "writer.py")),
        "bits": bits,
        "salt": generator.getrandbits(64),
        "way": way,
        "place": place,
        "level": level.value,
        "without": sorted(without),
    }
    guesses = as_runner(stage, RELAY, json.dumps(job) + "\n").strip()
    assert len(guesses) == BITS, guesses
    return sum(guess == bit for guess, bit in zip(guesses, bits, strict=True))
