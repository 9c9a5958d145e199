"""A bot's memory is sampled whatever the referee waits for: the layer behind the kernel's own limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox import Level
from tests.security.arena import as_runner, store
from tests.security.corpus import compiled

if TYPE_CHECKING:
    from sandbox import Stage

GROWER = Path(__file__).with_name("grower.c")
PATIENCE_SECONDS = 50.0

SOURCE = """
import json, sys, time
from pathlib import Path
from sandbox import BotFault, Level, BotLimits, Program, Stage
from sandbox.launch import start
from sandbox.plan import SandboxPlan

job = json.loads(sys.stdin.readline())
program = Program(Path(job["directory"]), "native", "bot")
without = frozenset({"seccomp"})
plan = SandboxPlan(program, BotLimits(), Level(job["level"]), Stage.ensure(), without)
bot = start(plan, verify=False)
deadline = time.monotonic() + job["patience"]
bot.send(job["how"].encode() + b"\\n", deadline)
bot.read_line(deadline)
fault = ""
try:
    if job["how"] == "dribble":
        bot.read_line(deadline)
    elif job["how"] == "deaf":
        bot.send(bytes(1 << 20), deadline)
    else:
        fault = "left" if bot.farewell(b"", job["patience"]) else "stayed"
except BotFault as error:
    fault = type(error).__name__
ended = bot.close()
print(json.dumps([fault, ended.cause, time.monotonic() < deadline]))
"""


@pytest.mark.parametrize(
    ("how", "fault"), [("dribble", "BotOutOfMemory"), ("deaf", "BotOutOfMemory"), ("linger", "stayed")]
)
def test_a_bot_that_grows_is_ended_whatever_it_does_meanwhile(how: str, fault: str, stage: Stage) -> None:
    directory = store(stage, {"bot": compiled(GROWER)}, "bot")
    job = {
        "directory": str(directory),
        "how": how,
        "level": Level.CONFINED.value,
        "patience": PATIENCE_SECONDS,
    }
    said = as_runner(stage, SOURCE, json.dumps(job) + "\n")
    assert json.loads(said) == [fault, "memory", True]
