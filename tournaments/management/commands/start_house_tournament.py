"""`manage.py start_house_tournament`: a round-robin of the house bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from analysis.errors import CompetitionError
from tournaments.events.house_tournaments import start_house_tournament

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Start a round-robin between the house bots, unless the same versions have met already."""

    help = "Start a round-robin between the house bots, unless the same versions have met already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Variant, pairs and entrants."""
        parser.add_argument("--variant", default="crapaud", help="the game (%(default)s)")
        parser.add_argument("--pairs", type=int, default=10, help="pairs a pairing (%(default)s)")
        parser.add_argument("--again", action="store_true", help="also if they have met already")
        parser.add_argument("bots", nargs="*", help="slugs of house bots (all)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Start it and say where it is."""
        try:
            tournament = start_house_tournament(
                options["variant"], options["pairs"], options["bots"], again=options["again"]
            )
        except CompetitionError as error:
            raise CommandError(str(error)) from error
        if tournament is None:
            self.stdout.write(
                "No tournament was started: these house bots have met already, or are fewer than two."
            )
        else:
            self.stdout.write(f"Started {tournament.name!r} at {tournament.get_absolute_url()}")
