"""Bring the house bots in the database up to date with their files."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from bots.house_bots import register_house_bots


class Command(BaseCommand):
    """Registers the house bots; says only what changed or is missing."""

    help = "Register the house bots; a second run changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say in one line what is new and what had to be left out."""
        registered = register_house_bots()
        new = [f"{one.name} v{one.version.number}" for one in registered if one.version is not None]
        left_out = [f"{one.name} ({one.reason})" for one in registered if one.left_out]
        said = [f"new: {', '.join(new)}"] * bool(new) + [f"left out: {', '.join(left_out)}"] * bool(left_out)
        if said:
            self.stdout.write("; ".join(said))
