"""``manage.py retention``: what is too old to be kept."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from arena.web import limits
from tournaments.games import archive
from tournaments.operation import retention
from tournaments.operation.operator_figures import sizes


class Command(BaseCommand):
    """Says what would be removed, or removes it; the site does so every night."""

    help = "Print the size of every table and what would be removed by age; with --remove, remove it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether to remove."""
        parser.add_argument("--remove", action="store_true", help="remove it now")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print a table, and remove if that was said."""
        for size in sizes():
            if size.rows:
                large = "" if size.bytes is None else f"{size.bytes / 1e6:12.1f} MB"
                self.stdout.write(f"{size.table:<32}{size.rows:>12} rows{large}")
        self.stdout.write("")
        for rule in retention.RULES:
            days = limits.value(rule.limit)
            count = retention.remove(rule) if options["remove"] else retention.would_remove(rule)
            verb = "removed" if options["remove"] else "would be removed"
            self.stdout.write(f"{count:>10} rows {verb}: {rule.words}, older than {days} days ({rule.limit})")
        old = archive.waiting()
        if old.days:
            self.stdout.write(
                f"{old.games:>10} records, {old.bytes / 1e6:.1f} MB, would move to the archive:"
                f" older than {old.days} days ({archive.LIMIT}); see manage.py archive"
            )
