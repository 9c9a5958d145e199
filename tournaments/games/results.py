"""Accepts each result exactly once, from the attempt that holds the game's current token.

The same result again gets the same answer; a different one is refused, as with an idempotent PUT. Everything
happens in one transaction with the rows of the game and its pair locked. If two legs end at once, the second
sees the first.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import BigAutoField, Case, IntegerField, UUIDField, When
from django.utils import timezone

import engine
from analysis import event_columns
from analysis.errors import ResultRefused, StaleAttempt
from analysis.event_log import body_hash, chain
from arena.web.database import prepared_sql
from arena.web.database.prepared_sql import Param, PreparedQuery, PreparedUpdate
from tournaments import live_updates as events
from tournaments.game_messages import bench_on_commit
from tournaments.games.evidence_deletion import evidence_to_keep
from tournaments.models import Attempt, EventBatch, Evidence, Game, Pair, Record, Result, Seat
from tournaments.models.embargo import seeing_hidden
from tournaments.models.game import GIVEN_UP
from tournaments.pairing.pairs import settle

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from bots.playing.game_process import DeliveredGame
    from tournaments.games.claims import Lease


@seeing_hidden()
def accept_result(lease: Lease, delivery: DeliveredGame) -> Result:
    """Store the result and record of a game, accept its pair if it was the last leg, and return the result.

    Raises StaleAttempt if another attempt took over, ResultRefused if another result is stored, BrokenChain
    if the events have gaps.
    """
    game = lease.game_row()
    link = chain(game.start, delivery.events)
    packed = event_columns.pack(delivery.events)
    body = body_hash(str(game.pk), link, delivery.result)
    with transaction.atomic():
        now = timezone.now()
        # It may have been hidden or revealed since it was claimed. This row is locked from now on: whoever
        # changes that comes before this look, or after the commit and sees the result.
        won = prepared_sql.update_and_read(
            Game,
            {"pk": game.pk, "status": Game.Status.RUNNING, "token": lease.token},
            {"status": Game.Status.FINISHED, "finished_at": now},
            "hidden",
        )
        if not won:
            accepted = Result.objects.filter(game=game).first()
            if accepted is not None:
                return _again(accepted, body)
            raise StaleAttempt(f"expected attempt {lease.token} of game {game.pk} to be current, it is not")
        pair = _locked.rows(pair=game.pair_id)[0]  # a game before its pair, as everybody locks them
        result = _store(lease, delivery, link, body)
        if result.cpu_ms:
            used = {f"ms_{seat}": ms for seat, ms in enumerate(result.cpu_ms)}
            _cpu_of(len(result.cpu_ms))(game=game.pk, **used)
        prepared_sql.insert(
            Record(game=game, rules=engine.RULES_VERSION, count=len(delivery.events), data=packed)
        )
        kept = evidence_to_keep(game, delivery.evidence, result.culprit)
        prepared_sql.insert(Evidence(game=game).pack(kept, delivery.sandbox or {}))
        if delivery.passed_on:
            prepared_sql.delete(EventBatch, {"game": game.pk})
        ended = prepared_sql.update(
            Attempt,
            {"pk": lease.attempt, "ended_at": None},
            {"cause": Attempt.Cause.DELIVERED, "ended_at": now, "ply": result.plies},
        )
        if not ended:
            raise StaleAttempt(f"expected attempt {lease.token} of game {game.pk} to be open, it has ended")
        hidden = won[0]
        if not hidden and result.termination in GIVEN_UP and result.culprit is not None:
            bench_on_commit(
                Seat.objects.values_list("version", flat=True).get(game=game, seat=result.culprit)
            )
        settle(pair, game.tournament)
        if not hidden:
            transaction.on_commit(lambda: events.publish_finished(game.pk))
            events.changed_on_commit(game.tournament.slug)
    return result


def _again(accepted: Result, body: str) -> Result:
    """Return the stored result if the same one was delivered again."""
    if accepted.body_sha256 == body:
        return accepted
    raise ResultRefused(
        f"expected the accepted result {accepted.body_sha256} of game {accepted.game_id}, got {body}"
    )


def _store(lease: Lease, delivery: DeliveredGame, link: str, body: str) -> Result:
    found = delivery.result
    result = Result(
        game_id=lease.game,
        attempt_id=lease.attempt,
        termination=found["termination"],
        culprit=found.get("seat"),
        detail=(found.get("detail") or "")[:500],
        ranking=found["ranking"],
        points=found["points"],
        left=found["left"],
        plies=found["plies"],
        turns=found["turns"],
        cpu_ms=found.get("cpu_ms") or [],
        clock_scale=lease.clock_scale,
        chain_sha256=link,
        body_sha256=body,
        accepted_at=timezone.now(),
    )
    prepared_sql.insert(result)
    return result


@PreparedQuery
@seeing_hidden()
def _locked() -> QuerySet[Pair]:
    pair = Pair.objects.filter(pk=Param("pair", BigAutoField())).order_by()
    return pair.select_for_update().only("pairing", "status")


@cache
def _cpu_of(seats: int) -> PreparedUpdate:
    """Writes the CPU time that the bots of a game used to its seats, all in one statement."""

    @seeing_hidden()
    def made() -> tuple[QuerySet[Seat], dict[str, Case]]:
        used = Case(*(When(seat=seat, then=Param(f"ms_{seat}", IntegerField())) for seat in range(seats)))
        return Seat.objects.filter(game=Param("game", UUIDField()), seat__lt=seats), {"cpu_ms": used}

    return PreparedUpdate(made)
