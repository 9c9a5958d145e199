"""Playing the next game: claim, play, deliver, or give back with the cause, which a bot may be so often.

A void game is played again, so a bot that could have its lost games voided would never lose. Where each bot
has a memory cgroup, the kernel's own count proves what happened. Without one, only the bot's size is
evidence, so its owner gets the benefit of the doubt `MOST` times in `WITHIN`, over all bots of the account
and of accounts linked to it. Then an alarm asks a person to look. Until that alarm is cleared, an end without
proof is the bot's crash: it loses, and nothing waits. Clearing the alarm starts the count again; a pair that
the host did spoil can be voided by hand.
"""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.conf import settings
from django.db.models import BigAutoField, DateTimeField, Exists, F

from analysis.errors import BrokenChain, ResultRefused, StaleAttempt
from arena.web.database import database_clock
from arena.web.database.db_retry import AWAY, drop_broken_connection, until_answered
from arena.web.database.prepared_sql import Param, PreparedQuery
from arena.web.processes import shutdown
from arena.web.processes.alarms import clear_alarm, is_recent, raise_alarm, sandbox_alarm_lately
from arena.web.processes.capacity import field
from arena.web.processes.logs import following
from bots.errors import BotAway, Interrupted, Unplayable
from bots.models import Bot
from bots.playing.game_process import play
from referee.job import ClockRule
from tournaments.games.attempts import release, renew
from tournaments.games.claims import Kind, Lease, TournamentTurns, claim_next, claim_rest, without_files
from tournaments.games.remote import ending_frames, remote_table
from tournaments.games.results import SomeTaken, accept_results
from tournaments.models import Alarm, Attempt, Seat
from tournaments.models.embargo import seeing_hidden
from tournaments.ratings.linked_owners import linked_accounts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from bots.models import Version
    from bots.playing.game_process import DeliveredGame, News
    from referee.messages import RecordEvent
    from tournaments.games.remote import Stored
    from tournaments.models import Game, Result


MOST: Final = 3
WITHIN: Final = timedelta(hours=24)


def doubted_seats(versions: Sequence[Version]) -> frozenset[int]:
    """Return the seats whose owners had too many games voided: only proof voids another."""
    groups = {version.bot_id: _Author.of(version.bot_id) for version in versions}
    doubted = {author for author in set(groups.values()) if author.count_voided() >= MOST}
    return frozenset(seat for seat, version in enumerate(versions) if groups[version.bot_id] in doubted)


def look_at(game: UUID, seat: int, reason: str) -> None:
    """Raise the alarm if the owner of the bot in this seat has had too many games voided."""
    bot = Bot.objects.get(versions__seats__game=game, versions__seats__seat=seat)
    author = _Author.of(bot.pk)
    count = author.count_voided()
    if count < MOST:
        return
    raise_alarm(
        Alarm.Kind.BOT,
        author.key,
        f"{bot.name} and its owner's other bots: {count} games were void within {WITHIN.days * 24} hours"
        f" because of what happened to a bot's own process, last: {reason[:200]}. Look at their attempts."
        " Until you clear this alarm, only the count of its own cgroup excuses another kill; without it"
        " such a bot loses by a crash.",
    )


@dataclass(frozen=True, slots=True)
class _Author:
    """Whose games count together: an account with those that staff linked to it, or a bot without one."""

    key: str
    bots: frozenset[int]

    @classmethod
    def of(cls, bot: int) -> _Author:
        """The author of a bot."""
        owner = Bot.objects.values_list("owner", flat=True).get(pk=bot)
        if owner is None:
            return cls(f"bot {bot}", frozenset({bot}))
        linked = linked_accounts(by_staff=True)
        first = linked.get(owner, owner)
        accounts = {owner, *(account for account, least in linked.items() if least == first)}
        bots = Bot.objects.filter(owner__in=accounts).values_list("pk", flat=True)
        return cls(f"account {first}", frozenset(bots))

    def count_voided(self) -> int:
        """How many attempts ended without a result because of a bot's process, since a person last looked."""
        since = database_clock.now() - WITHIN
        found = Attempt.objects.filter(
            ended_at__gt=since,
            seat__isnull=False,
            game__seats__seat=F("seat"),
            game__seats__version__bot__in=self.bots,
        )
        count = found.count()
        if count < MOST:
            return count
        looked = Alarm.objects.filter(kind=Alarm.Kind.BOT, key=self.key, cleared_at__gt=since)
        last = looked.order_by("-cleared_at").values_list("cleared_at", flat=True).first()
        return count if last is None else found.filter(ended_at__gt=last).count()


