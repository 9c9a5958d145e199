"""`manage.py recover`: take up queued and interrupted work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from tournaments.operation.recovery import recover

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """Enqueue what the database says is waiting; take back leases of dead workers."""

    help = "Enqueue what the database says is waiting; take back leases of dead workers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether any worker may be alive."""
        parser.add_argument(
            "--alone", action="store_true", help="no worker is running: take back every lease"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Recover and say what was found."""
        found = recover(alone=options["alone"])
        self.stdout.write(", ".join(f"{name}: {count}" for name, count in found.items()))
