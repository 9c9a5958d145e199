"""System calls, made one after the other: every one is refused, and made where its layer is left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from sandbox import Level
from tests.security.arena import drive, store
from tests.security.calls import CALLS, Call, bot
from tests.security.test_attacks import assert_nobody_is_harmed, at_one_level
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from sandbox import Stage

EPERM, ENOSYS = 1, 38
FEWEST = 70


def make(calls: list[Call], level: Level, stage: Stage, without: str = "") -> dict[str, Any]:
    """Have a bot make these calls; what was seen."""
    directory = store(stage, {"bot.py": bot(calls)}, "bot.py")
    job = {"directory": str(directory), "language": "python", "entry": "bot.py"}
    return drive(stage, level=level.value, without=without.split(), **job)


def denied(call: Call, got: int, errno: int) -> bool:
    """Whether it was refused, and not just in vain."""
    return got == -1 and errno in ((EPERM, ENOSYS) if call.answer == "newer" else (EPERM,))


def test_every_call_is_denied(level: Level, stage: Stage) -> None:
    calls = [call for call in CALLS if call.answer != "forbidden"]
    seen = make(calls, level, stage)
    assert seen["fault"] == "", seen
    found = json.loads(seen["heard"][0])
    assert [call.name for call in calls if not denied(call, *found[call.name])] == [], found
    assert_nobody_is_harmed(seen)


@pytest.mark.parametrize(
    ("call", "level"),
    [
        (call, level)
        for call in CALLS
        if call.answer == "forbidden"
        for level in (list(Level) if THOROUGH else [at_one_level(call.name)])
    ],
    ids=lambda value: value.name if isinstance(value, Call) else str(value),
)
def test_a_call_that_attacks_the_kernel_ends_the_bot(call: Call, level: Level, stage: Stage) -> None:
    seen = make([call], level, stage)
    assert (seen["fault"], seen["cause"]) == ("BotExited", "forbidden"), seen
    assert_nobody_is_harmed(seen)


@pytest.mark.parametrize("without", sorted({call.without for call in CALLS} - {""}))
def test_without_its_layer_each_call_is_made(without: str, stage: Stage) -> None:
    calls = [call for call in CALLS if call.without == without]
    seen = make(calls, Level.FULL, stage, without)
    assert seen["heard"], seen
    found = json.loads(seen["heard"][0])
    assert [
        call.name for call in calls if call.answer != "forbidden" and denied(call, *found[call.name])
    ] == []


def test_the_list_is_as_long_as_it_was() -> None:
    assert len({call.name for call in CALLS}) == len(CALLS) >= FEWEST
