"""The record of a game played on this machine, to replay and verify.

It has the form of the site's records (`analysis.verifiable_bundle`). Its proof is what one party alone can
give: the seed of the whole series, so that anyone can compute the deal, the suits and every move again.
Nobody committed to that seed beforehand and nobody watched, so players, clocks and comments are only what the
writer claims.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from analysis import game_record
from analysis.event_log import body_hash, canonical, chain
from kit.local.series import Played

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analysis.game_record import Proved
    from kit.bot.entrants import Contestant
    from kit.local.pool import Finished
    from referee.job import Job

LOCAL: Final = "local"
"""The kind of proof in such a record."""
OWN_DOING: Final = frozenset({"win", "stop", "stall", "passes", "draw-agreed"})
"""Terminations that are no bot's fault; no evidence is kept of these games."""


def as_played(
    finished: Finished, names: Sequence[str], parts: Sequence[Sequence[dict[str, Any]]] = ()
) -> Played:
    """Return a finished game as ``--json`` writes it; `names` and `parts` of the points are by seat."""
    result, fixture = finished.message["result"], finished.fixture
    return Played(
        game=fixture.key,
        seed=fixture.seed,
        suits=fixture.suits,
        seats=tuple(names),
        ranking=tuple(tuple(group) for group in result["ranking"]),
        points=tuple(result["points"]),
        left=tuple(result["left"]),
        termination=result["termination"],
        seat=result["seat"],
        detail=result["detail"],
        plies=result["plies"],
        turns=result["turns"],
        times=tuple(result["cpu_ms"]),
        evidence=[] if result["termination"] in OWN_DOING else finished.message["evidence"],
        parts=[list(own) for own in parts],
    )


def record(job: Job, finished: Finished, entrants: Sequence[Contestant]) -> Proved:
    """Return the record of a game; `entrants` are the bots by seat."""
    fixture, result = finished.fixture, finished.message["result"]
    link = chain(job.start, finished.events)
    own = fixture.plan.given is None  # a deal of another game follows from no seed of ours
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
        "seed": fixture.plan.seed if own else None,
        "deal": fixture.deal + 1,
        "leg": fixture.leg,
        "deal_seed": fixture.seed if own else None,
        "suits": fixture.suits,
        "versions": [each.upload.sha256 for each in entrants],
        "level": job.level,
        "chain": link,
        "body": body_hash(fixture.key, link, result),
    }
    return game_record.add_proof(game_record.whole(head, finished.events), proof)


def text(made: Mapping[str, object]) -> bytes:
    """The bytes of a record's file. `verify` compares every one of them."""
    return canonical(made) + b"\n"
