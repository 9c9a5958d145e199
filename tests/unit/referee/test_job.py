"""Jobs as lines, and the ids of questions."""

import json
from dataclasses import replace
from itertools import islice

import pytest

from referee import job as jobs
from referee.errors import BadJob
from referee.job import ClockRule, Job, SeatJob
from referee.protocol import nonces

JOB = Job(
    "crapaud", "line", (SeatJob("/a", "python", "bot.py"), SeatJob("/b", "native", "bot")), ClockRule(10, 0)
)


SEAT = {"directory": "/", "entry": "x", "language": "python"}
KNOWN = "python, python-onnx, javascript, wasm, native, remote"


def test_a_job_reads_back_as_it_was_written() -> None:
    assert jobs.parse(JOB.line()) == JOB
    weak = replace(JOB, seats=(replace(JOB.seats[0], level=3),))
    assert jobs.parse(weak.line()) == weak
    far = replace(
        JOB, seats=(JOB.seats[0], SeatJob("", "remote", "s1")), remote_clock=ClockRule(9, 8, 7, wall=True)
    )
    assert jobs.parse(far.line()) == far


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": 3}, "expected 'variant' to be str, got 3"),
        ({"level": "none"}, "expected 'level' to be one of full, confined, got 'none'"),
        ({"clock": {"bank_ms": 0}}, "expected 'bank_ms' to be at least 1, got 0"),
        ({"seats": ["x"]}, "expected each of 'seats' to be an object, got 'x'"),
        ({"seats": [SEAT | {"language": "perl"}]}, f"expected 'language' to be one of {KNOWN}, got 'perl'"),
        ("hello", "expected a job as one line of JSON, got 'hello'"),
        ('{"variant": "x", "seats": []}', "expected 'start' in the job, got only ['seats', 'variant']"),
    ],
)
def test_a_bad_job_says_what_was_expected(change: dict[str, object] | str, message: str) -> None:
    with pytest.raises(BadJob) as caught:
        jobs.parse(change if isinstance(change, str) else json.dumps(json.loads(JOB.line()) | change))
    assert str(caught.value) == message


def test_ids_do_not_repeat_and_cannot_be_foreseen_but_with_a_seed() -> None:
    one, other = list(islice(nonces(), 5000)), list(islice(nonces(), 5000))
    assert len(set(one)) > 4990
    assert not set(one[:100]) & set(other[:100])
    assert all(len(nonce) == 8 and set(nonce) <= set("0123456789abcdef") for nonce in one)
    assert list(islice(nonces("a"), 3000)) == list(islice(nonces("a"), 3000))
    assert next(nonces("a")) != next(nonces("b"))
