"""Bring the house bots in the database up to date with their files."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from bots.services import register_house_bots


class Command(BaseCommand):
    """Registers the house bots; says only what changed or is missing."""

    help = "Register the house bots; a second run changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, one line for each bot that changed."""
        for registered in register_house_bots():
            if registered.version is not None:
                self.stdout.write(f"{registered.name}: version {registered.version.number}")
            elif options["verbosity"] > 1 or registered.reason != "as it was":
                self.stdout.write(f"{registered.name}: {registered.reason}")
