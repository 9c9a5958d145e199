"""The user: Django's own, as a model of ours from the first migration on, so that it may grow."""

from django.contrib.auth.models import AbstractUser
from django.urls import reverse


class User(AbstractUser):
    """A person with a name on the site."""

    class Meta(AbstractUser.Meta):
        """Plain names, as the admin shows them."""

        verbose_name = "user"
        verbose_name_plural = "users"

    def get_absolute_url(self) -> str:
        """The list of bots, narrowed to this person's."""
        return f"{reverse('bots:list')}?owner={self.get_username()}"
