"""What is stored about people who run a bot or an event together: invitations, and what each of them did."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class Invitation(models.Model):
    """Somebody who was asked to run something with others, and what they said; the `status` says which."""

    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    invited_at = models.DateTimeField(default=timezone.now)
    answered_at = models.DateTimeField(null=True)

    class Meta:
        """Those who joined first come first."""

        abstract = True
        ordering = ("answered_at", "pk")


class TeamDeed(models.Model):
    """What one of several people did with what they run together, for the others.

    `actor` is null if their account is gone; `person` is whom it was about, `version` which upload. It has no
    words of its own, so that names follow what accounts and bots are called.
    """

    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    version = models.ForeignKey("bots.Version", null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Newest first."""

        abstract = True
        ordering = ("-at", "-pk")
