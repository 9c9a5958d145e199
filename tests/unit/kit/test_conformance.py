"""Trying out a bot step by step, with one that the check itself trips over."""

from kit.conformance import check
from referee.job import Job, SeatJob
from tests.unit.referee.scripted import Scripted


def test_an_error_that_nobody_foresaw_is_a_failed_step() -> None:
    class Odd(Scripted):
        def receive(self, deadline: float) -> bytes | None:
            raise ValueError("invalid literal for int() with base 10: b'x'")

    odd = Odd()
    job = Job("crapaud", "-", (SeatJob("/a", "python", "bot.py"),))
    (step,) = check(job, lambda _: [odd], ["crapaud"], print)
    assert (step.verdict, step.title) == ("fail", "starts and says that it is ready")
    assert step.detail.startswith("The bot caused an error that the arena did not expect (ValueError: ")
    assert odd.closed
