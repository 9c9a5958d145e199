"""Accepts each result exactly once, from the attempt that holds the game's current token.

The same result again gets the same answer; a different one is refused, as with an idempotent PUT. Everything
happens in one transaction with the rows of the game and its pair locked. If two legs end at once, the second
sees the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import BigAutoField, Case, DateTimeField, IntegerField, Q, UUIDField, When

import engine
from analysis.errors import ResultRefused, StaleAttempt
from analysis.event_log import body_hash, chain, pack_columns
from arena.web.database import database_clock, prepared_sql
from arena.web.database.prepared_sql import Param, PreparedQuery, PreparedUpdate
from tournaments import live_updates as events
from tournaments.game_messages import bench_on_commit
from tournaments.games.evidence_deletion import evidence_to_keep, find_ownerless
from tournaments.models import Attempt, EventBatch, Evidence, Game, Pair, Record, Result, Seat
from tournaments.models.embargo import seeing_hidden
from tournaments.models.game import GIVEN_UP
from tournaments.pairing.pairs import settle

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from bots.playing.game_process import DeliveredGame
    from tournaments.games.claims import Lease


class SomeTaken(Exception):
    """Not all of several games are still this worker's: they are to be delivered one by one."""


@seeing_hidden()
def accept_results(delivered: Sequence[tuple[Lease, DeliveredGame]]) -> list[Result]:
    """Store results and records of games of one pair, all or none of them, in as many statements as for one.

    The pair is accepted if no game of it is left. Raises StaleAttempt if another attempt took a game over,
    ResultRefused if another result of it is stored (of more than one: SomeTaken for both), and BrokenChain if
    the events of one have gaps.
    """
    games = [_Delivered.of(lease, delivery) for lease, delivery in delivered]
    pair, tournament = games[0].row.pair_id, games[0].row.tournament
    with transaction.atomic():
        now = database_clock.now()
        # They may have been hidden or revealed since they were claimed. These rows are locked from now on:
        # whoever changes that comes before this look, or after the commit and sees the results.
        held: dict[str, Any] = {}
        for n, one in enumerate(games):
            held |= {f"key_{n}": one.row.pk, f"token_{n}": one.lease.token}
        hidden = dict(_finished(len(games)).returning(("id", "hidden"), now=now, **held))
        if len(hidden) < len(games):
            return [_again(games)]
        for one in games:
            one.row.hidden = hidden[one.row.pk]
        results = [one.result(now) for one in games]
        whole = len(games) == tournament.players
        # A game before its pair, as everybody locks them. Who has all games of a pair needs no other lock.
        locked = games[0].row.pair if whole else _locked.rows(pair=pair)[0]
        prepared_sql.insert_all(results)
        _note_cpu(results)
        prepared_sql.insert_all([one.record() for one in games])
        ownerless = find_ownerless(pair)
        prepared_sql.insert_all([one.evidence(ownerless.get(one.row.pk, {})) for one in games])
        for one in games:
            if one.delivery.passed_on:
                prepared_sql.delete(EventBatch, {"game": one.row.pk})
        _end_attempts(games, now)
        for one, result in zip(games, results, strict=True):
            _announce(one.row, result)
        settle(locked, tournament, results if whole else None)
    return results


@dataclass(frozen=True, slots=True)
class _Delivered:
    """A game that is over, ready to be stored."""

    lease: Lease
    delivery: DeliveredGame
    row: Game
    chain: str
    body: str
    packed: bytes

    @classmethod
    def of(cls, lease: Lease, delivery: DeliveredGame) -> _Delivered:
        """Raises BrokenChain."""
        row = lease.game_row()
        link = chain(row.start, delivery.events)
        packed = pack_columns(delivery.events)
        return cls(lease, delivery, row, link, body_hash(str(row.pk), link, delivery.result), packed)

    def result(self, now: datetime) -> Result:
        found = self.delivery.result
        return Result(
            game=self.row,
            attempt_id=self.lease.attempt,
            termination=found["termination"],
            culprit=found.get("seat"),
            detail=(found.get("detail") or "")[:500],
            ranking=found["ranking"],
            points=found["points"],
            left=found["left"],
            plies=found["plies"],
            turns=found["turns"],
            cpu_ms=found.get("cpu_ms") or [],
            clock_scale=self.lease.clock_scale,
            chain_sha256=self.chain,
            body_sha256=self.body,
            accepted_at=now,
        )

    def record(self) -> Record:
        count = len(self.delivery.events)
        return Record(game=self.row, rules=engine.RULES_VERSION, count=count, data=self.packed)

    def evidence(self, ownerless: Mapping[int, bool]) -> Evidence:
        kept = evidence_to_keep(self.delivery.evidence, ownerless, self.delivery.result.get("seat"))
        return Evidence(game=self.row).pack(kept, self.delivery.sandbox or {})


