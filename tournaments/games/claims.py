"""Claims a game to play.

A claim is a conditional update: zero rows means that another was first. It hands out a fencing token (M.
Kleppmann, "How to do distributed locking", 2016). A worker that comes late with an old token is refused,
however long it slept.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.db import connection, transaction
from django.db.models import (
    BigAutoField,
    CharField,
    Count,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    PositiveSmallIntegerField,
    Q,
    Subquery,
)
from django.db.models.functions import Coalesce

import engine
from analysis.errors import WrongStatus
from arena import __version__
from arena.web.database import database_clock, prepared_sql
from arena.web.database.prepared_sql import Param, PreparedQuery, PreparedUpdate
from arena.web.processes import capacity
from bots.models import Language, RemotePresence, Version, program_gone
from bots.remote.connections import EPOCH, gone_before
from tournaments import live_updates as events
from tournaments.models import Attempt, Game, Pair, Seat, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.embargo import hide_if_due
from tournaments.pairing.pairs import void_pair

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.db.models import QuerySet


LEASE = timedelta(seconds=30)
TURN = timedelta(seconds=1)
"""The times at which tournaments were served are this exact. Those of equal right take turns no faster,
however short their games are."""
TRIES = 20
"""How many times to look, if others claim every game that was seen first."""
NOW = Param("now", DateTimeField())

_ALIVE = (Pair.Status.QUEUED, Pair.Status.RUNNING)


@dataclass(frozen=True, slots=True)
class Lease:
    """A claim on a game: whoever holds the game's current token may play and deliver.

    `row` is the game as it was claimed, with its tournament, so that nobody need read it again. Clocks are
    multiplied by `clock_scale` on the host that plays.
    """

    attempt: int
    game: UUID
    token: int
    slug: str
    clock_scale: float = 1.0
    row: Game | None = field(default=None, repr=False, compare=False)

    def game_row(self) -> Game:
        """The game with its tournament."""
        with seeing_hidden():
            return self.row or Game.objects.select_related("tournament").get(pk=self.game)


class Kind(Enum):
    """Which games are claimed: those of events without remote bots; of events with them, those in which a bot
    runs in a sandbox, and so needs a core here, and those in which none does."""

    LOCAL = "local"
    MIXED = "mixed"
    REMOTE = "remote"


class TournamentTurns:
    """Which tournaments had a game ready when a process that plays last looked, in the order of their turns.

    Where all of them have equal right, they take turns once in `TURN`, so the process looks no more often
    while they have games: one that starts meanwhile waits that long.
    """

    def __init__(self) -> None:
        self._waiting: list[int] = []
        self._until = 0.0

    def waiting(self) -> list[int]:
        """Those of a moment ago; none if it must be looked anew."""
        return self._waiting if time.monotonic() < self._until else []

    def keep(self, waiting: list[int]) -> None:
        """Keep these for a moment."""
        self._waiting, self._until = waiting, time.monotonic() + TURN.total_seconds()


@seeing_hidden()
def claim_next(
    worker: str, host: str = "", kind: Kind = Kind.LOCAL, turns: TournamentTurns | None = None
) -> Lease | None:
    """Claim the game that should be played next, or return None if nothing waits that this host may play.

    A game with remote bots can be claimed while each of them is online and has a free place, or has left in
    the middle of a pair. It belongs to no host: what its bots run on is theirs.

    Owners take turns: the game belongs to the owner with the fewest running games, and among these to the one
    served longest ago. Workers that claim at the same time get different games. All games of a pair go to one
    `host`, so that both bots have the same machine; without a name, any worker gets any game. Whoever claims
    again and again keeps `turns` between.
    """
    turns = turns or TournamentTurns()
    for _ in range(TRIES):
        waiting = turns.waiting()
        lost = bool(waiting)  # if none of those has a game any more, others may
        if not waiting:
            waiting, equal = _waiting_tournaments(kind)
            if equal:
                turns.keep(waiting)
        for tournament in waiting:
            try:
                lease = _claim_of(tournament, worker, host, kind, alone=len(waiting) == 1)
            except _Lost:
                lost = True
            except _Split as split:
                begin_again(split.pair, "The host that played its first game left before the others.")
                lost = True
            else:
                if lease is not None:
                    return lease
        turns.keep([])
        if not lost:
            return None
    return None


@seeing_hidden()
def claim_rest(lease: Lease, worker: str, host: str = "") -> Lease | None:
    """Claim the next game of the pair of which this worker has just played one; None if there is none that
    may be played now.

    So one worker plays both games of a pair, and finds the second in the statement that claims it.
    """
    played = lease.row
    if played is None or played.tournament.admits_remote or played.leg + 1 == played.tournament.players:
        return None
    with transaction.atomic():
        now = database_clock.now()
        where = {"pair": played.pair_id, "leg": played.leg, "host": host, "rules": engine.RULES_VERSION}
        found = _rest.returning(_REST, now=now, **where)
        if not found:
            return None
        game = Game(
            tournament=played.tournament, pair=played.pair, status=Game.Status.RUNNING, started_at=now
        )
        for name, value in zip(_REST, found[0], strict=True):
            setattr(game, name, value)
        hide_if_due(game)
        return _begin(game, worker, host, now)


_REST: Final = ("id", "leg", "start", "suits", "order", "token", "hidden")


@PreparedUpdate
@seeing_hidden()
def _rest() -> tuple[QuerySet[Game], dict[str, Any]]:
    """Begins the next game of a pair that is played on this host by these rules, if its event still runs."""
    running = Tournament.objects.filter(pk=OuterRef("tournament"), status=Tournament.Status.RUNNING)
    host = {"host": Param("host", CharField()), "rules": Param("rules", PositiveSmallIntegerField())}
    here = Pair.objects.filter(pk=OuterRef("pair"), status=Pair.Status.RUNNING, **host)
    later = {"pair": Param("pair", BigAutoField()), "leg__gt": Param("leg", PositiveSmallIntegerField())}
    ready = _ready(Kind.LOCAL).filter(Exists(running), Exists(here), **later)
    ready = ready.order_by("leg")
    if connection.features.has_select_for_update_skip_locked:
        ready = ready.select_for_update(skip_locked=True)
    begun = {"status": Game.Status.RUNNING, "token": F("token") + 1, "started_at": NOW}
    # Found once, before anything is changed: a pair of four has several games that may be played.
    return Game.objects.filter(pk=Subquery(ready.values("pk")[:1])), begun


@seeing_hidden()
def claim(game: Game, worker: str, host: str = "") -> Lease | None:
    """Claim this game, or None if it was taken, voided or finished since it was read."""
    try:
        with transaction.atomic():
            return _claim(game, worker, host)
    except (_Lost, _Split):
        return None


class _Lost(Exception):
    """Another took the game or its pair between reading and claiming: there may be others."""


class _Split(Exception):
    """A game of this pair was finished elsewhere: a host that is gone, or another version of the rules."""

    def __init__(self, pair: Pair) -> None:
        super().__init__(f"pair {pair.pk} was begun elsewhere")
        self.pair = pair


def begin_again(pair: Pair, reason: str) -> None:
    """Void the pair and begin it again, unless somebody has just done so."""
    with contextlib.suppress(WrongStatus):
        void_pair(pair, reason)


def _claim_of(tournament: int, worker: str, host: str, kind: Kind, *, alone: bool) -> Lease | None:
    """Claim the next game of the tournament with this key; `alone` says that it takes turns with no other."""
    with transaction.atomic():
        if kind is not Kind.LOCAL:
            host = ""
        playing = capacity.field().playing if host else frozenset[str]()
        game = _next_game(host, playing, kind).first(
            tournament=tournament, now=database_clock.now(), left=gone_before()
        )
        if game is None:
            return None
        if kind is not Kind.LOCAL:
            _take_places(game)
        lease = _claim(game, worker, host)
        if not alone:
            _take_turn(game.tournament)
        return lease


@lru_cache(maxsize=64)
def _next_game(host: str, hosts: frozenset[str], kind: Kind) -> PreparedQuery[Game]:
    """The game of a tournament that should be played next, if it may be played on this host of `hosts`."""

    @seeing_hidden()
    def made() -> QuerySet[Game]:
        ready = _ready(kind).filter(tournament__status=Tournament.Status.RUNNING)
        ready = ready.filter(tournament=Param("tournament", BigAutoField())).order_by("order")
        if kind is Kind.LOCAL:
            # Whoever plays a game of a pair goes on with the next (`claim_rest`), so those come last.
            playing = Game.objects.filter(pair=OuterRef("pair"), status=Game.Status.RUNNING)
            ready = ready.order_by(Exists(playing), "order")
        ready = ready.select_related("pair", "tournament__hidden_results")
        if host:
            ready = ready.filter(_playable_on(host, hosts))
        # On PostgreSQL a game that another is just claiming is passed over. On SQLite nobody else writes
        # within this transaction, and the update says whether the game was still there.
        if connection.features.has_select_for_update_skip_locked:
            ready = ready.select_for_update(skip_locked=True, of=("self",))
        return ready[:1]

    return PreparedQuery(made)


def _take_places(game: Game) -> None:
    """Make sure that each remote bot of a game is still online with a free place, and let nobody else take
    it before this transaction ends. Raises _Lost."""
    seats = list(Seat.objects.filter(game=game, version__language=Language.REMOTE).values_list("version"))
    versions = {version for (version,) in seats}
    rows = RemotePresence.objects.filter(bot__versions__in=versions).order_by("bot")
    list(rows.select_for_update(of=("self",)).values_list("pk"))
    free = (
        Version.objects.online()
        .filter(has_place(database_clock.now()), pk__in=versions)
        .values_list("pk", flat=True)
    )
    if rows.exclude(bot__versions__in=set(free)).exclude(_has_left(gone_before())).exists():
        raise _Lost


def bots_that_left(versions: Sequence[Version]) -> set[int]:
    """Of the bots of these versions, the remote ones that have been offline for so long that they lose."""
    rows = RemotePresence.objects.filter(_has_left(gone_before()), bot__in=[one.bot_id for one in versions])
    return set(rows.values_list("pk", flat=True))


def _has_left(moment: Any, path: str = "") -> Q:
    """The presences of bots that were last seen before a moment. A bot that goes away between the games of a
    pair does not escape the second: that is played without it."""
    return Q(**{f"{path}online_since": None, f"{path}seen_at__lt": moment})


def has_place(now: Any) -> Q:
    """The remote versions whose programs play fewer games than they said they can, people's among them.

    Neither part depends on the version that is asked for: what is played now is counted once for all of them.
    """
    people = Version.objects.filter(friendlies__place_until__gt=now).order_by()
    tables = people.values("pk").annotate(count=Count("friendlies"))
    at_tables = Coalesce(Subquery(tables.filter(pk=OuterRef("version")).values("count")), 0)
    seats = Seat.objects.filter(game__status=Game.Status.RUNNING, version__language=Language.REMOTE)
    playing = seats.order_by().values("version").annotate(count=Count("pk"))
    full = playing.filter(count__gte=F("version__bot__presence__games") - at_tables)
    full_of_people = tables.filter(count__gte=F("bot__presence__games"))
    free = ~Q(pk__in=full.values("version")) & ~Q(pk__in=full_of_people.values("pk"))
    return Q(language=Language.REMOTE) & free


def _playable_on(host: str, hosts: frozenset[str]) -> Q:
    """The games this host may claim: of its own pairs, the first of a new pair, or what a lost host left."""
    fresh = Q(pair__host="") & (Q(leg=0) | ~Q(pair__status=Pair.Status.QUEUED))
    playing = Game.objects.filter(pair=OuterRef("pair"), status=Game.Status.RUNNING)
    left = Q(~Exists(playing)) & ~Q(pair__host__in=["", *sorted(hosts)])
    return Q(pair__host=host) | fresh | left


def _claim(game: Game, worker: str, host: str) -> Lease:
    """Claim the game by conditional update. Call in a transaction; raises _Lost and _Split."""
    now = database_clock.now()
    token = game.token + 1
    _take_pair(game, host)
    hide_if_due(game)
    won = prepared_sql.update(
        Game,
        {"pk": game.pk, "status": Game.Status.QUEUED, "token": game.token},
        {"status": Game.Status.RUNNING, "token": token, "started_at": now},
    )
    if not won:
        raise _Lost
    game.token = token
    return _begin(game, worker, host, now)


def _begin(game: Game, worker: str, host: str, now: datetime) -> Lease:
    """Begin the attempt of a game's token. Call in the transaction that claims the game."""
    token, slug = game.token, game.tournament.slug
    attempt = Attempt(
        game=game,
        token=token,
        worker=worker[:120],
        host=host,
        release=__version__,
        heartbeat_at=now,
        lease_until=now + LEASE,
    )
    prepared_sql.insert(attempt)
    if not game.hidden:
        transaction.on_commit(lambda: events.publish_begun(game.pk, token))
        events.changed_on_commit(slug)
    scale = capacity.field().scale(host) if host else 1.0
    return Lease(attempt.pk, game.pk, token, slug, scale, game)


