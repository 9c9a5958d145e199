"""`manage.py measure_luck`: the luck of every finished game that this version has not measured."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.games.luck_measurement import measure_all


class Command(BaseCommand):
    """After a new version of the value functions, or for games of before there were any."""

    help = "Measure the luck of every finished game that the present value functions have not measured."

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure and count."""
        found = list(map(bool, measure_all()))
        self.stdout.write(f"{sum(found)} games measured, {len(found) - sum(found)} could not be.")