def _again(games: Sequence[_Delivered]) -> Result:
    """The stored result of a game, if the same one was delivered again."""
    if len(games) > 1:
        raise SomeTaken
    (one,) = games
    accepted = Result.objects.filter(game=one.row).first()
    if accepted is None:
        raise StaleAttempt(
            f"expected attempt {one.lease.token} of game {one.row.pk} to be current, it is not"
        )
    if accepted.body_sha256 != one.body:
        raise ResultRefused(
            f"expected the accepted result {accepted.body_sha256} of game {accepted.game_id}, got {one.body}"
        )
    return accepted


@cache
def _finished(count: int) -> PreparedUpdate:
    """Finishes so many games, those that these attempts still hold."""

    @seeing_hidden()
    def made() -> tuple[QuerySet[Game], dict[str, Any]]:
        held = (
            Q(pk=Param(f"key_{n}", UUIDField()), token=Param(f"token_{n}", IntegerField()))
            for n in range(count)
        )
        running = Game.objects.filter(reduce(or_, held), status=Game.Status.RUNNING)
        return running, {"status": Game.Status.FINISHED, "finished_at": Param("now", DateTimeField())}

    return PreparedUpdate(made)


@PreparedQuery
@seeing_hidden()
def _locked() -> QuerySet[Pair]:
    pair = Pair.objects.filter(pk=Param("pair", BigAutoField())).order_by()
    return pair.select_for_update().only("pairing", "status")


def _note_cpu(results: Sequence[Result]) -> None:
    """Write the CPU time that the bots used to their seats."""
    used = [(one.game_id, seat, ms) for one in results for seat, ms in enumerate(one.cpu_ms)]
    given: dict[str, Any] = {}
    for n, (game, seat, ms) in enumerate(used):
        given |= {f"game_{n}": game, f"seat_{n}": seat, f"ms_{n}": ms}
    if used:
        _cpu_of(len(used))(**given)


@cache
def _cpu_of(count: int) -> PreparedUpdate:
    """Writes what the bots of so many seats used."""

    @seeing_hidden()
    def made() -> tuple[QuerySet[Seat], dict[str, Case]]:
        seats = [
            Q(game=Param(f"game_{n}", UUIDField()), seat=Param(f"seat_{n}", IntegerField()))
            for n in range(count)
        ]
        used = Case(*(When(one, then=Param(f"ms_{n}", IntegerField())) for n, one in enumerate(seats)))
        return Seat.objects.filter(reduce(or_, seats)), {"cpu_ms": used}

    return PreparedUpdate(made)


def _end_attempts(games: Sequence[_Delivered], now: datetime) -> None:
    given: dict[str, Any] = {}
    for n, one in enumerate(games):
        given |= {f"key_{n}": one.lease.attempt, f"ply_{n}": one.delivery.result["plies"]}
    if _ended(len(games))(now=now, **given) == len(games):
        return
    if len(games) > 1:
        raise SomeTaken
    (one,) = games
    raise StaleAttempt(f"expected attempt {one.lease.token} of game {one.row.pk} to be open, it has ended")


@cache
def _ended(count: int) -> PreparedUpdate:
    """Ends so many attempts, those that are open, as delivered."""

    @seeing_hidden()
    def made() -> tuple[QuerySet[Attempt], dict[str, Any]]:
        keys: list[Any] = [Param(f"key_{n}", BigAutoField()) for n in range(count)]
        plies = Case(*(When(pk=key, then=Param(f"ply_{n}", IntegerField())) for n, key in enumerate(keys)))
        ended = {"cause": Attempt.Cause.DELIVERED, "ended_at": Param("now", DateTimeField()), "ply": plies}
        return Attempt.objects.filter(pk__in=keys, ended_at=None), ended

    return PreparedUpdate(made)


def _announce(game: Game, result: Result) -> None:
    """Tell whoever looks at a game that it is over, and have its loser looked at, unless it is hidden."""
    if game.hidden:
        return
    if result.termination in GIVEN_UP and result.culprit is not None:
        bench_on_commit(Seat.objects.values_list("version", flat=True).get(game=game, seat=result.culprit))
    transaction.on_commit(partial(events.publish_finished, game.pk))
    events.changed_on_commit(game.tournament.slug)
