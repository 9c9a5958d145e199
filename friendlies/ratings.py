"""Computes a person's rating from their rated games. Needs the value functions, so no page imports it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.utils import timezone

import engine
from analysis.errors import BrokenRecord
from analysis.luck.measurement import luck_of
from analysis.person_rating import PersonGame, person_estimate
from analysis.scores import FORFEITS, half_points
from analysis.values import VERSION, measures_luck
from analysis.values.seat_policies import UNKNOWN, of_house
from friendlies.games.turns import SEATS
from friendlies.models import Friendly, PersonRating
from friendlies.tables import state
from tournaments.models import Rating

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

log = logging.getLogger(__name__)

POINTS: Final = 40
"""Of a curve."""
FIRST: Final = 5
"""Games at the first point of a curve: before, there is nothing to see but the prior."""
LATEST: Final = 10
OUTCOMES: Final = ("lost", "drawn", "won")
"""By half points."""


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game that counts, and what it tells."""

    row: Friendly
    told: PersonGame
    outcome: str


def rate_person(user: int, variant: str) -> PersonRating | None:
    """Compute and store a person's rating in a variant; None, and none stored, if no game counts yet.

    May run twice at once: of two, the one that began to read later is kept.
    """
    began = timezone.now()
    rows = list(finished_games(user, variant))
    games = count_games(rows, variant)
    seen = [row.pk for row in rows]
    with transaction.atomic():
        # Whose account is being deleted has no rating any more.
        if get_user_model().objects.select_for_update().filter(pk=user).first() is None:
            return None
        found = _stored(user, variant, games, began)
        Friendly.objects.filter(pk__in=seen, weighed_at=None).update(weighed_at=began)
    return found


def finished_games(user: int, variant: str) -> list[Friendly]:
    """A person's rated games in a variant that are over, in the order in which they ended.

    Their moves are read only of those whose luck is not known yet: all games are looked at each time.
    """
    rows = Friendly.objects.filter(owner=user, variant=variant, rated=True, status=Friendly.Status.FINISHED)
    return list(rows.select_related("version__bot").defer("events").order_by("finished_at", "pk"))


def count_games(rows: Sequence[Friendly], variant: str) -> list[CountedGame]:
    """The games that count: against house bots' versions with a rating, at full strength, which is what is
    rated, and not ended by a program's fault."""
    versions = {row.version_id for row in rows}
    ratings = Rating.objects.filter(version__in=versions, variant=variant, anchored=True, games__gt=0)
    known = {one.version_id: one for one in ratings}
    found = []
    for row in rows:
        result = row.result or {}
        rating = known.get(row.version_id)
        full = row.version.bot.is_house and row.level is None
        if rating is None or not full or _spoiled(row, result):
            continue
        luck = _luck(row)
        points = half_points(result["ranking"], row.seat)
        told = PersonGame(rating.elo, rating.error, points / 2, None if luck is None else luck / 2)
        found.append(CountedGame(row, told, OUTCOMES[points]))
    return found


def _spoiled(row: Friendly, result: dict[str, Any]) -> bool:
    """Whether the bot's program failed: that says nothing about the person."""
    failed = result["termination"] in FORFEITS and result["termination"] != "resignation"
    return failed and result["seat"] != row.seat


def _luck(row: Friendly) -> float | None:
    """The person's luck in a result, from -1 to 1; measured once, None where it cannot be."""
    if row.luck_version is None:
        luck = _measured(row)
        row.luck, row.luck_version = luck, VERSION
        # Of two that measure at once the first stays, as with games of bots.
        if not Friendly.objects.filter(pk=row.pk, luck_version=None).update(luck=luck, luck_version=VERSION):
            row.luck = Friendly.objects.values_list("luck", flat=True).get(pk=row.pk)
    return row.luck


def _measured(row: Friendly) -> float | None:
    if not measures_luck(row.variant, SEATS):
        return None
    bot = of_house(row.version.bot.slug.removeprefix("house-"), ticks=row.in_ticks) or UNKNOWN
    policies = (UNKNOWN, bot) if row.seat == 0 else (bot, UNKNOWN)
    try:
        found = luck_of(engine.Position.parse(row.start), engine.words_of(state.events(row)), policies)
    except BrokenRecord as error:
        log.warning("The luck of friendly %s cannot be measured: %s", row.pk, error)
        return None
    return found.result if row.seat == 0 else -found.result


def _stored(user: int, variant: str, games: Sequence[CountedGame], began: datetime) -> PersonRating | None:
    mine = PersonRating.objects.filter(user=user, variant=variant)
    if not games:
        mine.filter(computed_at__lt=began).delete()
        return None
    fields = {**_fields(games), "computed_at": began}
    if not mine.filter(computed_at__lt=began).update(**fields):
        try:
            with transaction.atomic():
                PersonRating.objects.create(user_id=user, variant=variant, **fields)
        except IntegrityError:
            log.info("a later rating of %s in %s is there already", user, variant)
    return mine.get()


def _fields(games: Sequence[CountedGame]) -> dict[str, Any]:
    told = [one.told for one in games]
    whole = person_estimate(told)
    outcomes = [one.outcome for one in games]
    met: dict[int, list[int]] = {}
    for one in games:
        met.setdefault(one.row.version_id, [0, 0, 0])[2 - OUTCOMES.index(one.outcome)] += 1
    return {
        "elo": whole.elo,
        "low": whole.low,
        "high": whole.high,
        "games": len(games),
        "wins": outcomes.count("won"),
        "draws": outcomes.count("drawn"),
        "losses": outcomes.count("lost"),
        "lucky": sum(one.luck is None for one in told),
        "curve": _curve(told),
        "met": [[version, *counts] for version, counts in sorted(met.items())],
        "latest": [_line(one) for one in reversed(games[-LATEST:])],
    }


def _curve(told: Sequence[PersonGame]) -> list[list[float | None]]:
    """The rating after some of the games, by what is known of the opponents now."""
    first = min(FIRST, len(told))
    steps = min(POINTS, len(told) - first + 1)
    counts = sorted({first + (len(told) - first) * step // max(1, steps - 1) for step in range(steps)})
    points: list[list[float | None]] = []
    for count in counts:
        one = person_estimate(told[:count])
        ends = [None if end is None else round(end, 1) for end in (one.low, one.high)]
        points.append([count, round(one.elo, 1), *ends])
    return points


def _line(one: CountedGame) -> list[Any]:
    row, left = one.row, (one.row.result or {})["left"]
    ended = row.finished_at.isoformat() if row.finished_at else None
    return [str(row.pk), row.version_id, one.outcome, left[row.seat], left[1 - row.seat], ended]