Row = TypeVar("Row")
logger = logging.getLogger(__name__)


def worker_name() -> str:
    """Who plays: host, process and thread."""
    return f"{settings.HOST_NAME}:{os.getpid()}:{threading.get_ident()}"


def directly(do: Callable[[], Row]) -> Row:
    """Ask the database in this thread."""
    return do()


def play_next(
    worker: str | None = None,
    claimed: Callable[[], None] | None = None,
    kind: Kind = Kind.LOCAL,
    stored: Stored = directly,
    turns: TournamentTurns | None = None,
) -> bool:
    """Claim and play a game and the rest of its pair; False if none waits or none can be played here now.

    `claimed` is called after the claim. Whatever asks the database is called through `stored`. `turns` are
    those of whoever calls this again and again, from one thread at a time until `claimed` is called.
    """
    if shutdown.draining() or settings.HOST_NAME in field().set_aside:
        return False
    alarm = stored(sandbox_alarm_lately)
    if alarm is not None and is_recent(alarm):
        return False
    worker = worker or worker_name()
    lease = stored(partial(claim_next, worker, settings.HOST_NAME, kind, turns))
    if lease is None:
        return False
    if claimed is not None:
        claimed()
    played = _play_pair(lease, worker, stored)
    if played and alarm is not None:
        stored(partial(clear_alarm, Alarm.Kind.SANDBOX, ""))
    return True


def _play_pair(lease: Lease, worker: str, stored: Stored) -> bool:
    """Play the leased game, and then those of its pair that nobody else has begun; whether the first was
    played."""
    player, played = PairPlayer(stored), 0
    try:
        while player.play(lease):
            played += 1
            if shutdown.draining() or settings.HOST_NAME in field().set_aside:
                break
            rest = stored(partial(claim_rest, lease, worker, settings.HOST_NAME))
            if rest is None:
                break
            lease = rest
    finally:
        player.deliver()
    return played > 0


