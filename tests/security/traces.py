"""Two bots that pass bits through the file system from one game to a later one, and how many arrive.

The writer leaves 1,000 random bits in each of several ways that a kernel may remember, and its sandbox ends.
The reader, in a sandbox of its own, guesses each bit. By chance half of them are right.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.security.arena import ask_runner, store

if TYPE_CHECKING:
    from sandbox import Level, Stage

BITS = 1000
CHANCE = range(430, 571)
"""Four and a half standard deviations to either side of one half."""
PLACES = ("library", "own", "above", "root")
FILES = ("access", "sizes", "pages")

# Directories of names that do not exist, and files of the interpreter's library.
COMMON = """
import json, os, sys, time

LIBRARY = os.path.dirname(os.__file__)
OWN = os.path.dirname(os.path.abspath(__file__))
PLACES = {"library": LIBRARY, "own": OWN, "above": "/usr", "root": "/"}
job = json.loads(input())
files = sorted(os.path.join(at, name) for at, _, names in os.walk(LIBRARY) for name in names)
files = [path for path in files if path.endswith(".py") and not os.path.islink(path)]
files = (files * (1 + job["count"] // len(files)))[: job["count"]]

def missing(place, number):
    return f'{PLACES[place]}/absent-{job["salt"]}-{number}'

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
for place in PLACES:
    for number, bit in enumerate(job["bits"][place]):
        if bit == "1":
            timed(os.stat, missing(place, number))
for path, bit in zip(files, job["bits"]["files"]):
    if bit == "1":
        with open(path, "rb", buffering=0) as file:
            file.read()
print("done", flush=True)
"""
)

READER = (
    COMMON
    + """
def middle_of(seen):
    return sorted(seen)[len(seen) // 2]

def first_read(path):
    with open(path, "rb", buffering=0) as file:
        return timed(file.read, 4096)

guesses = {}
for place in PLACES:
    cold = middle_of([timed(os.stat, missing(place, f"never-{number}")) for number in range(300)])
    warm = middle_of([timed(os.stat, missing(place, f"never-{number}")) for number in range(300)])
    seen = [timed(os.stat, missing(place, number)) for number in range(job["count"])]
    guesses[f"names {place}"] = [took < (cold + warm) / 2 for took in seen]
seen = [os.stat(path).st_atime_ns for path in files]
guesses["access"] = [when > (min(seen) + max(seen)) / 2 for when in seen]
seen = [(os.stat(path).st_blocks, os.stat(path).st_ino) for path in files]
middle = middle_of(seen)
guesses["sizes"] = [what > middle for what in seen]
seen = [first_read(path) for path in files]
middle = middle_of(seen)
guesses["pages"] = [took < middle for took in seen]
print(json.dumps({way: "".join("01"[guess] for guess in said) for way, said in guesses.items()}), flush=True)
"""
)

RELAY = """
def game(file, **told):
    bot = started(job["directory"], "python", file, without=job["without"], verify=not job["without"])
    try:
        return heard(bot, json.dumps({"salt": job["salt"], "count": job["count"], **told}).encode())
    finally:
        bot.close()


game("writer.py", bits=job["bits"])
print(game("reader.py"))
"""


def bits_that_arrive(level: Level, stage: Stage, without: frozenset[str] = frozenset()) -> dict[str, int]:
    """How many of 1,000 random bits the reader guesses, by the way they were left; 500 where none is kept.

    The ways are "names PLACE" (looked for in vain in a directory, then timed) and, for files that were read,
    "access" (times of access), "sizes" (blocks and inode numbers) and "pages" (read again, and timed).
    """
    generator = random.Random()
    bits = {what: "".join(generator.choices("01", k=BITS)) for what in (*PLACES, "files")}
    files = {"writer.py": WRITER.encode(), "reader.py": READER.encode()}
    job = {
        "directory": str(store(stage, files, "writer.py")),
        "bits": bits,
        "count": BITS,
        "salt": generator.getrandbits(64),
        "level": level.value,
        "without": sorted(without),
    }
    guesses: dict[str, str] = ask_runner(stage, RELAY, job)
    left = {**{f"names {place}": bits[place] for place in PLACES}, **dict.fromkeys(FILES, bits["files"])}
    assert guesses.keys() == left.keys()
    return {way: _alike(guesses[way], left[way]) for way in left}


def _alike(guesses: str, bits: str) -> int:
    return sum(guess == bit for guess, bit in zip(guesses, bits, strict=True))
