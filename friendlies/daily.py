"""The deal of the day: made the day before, so that its commitment is published before anybody plays it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from analysis.formats import committed_seeds
from friendlies.models import Daily
from friendlies.tables.new_games import opponents, variants
from friendlies.tables.people import Person

BOT: Final = "planner"


def today() -> date:
    """Return the day that it is now, in UTC."""
    return datetime.now(UTC).date()


def game_of_week(day: date) -> str:
    """Return the variant that is played on all days of a week, from Monday to Sunday.

    Each week has another one: a game that changed every day would be forgotten before it came again.
    """
    names = [name for name, variant in variants().items() if not variant.in_ticks]
    # The first day of all, of number 1, was a Monday.
    return names[(day.toordinal() - 1) // 7 % len(names)]


def daily_of(day: date) -> Daily | None:
    """Return the deal of a day; today's and tomorrow's are made when they are first asked for.

    None if there was none, or there is no bot to play against.
    """
    found = Daily.objects.select_related("version__bot").filter(day=day).first()
    if found is not None or day not in (today(), today() + timedelta(days=1)):
        return found
    variant = game_of_week(day)
    playing = opponents(Person(None)).playing(variant)
    version = playing.filter(bot__slug=BOT).first() or playing.first()
    if version is None:
        return None
    made = {"variant": variant, "version": version, "seed": committed_seeds.new_seed()}
    # Two who ask first at the same time get the same one: a day has one row.
    return Daily.objects.get_or_create(day=day, defaults=made)[0]
