"""Jobs as lines, and the ids of questions."""

from dataclasses import replace
from itertools import islice

from referee import job as jobs
from referee.job import ClockRule, Job, SeatJob
from referee.protocol import nonces

JOB = Job(
    "crapaud", "line", (SeatJob("/a", "python", "bot.py"), SeatJob("/b", "native", "bot")), ClockRule(10, 0)
)


def test_a_job_reads_back_as_it_was_written() -> None:
    assert jobs.parse(JOB.line()) == JOB
    weak = replace(JOB, seats=(replace(JOB.seats[0], level=3),))
    assert jobs.parse(weak.line()) == weak
    far = replace(
        JOB, seats=(JOB.seats[0], SeatJob("", "remote", "s1")), remote_clock=ClockRule(9, 8, 7, wall=True)
    )
    assert jobs.parse(far.line()) == far


def test_ids_do_not_repeat_and_cannot_be_foreseen_but_with_a_seed() -> None:
    one, other = list(islice(nonces(), 5000)), list(islice(nonces(), 5000))
    assert len(set(one)) > 4990
    assert not set(one[:100]) & set(other[:100])
    assert all(len(nonce) == 8 and set(nonce) <= set("0123456789abcdef") for nonce in one)
    assert list(islice(nonces("a"), 3000)) == list(islice(nonces("a"), 3000))
    assert next(nonces("a")) != next(nonces("b"))
