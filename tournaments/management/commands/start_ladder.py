"""`manage.py start_ladder [BOARD …]`: ladders on which every active version plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from engine.boards import BOARDS
from engine.errors import UnknownVariant
from tournaments.ratings.ladder import ensure_ladder

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Start the ladders of these boards, or of all, unless they are there."""

    help = "Start the ladders of these boards, or of all, unless they are there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The boards."""
        parser.add_argument("boards", nargs="*", metavar="BOARD", help="such as crapaud or crapette/3 (all)")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Start them and say where they are."""
        for board in options["boards"] or BOARDS:
            try:
                ladder = ensure_ladder(board)
            except UnknownVariant as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"{ladder.name}: {ladder.get_absolute_url()}")
