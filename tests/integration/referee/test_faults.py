"""Every way a game can end badly: its termination, its words, its evidence, and an opponent who won."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from referee.job import ClockRule
from tests.integration.referee.conftest import Game

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
