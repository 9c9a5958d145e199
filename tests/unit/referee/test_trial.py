"""What a trial shows of a bot, from how its game ended."""

from typing import Any

import pytest

from referee.trial import CUT_SHORT, diagnose

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
