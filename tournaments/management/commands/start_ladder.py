"""`manage.py start_ladder VARIANT …`: ladders on which every active version plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from engine.errors import UnknownVariant
from tournaments.services.ladder import ensure_ladder

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Start the ladders of these variants, if they are not running."""

    help = "Start the ladders of these variants, if they are not running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The variants."""
        parser.add_argument("variants", nargs="+", metavar="VARIANT")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Start them and say where they are."""
        for variant in options["variants"]:
            try:
                ladder = ensure_ladder(variant)
            except UnknownVariant as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{ladder.name}: {ladder.get_absolute_url()}")