class PairPlayer:
    """Plays games of one pair, one after the other.

    What is over within a moment is delivered together with the game that follows, or as soon as that one has
    news. So two short games take the database little more than one.
    """

    def __init__(self, stored: Stored = directly) -> None:
        self.results: list[Result] = []
        self._stored = stored
        self._over: list[tuple[Lease, DeliveredGame]] = []
        self._seated: dict[UUID, list[Version]] = {}
        self._some_voided = False

    def play(self, lease: Lease) -> bool:
        """Play a leased game; False if the attempt was lost or the machine failed."""
        with following(game=lease.game, attempt=lease.token):
            logger.debug("claimed")
            played = self._play(lease)
            logger.debug("ended: %s", played)
        return played

    @seeing_hidden()
    def _play(self, lease: Lease) -> bool:
        game = self._stored(lease.game_row)
        tournament, versions = game.tournament, self._versions(game)
        table = remote_table(game, versions, self._stored)
        clock = scale_clock(ClockRule(tournament.bank_ms, tournament.increment_ms), lease.clock_scale)
        try:
            doubted, news = self._doubted_seats(versions), self._news_of(lease)
            ended = play(game.start, tournament.variant, versions, clock, news, doubted=doubted, table=table)
            self._over.append((lease, ended))
            if table is not None or ended.passed_on:
                self.deliver()
            if table is not None and self.results:
                table.over(ending_frames(game, versions, self.results[-1]))
                table = None
        except StaleAttempt as error:
            logger.warning("a game was taken away: %s", error)
            return False
        except Unplayable as error:
            self._stored(partial(give_back, lease, error))
            return False
        finally:
            if table is not None:
                table.over({})
        return True

    def _versions(self, game: Game) -> list[Version]:
        """Who plays a game, by seat; read once for all games of the pair."""
        if game.pk not in self._seated:
            asked = partial(_seats.rows, pair=game.pair_id, since=database_clock.now() - WITHIN)
            for seat in self._stored(asked):
                self._seated.setdefault(seat.game_id, []).append(seat.version)
                self._some_voided = seat.some_voided
        return self._seated[game.pk]

    def _doubted_seats(self, versions: Sequence[Version]) -> frozenset[int]:
        """The seats that lose by an end that others are forgiven. Mostly nobody's game was voided lately, as
        whoever read who plays saw; then nothing is asked."""
        return self._stored(partial(doubted_seats, versions)) if self._some_voided else frozenset()

    def _news_of(self, lease: Lease) -> News:
        unsure = False

        def news(ply: int, batch: list[RecordEvent]) -> bool:
            nonlocal unsure
            try:
                self.deliver(at_once=True)
                self._stored(partial(renew, lease, ply, batch, again=unsure))
            except AWAY as error:
                # The game goes on. If the lease runs out meanwhile, its token decides what its result is
                # worth.
                logger.warning("no answer to a game's news: %s", error)
                drop_broken_connection()
                unsure = True
                return False
            unsure = False
            return True

        return news

    def deliver(self, *, at_once: bool = False) -> None:
        """Deliver what is over. If the database does not answer, do so again; not if `at_once`."""
        try:
            self._deliver(self._over, at_once)
        except (SomeTaken, BrokenChain):
            if len(self._over) == 1:
                raise
            while len(self._over) > 1:
                self._deliver(self._over[:1], at_once)
                del self._over[0]
            self._deliver(self._over, at_once)
        self._over = []

    def _deliver(self, over: Sequence[tuple[Lease, DeliveredGame]], at_once: bool) -> None:
        if not over:
            return
        try:
            self.results += self._stored(partial(accept_results if at_once else deliver, over))
        except StaleAttempt as error:
            logger.warning("a game was taken away: %s", error)
        except ResultRefused as error:
            logger.error("a result was refused: %s", error)


@PreparedQuery
@seeing_hidden()
def _seats() -> QuerySet[Any]:
    """The seats of a pair's games, and whether the process of anybody's bot had a game voided lately."""
    lately = Attempt.objects.filter(ended_at__gt=Param("since", DateTimeField()), seat__isnull=False)
    seats = Seat.objects.filter(game__pair=Param("pair", BigAutoField()))
    return seats.annotate(some_voided=Exists(lately)).select_related("version__bot").order_by("seat")


def scale_clock(rule: ClockRule, scale: float) -> ClockRule:
    """The clock on a host where CPU time is worth this much less than on the reference."""
    if scale == 1:
        return rule
    return replace(rule, bank_ms=round(rule.bank_ms * scale), increment_ms=round(rule.increment_ms * scale))


def deliver(over: Sequence[tuple[Lease, DeliveredGame]]) -> list[Result]:
    """Deliver games of a pair, and again if the database did not answer: it knows whether it took them."""
    return until_answered(lambda: accept_results(over), "a result")


def give_back(lease: Lease, error: Unplayable) -> None:
    """Put the game back in the queue; a missing sandbox is not counted against it, but raises an alarm."""
    if isinstance(error, Interrupted):
        cause = Attempt.Cause.RESTARTED
    elif isinstance(error, BotAway):
        cause = Attempt.Cause.BOT_AWAY
    else:
        logger.warning("game %s could not be played: %s", lease.game, error)
        if error.sandbox_down:
            until_answered(lambda: raise_alarm(Alarm.Kind.SANDBOX, "", str(error)), "an alarm")
            cause = Attempt.Cause.SANDBOX
        else:
            cause = Attempt.Cause.PLAYER_DIED if error.died else Attempt.Cause.INFRASTRUCTURE
            with seeing_hidden():
                if without_files(lease.game).exists():
                    cause = Attempt.Cause.CANCELLED  # its owner left a moment ago: no machine is to blame
    seat = error.seat
    until_answered(lambda: release(lease, cause, str(error), seat), "a game given back")
    if seat is not None:
        until_answered(lambda: look_at(lease.game, seat, str(error)), "an alarm")