def _take_pair(game: Game, host: str) -> None:
    """Let the pair be played here. Raises _Lost if another host was first, _Split if one has begun it."""
    pair = game.pair
    begun = bool(pair.host) and bool(host)
    other_rules = pair.status != Pair.Status.QUEUED and pair.rules != engine.RULES_VERSION
    if other_rules or (begun and pair.host != host):
        if Game.objects.filter(pair=pair, status=Game.Status.FINISHED).exists():
            raise _Split(pair)
    elif pair.status != Pair.Status.QUEUED and (begun or not host):
        return
    if not _taken(pair=pair.pk, seen=pair.host, host=host, rules=engine.RULES_VERSION):
        raise _Lost


@PreparedUpdate
@seeing_hidden()
def _taken() -> tuple[QuerySet[Pair], dict[str, Any]]:
    seen = Param("seen", CharField())
    alive = Pair.objects.filter(pk=Param("pair", BigAutoField()), host=seen, status__in=_ALIVE)
    rules = Param("rules", PositiveSmallIntegerField())
    return alive, {"status": Pair.Status.RUNNING, "host": Param("host", CharField()), "rules": rules}


def _take_turn(tournament: Tournament) -> None:
    """Note that the tournament was served now, at most once in `TURN`, and not while its row is locked: that
    is not worth waiting for."""
    now = database_clock.now()
    if now - (tournament.served_at or EPOCH) > TURN:
        _served(tournament=tournament.pk, now=now)


