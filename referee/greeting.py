"""Begins a game: tells every bot what is played, and waits until it is ready."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import engine
from referee import protocol
from referee.log import encode

if TYPE_CHECKING:
    from referee.job import ClockRule
    from referee.messages import Hello
    from referee.protocol import Ready
    from referee.timed_questions import TimedQuestions


def hello(
    variant: str, players: int, seat: int, rule: ClockRule, *, level: int | None = None, **more: Any
) -> bytes:
    """Return the first line that a bot receives.

    Only games against people have a `level`, and only below full strength. `more` are fields of later
    versions of the protocol.
    """
    said: Hello = {
        "type": "hello",
        "protocol": protocol.PROTOCOL_VERSION,
        "variant": variant,
        "players": players,
        "seat": seat,
        "clock": {"bank_ms": rule.bank_ms, "increment_ms": rule.increment_ms},
        "rules": engine.RULES_VERSION,
    }
    if rule.wall:
        said["clock"]["wall"] = True
    if engine.variant(variant).in_ticks:
        said["tick_ms"] = rule.tick_ms
    if level is not None:
        said["level"] = level
    return encode({**said, **more}).encode() + b"\n"


def greet_all(asking: TimedQuestions, variant: str, start_seconds: float) -> list[Ready]:
    """Greet every bot and wait until it is ready; off the clock. Raises Forfeit, Infrastructure."""
    begun = time.monotonic()
    seats = range(len(asking.players))
    for seat in seats:
        with asking.starting(seat):
            rule = asking.clocks.rules[seat]
            asking.greet(seat, hello(variant, len(seats), seat, rule), begun + start_seconds)
    return [take_ready(asking, seat, start_seconds, begun) for seat in seats]


def take_ready(asking: TimedQuestions, seat: int, start_seconds: float, begun: float) -> Ready:
    """Wait until a bot that was greeted is ready, and start its clock. Raises Forfeit, Infrastructure."""
    with asking.starting(seat):
        ready = protocol.parse_ready(asking.hear(seat, start_seconds, begun))
    asking.start_clock(seat)
    return ready
