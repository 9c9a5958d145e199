"""The user model: Django's, as a model of our own from the first migration on, so that it can grow."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse

from arena.web import names


class User(AbstractUser):
    """A person with a name on the site; ``look`` is what the name looks like (`arena.web.names`).

    ``language`` is the code of the one they chose; empty if they never did. ``time_zone`` is the
    name of the one they chose; empty to follow the browser. ``confirm_by`` is until when they
    may do without a confirmed address (`arena.accounts.confirmation`); empty if they were never asked.
    ``former_name`` is the one under which they signed up, if moderators replaced it: it still signs in.
    ``shows_play`` is whether everybody may see how they play: their ratings and rated games.
    """

    look = models.CharField(max_length=names.LOOK_LENGTH, null=True, unique=True, editable=False)  # noqa: DJ001
    language = models.CharField(max_length=10, blank=True, default="")
    time_zone = models.CharField(max_length=64, blank=True, default="", db_default="")
    confirm_by = models.DateTimeField(null=True, blank=True, editable=False)
    former_name = models.CharField(max_length=150, blank=True, default="", editable=False, db_index=True)
    shows_play = models.BooleanField(default=False)

    class Meta(AbstractUser.Meta):
        """Plain names, as the admin shows them."""

        verbose_name = "user"
        verbose_name_plural = "users"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the row, with the look of its name unless somebody has that look already."""
        fields = kwargs.get("update_fields")
        if fields is None or "username" in fields:
            self.look = names.free_look(User.objects.exclude(pk=self.pk), self.username)
            if fields is not None:
                kwargs["update_fields"] = {*fields, "look"}
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        """This person's page."""
        return reverse("people:profile", args=[self.get_username()])