@PreparedUpdate
def _served() -> tuple[QuerySet[Tournament], dict[str, Param]]:
    row = Tournament.objects.filter(pk=Param("tournament", BigAutoField()))
    if connection.features.has_select_for_update_skip_locked:
        row = Tournament.objects.filter(pk__in=row.select_for_update(skip_locked=True).values("pk"))
    return row, {"served_at": NOW}


def _ready(kind: Kind) -> QuerySet[Game]:
    """Return the games that may be played `NOW`: those without files wait to be voided (`withdrawals`), and
    those with remote bots until these are there."""
    ready = Game.objects.filter(Q(not_before=None) | Q(not_before__lte=NOW), status=Game.Status.QUEUED)
    ready = ready.filter(~Exists(without_files(OuterRef("pk"))))
    if kind is Kind.LOCAL:
        return ready
    seats = Seat.objects.filter(game=OuterRef("pk")).order_by()
    free = Version.objects.online().filter(has_place(NOW)).order_by().values("pk")
    away = seats.filter(version__language=Language.REMOTE).exclude(version__in=free)
    begun = Exists(Game.objects.filter(pair=OuterRef("game__pair"), status=Game.Status.FINISHED))
    left = _has_left(Param("left", DateTimeField()), "version__bot__presence__")
    ready = ready.filter(~Exists(away.exclude(begun & left)))
    needs_core = Exists(seats.exclude(version__language=Language.REMOTE))
    return ready.filter(needs_core if kind is Kind.MIXED else ~needs_core)


