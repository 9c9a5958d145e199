"""``manage.py site_notice``: what stands on top of every page."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from arena.notices.models import SiteNotice

DATE = "%Y-%m-%d %H:%M UTC"


class Command(BaseCommand):
    """Writes a site notice, ends one, or lists those that have not ended."""

    help = (
        "Write a notice on top of every page. Without a text, list the notices that have not ended."
        " Pages show a change within five seconds."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The text, and what goes with it."""
        parser.add_argument("text", nargs="?", default="", help="plain text, at most 300 characters")
        parser.add_argument("--hours", type=float, default=24, help="how long to show it (default: 24)")
        parser.add_argument("--in-hours", type=float, default=0, help="when to begin (default: now)")
        parser.add_argument("--link", default="", help="a path such as /rules/, or an address")
        parser.add_argument("--warning", action="store_true", help="show it as a warning")
        parser.add_argument("--signed-in", action="store_true", help="only to whoever is signed in")
        parser.add_argument(
            "--language", default="en", choices=dict(SiteNotice.LANGUAGES), help="what it is written in"
        )
        parser.add_argument("--end", type=int, metavar="ID", help="end this notice now")

    def handle(self, *_: Any, **options: Any) -> None:
        """Do what was asked."""
        if options["end"] is not None:
            self._end(options["end"])
        elif options["text"]:
            self._write(options)
        else:
            self._list()

    def _write(self, options: dict[str, Any]) -> None:
        try:
            begins = timezone.now() + timedelta(hours=options["in_hours"])
            ends = begins + timedelta(hours=options["hours"])
        except (OverflowError, ValueError):
            raise CommandError("Expected a number of hours that a calendar has.") from None
        notice = SiteNotice(
            text=options["text"],
            link=options["link"],
            severity=SiteNotice.Severity.WARNING if options["warning"] else SiteNotice.Severity.NOTICE,
            audience=SiteNotice.Audience.SIGNED_IN if options["signed_in"] else SiteNotice.Audience.EVERYBODY,
            language=options["language"],
            begins=begins,
            ends=ends,
        )
        try:
            notice.full_clean()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        notice.save()
        self.stdout.write(f"Notice {notice.pk} is shown until {notice.ends.strftime(DATE)}.")

    def _end(self, key: int) -> None:
        notice = SiteNotice.objects.filter(pk=key, ends__gt=timezone.now()).first()
        if notice is None:
            raise CommandError(f"Expected a notice that has not ended, got {key}.")
        notice.ends = timezone.now()
        notice.save(update_fields=["ends", "changed_at"])
        self.stdout.write(f"Notice {key} has ended.")

    def _list(self) -> None:
        found = SiteNotice.objects.filter(ends__gt=timezone.now())
        if not found:
            self.stdout.write("There is no site notice.")
        for one in found:
            until = f"{one.begins.strftime(DATE)} to {one.ends.strftime(DATE)}"
            self.stdout.write(f"{one.pk}  {until}  {one.severity}, {one.audience}: {one.text}")
