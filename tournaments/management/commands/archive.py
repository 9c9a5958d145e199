"""``manage.py archive``: the records of old games in files by month."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.web.storage.archives import ArchiveUnreadable
from tournaments.games import archive
from tournaments.games import archive as archived_events
from tournaments.models import RecordArchive


class Command(BaseCommand):
    """Says what is in the archive and what would move there; moves it, examines it or brings it back."""

    help = "Print what is in the archive of records and what would move there now."

    def add_arguments(self, parser: CommandParser) -> None:
        """What to do besides printing."""
        action = parser.add_mutually_exclusive_group()
        action.add_argument("--now", action="store_true", help="move old records now, as every night does")
        action.add_argument(
            "--check", action="store_true", help="read every file and compare it with its hash"
        )
        action.add_argument("--bring-back", metavar="YYYY-MM", help="put a month back into the database")
        action.add_argument(
            "--remove-orphans",
            action="store_true",
            help="remove files that this site's database does not know",
        )
        parser.add_argument("--days", type=int, help="with --now: how old, instead of the limit")

    def handle(self, *_: Any, **options: Any) -> None:
        """Do it and print. Raises CommandError."""
        try:
            if options["now"]:
                count = archive.archive_records(options["days"], most_files=1_000_000)
                self.stdout.write(f"{count} records moved to the archive.")
            elif options["bring_back"]:
                self._bring_back(options["bring_back"])
            elif options["check"]:
                self._check()
            elif options["remove_orphans"]:
                count, size = archive.remove_orphans()
                self.stdout.write(f"{count} files removed, {size / 1e6:.1f} MB.")
            left = archived_events.orphans()
        except (ArchiveUnreadable, OSError) as error:
            raise CommandError(str(error)) from error
        for one in archived_events.by_month():
            self.stdout.write(
                f"{one.month}{one.games:>12} games{one.bytes / 1e6:12.1f} MB in {one.files} files"
            )
        if left:
            self.stdout.write(
                f"{len(left)} files, {sum(one.bytes for one in left) / 1e6:.1f} MB, belong to no record: an"
                " interrupted run or an older database left them. --remove-orphans removes them. First make"
                " sure that no other site keeps its archive there."
            )
        old = archive.waiting()
        if old.days:
            self.stdout.write(
                f"{old.games} records, {old.bytes / 1e6:.1f} MB, are older than {old.days} days"
                f" ({archive.LIMIT}) and would move."
            )
        else:
            self.stdout.write(f"Nothing moves by itself: the limit {archive.LIMIT} is 0.")

    def _bring_back(self, month: str) -> None:
        files = list(RecordArchive.objects.filter(month=month, sealed_at__isnull=False))
        if not files:
            raise CommandError(f"The archive has no month {month!r}.")
        count = sum(archive.bring_back(one) for one in files)
        self.stdout.write(f"{count} records of {month} are in the database again.")

    def _check(self) -> None:
        found = list(archived_events.faults(thorough=True))
        if found:
            raise CommandError("\n".join(found))
        self.stdout.write("Every file is there and is what was written.")
