"""Measuring the luck of finished games: after their pair counted, once for a version of the value function.

Nothing that is counted depends on it, and measuring twice does no harm.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.db import transaction
from django.db.models import BigAutoField, Min, Prefetch, UUIDField, prefetch_related_objects

import engine
from analysis.errors import BrokenRecord
from analysis.luck.measurement import luck_of
from analysis.luck.policy_agreement import tallies
from analysis.searches.won_endings import won_endings
from analysis.values import VERSION, measures_luck
from analysis.values.seat_policies import UNKNOWN, choose_policy, of_house
from arena.web.database.prepared_sql import Param, PreparedQuery, some, values_of
from tournaments.game_messages import advance_on_commit
from tournaments.games.records import events
from tournaments.models import Attempt, Game, GameLuck, LaterLuck, PolicyTally, Seat, SolvedEnding, Tournament
from tournaments.models.embargo import as_shown
from tournaments.ratings.ratings import request_ratings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.db.models import QuerySet

    from analysis.values.seat_policies import Policies, SeatPolicy
    from bots.models import Version
    from engine import Position

TALLIED: Final = 20
"""So many games of a version in a variant are tallied."""


def policies_of(game: Game) -> Policies:
    """By which policy each of two seats is played on."""
    first, second = (_policy(game, seat.version) for seat in game.seats.all())
    return first, second


def tally(game: Game, start: Position, words: Sequence[str]) -> None:
    """Keep what the game tells about its bots, if that is still asked for. Raises BrokenRecord."""
    variant = game.tournament.variant
    asked = [
        seat
        for seat in game.seats.all()
        if _known(variant, seat.version) is None
        and PolicyTally.objects.filter(version=seat.version, variant=variant).count() < TALLIED
    ]
    if not asked:
        return
    found = tallies(start, words)
    PolicyTally.objects.bulk_create(
        [
            PolicyTally(game=game, seat=one.seat, version=one.version, variant=variant, tally=found[one.seat])
            for one in asked
        ],
        ignore_conflicts=True,
    )


def _policy(game: Game, version: Version) -> SeatPolicy:
    """The policy that a version is most like, by what was known when the pair began."""
    known = _known(game.tournament.variant, version)
    if known is not None:
        return known
    began = Attempt.objects.filter(game__pair=game.pair_id).aggregate(at=Min("started_at"))["at"]
    if began is None:  # it was never played by a worker
        return UNKNOWN
    variant = game.tournament.variant
    earlier = PolicyTally.objects.filter(version=version, variant=variant, tallied_at__lt=began)
    earlier = earlier.exclude(game__pair__deal_seed=game.pair.deal_seed)
    return choose_policy(list(earlier.values_list("tally", flat=True)))


def _known(variant: str, version: Version) -> SeatPolicy | None:
    """The policy of a house bot, None where only games can tell."""
    if not version.bot.is_house:
        return None
    return of_house(version.bot.slug.removeprefix("house-"), ticks=engine.variant(variant).in_ticks)


log = logging.getLogger(__name__)


def measure_pairs(pairs: Sequence[int]) -> int:
    """Measure the games of accepted pairs; how many were not measured yet.

    Raises BrokenRecord for one whose record cannot be read, once the others are measured.
    """
    measured, broken = [], None
    for game in _with_seats(_unmeasured(len(pairs)).rows(**values_of(pairs)) if pairs else ()):
        try:
            measured += _measure(game)
        except BrokenRecord as error:
            broken = error
    _keep(measured)
    if broken is not None:
        raise broken
    return len(measured)


def measure_all() -> Iterator[GameLuck | LaterLuck | None]:
    """Measure every finished game that was not, or by an older version."""
    for key in find_unmeasured().order_by("finished_at").values_list("pk", flat=True).iterator():
        yield measure(key)


def measure(game_id: UUID | str) -> GameLuck | LaterLuck | None:
    """Measure one game; None if it has no record yet, no value function, or a record that is none.

    The first measurement stays: verdicts that people have read must not change because a later value function
    looks again. What that one finds is kept beside it.
    """
    try:
        found = _with_seats(_game.rows(game=UUID(str(game_id))))
    except ValueError:
        return None
    measured = [one for game in found for one in _measure(game)]
    _keep(measured)
    return next((one.luck for one in measured), None)


@dataclass(frozen=True, slots=True)
class _Measured:
    """What a game told, to be kept: also its endings."""

    luck: GameLuck | LaterLuck
    endings: list[SolvedEnding]


def _measure(game: Game) -> list[_Measured]:
    """What there is to keep of a game; nothing if it cannot be measured."""
    if game.status != Game.Status.FINISHED:
        return []
    if not measures_luck(game.tournament.variant, game.tournament.players):
        return []
    start, words = engine.Position.parse(game.start), engine.words_of(events(game))
    policies = policies_of(game)
    try:
        found = luck_of(start, words, policies)
        tally(game, start, words)
        endings = find_endings(game, start, words)
    except BrokenRecord as error:
        log.warning("The luck of game %s cannot be measured: %s", game.pk, error)
        return []
    model = LaterLuck if hasattr(game, "luck") and game.luck.version != found.version else GameLuck
    return [_Measured(model(game=game, policies=policies, **asdict(found)), endings)]


def _keep(measured: Sequence[_Measured]) -> None:
    """Keep what was measured, in as many statements as for one game. Twice changes nothing."""
    first = [one.luck for one in measured if isinstance(one.luck, GameLuck)]
    later = [one.luck for one in measured if isinstance(one.luck, LaterLuck)]
    endings = [row for one in measured for row in one.endings]
    with transaction.atomic():
        GameLuck.objects.bulk_create(first, ignore_conflicts=True)
        LaterLuck.objects.bulk_create(later, ignore_conflicts=True)
        SolvedEnding.objects.bulk_create(endings, ignore_conflicts=True)
        for event in {one.game.tournament_id: one.game.tournament for one in first}.values():
            if event.format == Tournament.Format.SPRT:
                advance_on_commit(event.pk)
            elif event.subtracts_luck:
                request_ratings(event)


def _with_seats(games: Sequence[Game]) -> Sequence[Game]:
    """Games with what measuring them reads and no more: this is done for every game."""
    if games:
        seats = Seat.objects.select_related("version__bot").order_by("seat")
        seats = seats.only("game", "seat", "version__bot__slug", "version__bot__is_house")
        prefetch_related_objects(list(games), Prefetch("seats", seats))
    return games


def _read(games: QuerySet[Game]) -> QuerySet[Game]:
    games = games.select_related("tournament", "result", "record__archive", "luck").only(
        *("pair", "start", "status", "tournament__variant", "tournament__players", "tournament__format"),
        *("tournament__rated", "tournament__admits_remote"),
        *("result__ranking", "record", "luck__version"),
    )
    return games.order_by()


@PreparedQuery
@as_shown()
def _game() -> QuerySet[Game]:
    return _read(Game.objects.filter(pk=Param("game", UUIDField())))


@cache
def _unmeasured(count: int) -> PreparedQuery[Game]:
    @as_shown()
    def made() -> QuerySet[Game]:
        return _read(find_unmeasured().filter(pair__pk__in=some(count, BigAutoField())))

    return PreparedQuery(made)


def find_unmeasured() -> QuerySet[Game]:
    """Finished games whose luck this version has not measured."""
    variants = [name for name in engine.VARIANTS if measures_luck(name)]
    finished = Game.objects.filter(
        status=Game.Status.FINISHED, tournament__variant__in=variants, tournament__players=2
    )
    return finished.exclude(luck__version=VERSION).exclude(later_luck__version=VERSION)


def find_endings(game: Game, start: Position, words: Sequence[str]) -> list[SolvedEnding]:
    """For each seat that the solver saw win whether it did, to be kept.

    Raises:
        BrokenRecord: the words are not moves of a game from there.
    """
    first = game.result.ranking[0]
    seats = won_endings(start, words)
    return [
        SolvedEnding(
            game=game,
            seat=one.seat,
            version=one.version,
            variant=game.tournament.variant,
            held=first == [one.seat],
        )
        for one in game.seats.all()
        if one.seat in seats
    ]
