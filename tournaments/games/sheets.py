"""The parts of the points of many games, each told once from its record and then remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.cache import cache

import engine
from analysis.sheet import game_parts
from engine.points.sheet import Part
from tournaments.games.records import events, result
from tournaments.models import Game

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from engine.points.sheet import Parts

KEPT_SECONDS = 7 * 24 * 3600


def parts_of_games(keys: Sequence[UUID]) -> dict[UUID, Parts]:
    """The parts of both seats of finished games of two, in three queries for those not remembered."""
    names = {key: f"sheet/{engine.RULES_VERSION}/{key}" for key in keys}
    kept = cache.get_many(names.values())
    found = {key: _read(kept[name]) for key, name in names.items() if name in kept}
    missing = [key for key in keys if key not in found]
    games = Game.objects.filter(pk__in=missing, result__isnull=False).select_related(
        "tournament", "result", "record__archive"
    )
    fresh = {}
    for game in games:
        found[game.pk] = made = game_parts(game.start, events(game), result(game) or {})
        fresh[names[game.pk]] = [[[part.name, part.count, part.points] for part in own] for own in made]
    cache.set_many(fresh, KEPT_SECONDS)
    return found


def _read(kept: list[list[list[object]]]) -> Parts:
    first, second = (tuple(Part(*part) for part in own) for own in kept)  # type: ignore[arg-type]
    return first, second
