"""``manage.py worker_secret``: what another machine needs to play for this site."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import ProgrammingError, connection

from arena.web import worker_access
from arena.web.worker_access import WorkerSecret, database_url


class Command(BaseCommand):
    """Makes the workers' database role, or gives it a new password, and prints the secret."""

    help = (
        "Print a secret with which another machine joins: ./crapette worker SECRET. Each call changes the"
        " password, so workers that joined with an earlier secret are shut out when they next connect."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Where the other machine finds the servers."""
        parser.add_argument("--database-host", default="", help="the database's address as seen from there")
        parser.add_argument("--database-port", default="", help="its port, if it is another there")
        parser.add_argument("--redis-url", default="", help="the address of Redis as seen from there")
        parser.add_argument(
            "--grants-only",
            action="store_true",
            help="print nothing; give the role, if there is one, its rights on tables that are new",
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Make the role and print the secret."""
        if connection.vendor != "postgresql":
            if options["grants_only"]:
                return
            raise CommandError(
                "Other machines can join only a site on PostgreSQL and Redis. See ./crapette move-to."
            )
        if options["grants_only"]:
            worker_access.grant_again()
            return
        if not settings.REDIS_URL:
            raise CommandError("Other machines can join only a site with Redis. Set REDIS_URL.")
        try:
            user, password = worker_access.make_role()
        except ProgrammingError as error:
            raise CommandError(
                f"The site's database role {connection.settings_dict['USER']!r} must be allowed to make a"
                f" role for workers (ALTER ROLE … CREATEROLE). PostgreSQL says: {str(error).splitlines()[0]}."
            ) from error
        url = database_url(
            connection.settings_dict, user, password, options["database_host"], options["database_port"]
        )
        self.stdout.write(WorkerSecret(url, options["redis_url"] or settings.REDIS_URL).word())