def without_files(game: Any) -> QuerySet[Seat]:
    """Return the seats of a game whose bots lost their files with their owner's account."""
    return Seat.objects.filter(program_gone("version__"), game=game)


@cache
def _waiting(kind: Kind) -> PreparedQuery[Any]:
    @seeing_hidden()
    def made() -> QuerySet[Tournament, tuple[int, str, int | None, datetime | None]]:
        ready = Exists(_ready(kind).filter(tournament=OuterRef("pk")))
        waiting = Tournament.objects.filter(
            ready, status=Tournament.Status.RUNNING, admits_remote=kind is not Kind.LOCAL
        )
        return waiting.order_by().values_list("pk", "format", "owner", "served_at")

    return PreparedQuery(made)


def _waiting_tournaments(kind: Kind) -> tuple[list[int], bool]:
    """Return the keys of running tournaments with a game that is ready, in the order of their turns, and
    whether they have equal right."""
    turns = [
        (turn(form, owner), served_at or EPOCH, key)
        for key, form, owner, served_at in _waiting(kind).rows(now=database_clock.now(), left=gone_before())
    ]
    running: Counter[str] = Counter()
    equal = len({whose for whose, *_ in turns}) <= 1
    if not equal:
        rows = (
            Game.objects.filter(status=Game.Status.RUNNING)
            .order_by()
            .values_list("tournament__format", "tournament__owner")
        )
        for form, owner, count in rows.annotate(count=Count("pk")):
            running[turn(form, owner)] += count
    order = sorted((running[whose], served_at, key) for whose, served_at, key in turns)
    return [key for *_, key in order], equal


def turn_of(tournament: Tournament) -> str:
    """Whose turn a game of this tournament takes: its owner's, the house's, or the ladders'."""
    return turn(tournament.format, tournament.owner_id)


def turn(kind: str, owner: int | None) -> str:
    """The same by a tournament's format and owner; without an owner, it is the house's."""
    if kind == Tournament.Format.LADDER:
        return "ladders"
    return f"user {owner}" if owner else "house"
