"""What is waiting, in which order, why, and until when; and how many games were played by the hour or day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Avg, Count, F
from django.db.models.functions import TruncDay, TruncHour
from django.utils.translation import gettext, ngettext

from arena.web.cache.values import kept_for, shared_rows
from arena.web.database import database_clock
from bots.check_queue import check_queue
from bots.models import Status as VersionStatus
from bots.models import Version
from tournaments.events.estimates import usual_seconds
from tournaments.events.standings import Progress, count, tournament_progress
from tournaments.games.claims import turn_of
from tournaments.models import Alarm, Attempt, Game, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.embargo import with_hidden_games
from tournaments.ratings.leaderboards import asleep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class WaitingTournament:
    """A running tournament with games that wait; `why` in a sentence, `seconds` to its last game, about."""

    tournament: Tournament
    progress: Progress
    why: str
    seconds: float
    hidden: bool = False
    """Whether it plays hidden games: how many wait, and for how long, would tell how they go."""


def waiting_tournaments(at_once: int) -> list[WaitingTournament]:
    """Running tournaments, those that will be done first first; owners share the games played `at_once`."""
    running = _awake()
    counted = count(running)
    hiding = with_hidden_games(running)
    sharing = max(1, len({turn_of(one) for one in running}))
    blocked = _is_blocked()
    found = []
    for tournament in running:
        entrants = tournament.entrants  # type: ignore[attr-defined]  # annotated
        progress = tournament_progress(tournament, counted[tournament.pk], entrants)
        a_game = usual_seconds(tournament.variant, tournament.players)
        seconds = progress.waiting * a_game * sharing / max(at_once, 1e-9)
        is_ladder = tournament.format == Tournament.Format.LADDER
        hidden = tournament.pk in hiding
        why = (
            gettext("It plays games whose results are hidden.")
            if hidden and not blocked
            else _why(progress, sharing, at_once, blocked=blocked, is_ladder=is_ladder)
        )
        found.append(WaitingTournament(tournament, progress, why, seconds, hidden))
    return sorted(found, key=lambda one: one.seconds)


def games_before(owner: int, games: int) -> int:
    """About how many games are played before the last one of a new event of so many: what its owner has
    waiting already, and of all others, with whom turns are taken, at most as many as of the event.

    A ladder that waits goes on waiting, whatever of it is played.
    """
    running = _awake()
    counted = count(running)
    waiting: dict[str, int] = {}
    for one in running:
        entrants = one.entrants  # type: ignore[attr-defined]  # annotated
        left = tournament_progress(one, counted[one.pk], entrants).waiting
        whose = turn_of(one)
        if one.format == Tournament.Format.LADDER and left:
            left = games
        waiting[whose] = waiting.get(whose, 0) + left
    mine = waiting.pop(f"user {owner}", 0)
    return mine + sum(min(left, games + mine) for left in waiting.values())


@shared_rows
def _awake() -> list[Tournament]:
    """The tournaments with games to come, with how many `entrants` each has.

    Neither idle ladders have any, nor events whose results only wait to be revealed.
    """
    running = Tournament.objects.filter(status=Tournament.Status.RUNNING).exclude(asleep())
    running = running.exclude(hidden_results__played_at__isnull=False)
    found = running.select_related("owner").annotate(entrants=Count("entries")).order_by("pk")
    return list(found)


@shared_rows
def _is_blocked() -> bool:
    """Whether no game can be played for lack of a sandbox."""
    return Alarm.objects.filter(kind=Alarm.Kind.SANDBOX, cleared_at=None).exists()


@shared_rows
def waiting_checks() -> Sequence[Version]:
    """Uploads that wait for their check, in the order of their checks; first those under way."""
    waiting = Version.objects.filter(status__in=(VersionStatus.UPLOADED, VersionStatus.CHECKING))
    places = {key: place for place, key in enumerate(check_queue(), start=1)}
    # Those under way have no place, nor have those that wait for a problem on our side to pass.
    last = {VersionStatus.CHECKING: 0, VersionStatus.UPLOADED: len(places) + 1}
    rows = waiting.select_related("bot__owner").order_by("created_at")
    return sorted(rows, key=lambda one: places.get(one.pk, last[VersionStatus(one.status)]))


def _why(progress: Progress, sharing: int, at_once: int, *, blocked: bool, is_ladder: bool) -> str:
    if blocked:
        return gettext("No games can run: the sandbox is unavailable. The operator has been told.")
    if progress.waiting == 0 and progress.running == 0:
        return (
            gettext("Idle: every rating is settled.")
            if is_ladder
            else gettext("Its next games are being paired.")
        )
    if progress.waiting == 0:
        return gettext("All its games are running.")
    if sharing > 1:
        words = ngettext(
            "%(owners)s owners take turns, %(number)s game at a time.",
            "%(owners)s owners take turns, %(number)s games at a time.",
            at_once,
        )
        return words % {"owners": sharing, "number": at_once}
    words = ngettext("%(number)s game runs at a time.", "%(number)s games run at a time.", at_once)
    return words % {"number": at_once}


KEPT_SECONDS: Final = 60
UNSPOILED: Final = ("", Attempt.Cause.DELIVERED, Attempt.Cause.CANCELLED)
"""Causes that say nothing against the arena."""


@dataclass(frozen=True, slots=True)
class Span:
    """An hour or a day that began `at`: how many games ended, and how many attempts the arena spoiled.

    `wait` are the mean seconds between making a game and claiming it, None where nobody asked or none was.
    """

    at: datetime
    games: int
    spoiled: int
    wait: float | None = None


@dataclass(frozen=True, slots=True)
class _By:
    """By what is counted, and how many of them."""

    begun: type[TruncDay | TruncHour]
    step: timedelta
    count: int

    def first(self, now: datetime) -> datetime:
        """When the first of them began; the last one is now."""
        now = now.replace(minute=0, second=0, microsecond=0)
        if self.begun is TruncDay:
            now = now.replace(hour=0)
        return now - (self.count - 1) * self.step


BY_DAY: Final = _By(TruncDay, timedelta(days=1), 14)
BY_HOUR: Final = _By(TruncHour, timedelta(hours=1), 24)


@kept_for(KEPT_SECONDS)
def last_days() -> list[Span]:
    """The last days (UTC), oldest first, from the first in which a game ended; the last is today so far."""
    return _spans(BY_DAY, BY_DAY.first(database_clock.now()))


@kept_for(KEPT_SECONDS)
def last_hours() -> list[Span]:
    """The last hours in the same way."""
    return _spans(BY_HOUR, BY_HOUR.first(database_clock.now()))


def last_hours_for_operators() -> list[Span]:
    """The last hours with how long games waited."""
    first = BY_HOUR.first(database_clock.now())
    return _spans(BY_HOUR, first, _waited(first))


@seeing_hidden()
def _waited(first: datetime) -> dict[datetime, float]:
    """The mean wait of all games, hidden ones among them, by the hour in which they were claimed."""
    claimed = Game.objects.filter(started_at__gte=first)
    found = claimed.annotate(at=TruncHour("started_at", tzinfo=UTC)).order_by()
    waits = found.values_list("at").annotate(wait=Avg(F("started_at") - F("created_at")))
    return {at: wait.total_seconds() for at, wait in waits if wait is not None}


def _spans(by: _By, first: datetime, waited: Mapping[datetime, float] | None = None) -> list[Span]:
    ended = Game.objects.filter(status=Game.Status.FINISHED, finished_at__gte=first)
    games = _counts(ended.annotate(at=by.begun("finished_at", tzinfo=UTC)))
    spoiled = Attempt.objects.filter(ended_at__gte=first).exclude(cause__in=UNSPOILED)
    restarts = _counts(spoiled.annotate(at=by.begun("ended_at", tzinfo=UTC)))
    moments = [first + number * by.step for number in range(by.count)]
    spans = [Span(at, games.get(at, 0), restarts.get(at, 0), (waited or {}).get(at)) for at in moments]
    begun = next((index for index, one in enumerate(spans) if one.games or one.spoiled), by.count)
    return spans[begun:]


def _counts(found: QuerySet[Any]) -> dict[datetime, int]:
    """How many rows there are of each `at`."""
    return dict(found.order_by().values_list("at").annotate(count=Count("pk")))
