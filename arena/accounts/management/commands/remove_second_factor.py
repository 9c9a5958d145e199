"""``manage.py remove_second_factor NAME``: lets someone in who lost both phone and codes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.accounts.adapter import remove_second_factor
from arena.accounts.models import User


class Command(BaseCommand):
    """Removes a user's second factor, so that the password alone is enough again."""

    help = "Remove the second factor of a user who lost it. Staff set up a new one at their next visit."

    def add_arguments(self, parser: CommandParser) -> None:
        """The user name."""
        parser.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        """Remove it, and say so."""
        name = options["name"]
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no user called {name!r}.")
        if not remove_second_factor(user):
            raise CommandError(f"{name} has no second factor.")
        self.stdout.write(f"The second factor of {name} is removed. The password alone signs in now.")
