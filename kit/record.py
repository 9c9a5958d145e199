"""The record of a game played on this machine, to replay and verify.

It has the form of the site's records (`analysis.bundle`). Its proof is what one party alone can give: the
seed of the whole series, so that anyone can compute the deal, the suits and every move again. Nobody
committed to that seed beforehand and nobody watched, so players, clocks and comments are only what the writer
claims.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis import game_record
from analysis.records import body_hash, canonical, chain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.game_record import Proved
    from kit.entrants import Contestant
    from kit.pool import Finished
    from referee.job import Job

LOCAL: Final = "local"
"""The kind of proof in such a record."""


def record(job: Job, finished: Finished, entrants: Sequence[Contestant]) -> Proved:
    """Return the record of a game; `entrants` are the bots by seat."""
    fixture, result = finished.fixture, finished.message["result"]
    link = chain(job.start, finished.events)
    head = game_record.head(
        game=fixture.key,
        variant=job.variant,
        seats=[game_record.seat_head(each.name, 1, house=each.house) for each in entrants],
        start=job.start,
        clock={"bank_ms": job.clock.bank_ms, "increment_ms": job.clock.increment_ms},
        result=result,
        status="finished",
    )
    proof: game_record.LocalProof = {
        "kind": LOCAL,
        "seed": fixture.plan.seed,
        "deal": fixture.deal + 1,
        "leg": fixture.leg,
        "deal_seed": fixture.seed,
        "suits": fixture.suits,
        "versions": [each.upload.sha256 for each in entrants],
        "level": job.level,
        "chain": link,
        "body": body_hash(fixture.key, link, result),
    }
    return game_record.proved(game_record.whole(head, finished.events), proof)


def text(made: Proved) -> bytes:
    """The bytes of a record's file. `verify` compares every one of them."""
    return canonical(made) + b"\n"
