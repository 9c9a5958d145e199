"""Staff decisions that protect the ratings: linked accounts, requests to void, fixed ratings."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class AccountLink(models.Model):
    """Two accounts that staff consider one author. Their bots are never rated against each other."""

    one = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """Each couple once, and nobody with themselves."""

        constraints = (
            models.UniqueConstraint(fields=["one", "other"], name="account_link_once"),
            models.CheckConstraint(condition=~models.Q(one=models.F("other")), name="account_link_of_two"),
        )

    def __str__(self) -> str:
        return f"{self.one} and {self.other}"


class VoidRequest(models.Model):
    """An owner asks staff to void a pair because of what a machine did.

    Staff look at the attempts to decide, without seeing who won. `granted` is None until then.
    """

    pair = models.ForeignKey("tournaments.Pair", on_delete=models.CASCADE, related_name="void_requests")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    evidence = models.CharField(max_length=300)
    created_at = models.DateTimeField(auto_now_add=True)
    granted = models.BooleanField(null=True, blank=True)
    answer = models.CharField(max_length=300, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Oldest first; one open request a pair."""

        ordering = ("created_at", "id")
        constraints = (
            models.UniqueConstraint(
                fields=["pair"], condition=models.Q(granted=None), name="void_request_open_once"
            ),
        )

    def __str__(self) -> str:
        return f"request {self.pk} about pair {self.pair_id}"


class RatingAnchor(models.Model):
    """A version of a house bot with a fixed Elo.

    The average of its anchors fixes the scale of a variant. A new version of a house bot becomes an anchor
    only once it is well known, so it moves nobody.
    """

    variant = models.CharField(max_length=32)
    version = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="+")
    elo = models.FloatField()
    frozen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A version has one fixed rating in a variant."""

        ordering = ("variant", "id")
        constraints = (models.UniqueConstraint(fields=["variant", "version"], name="rating_anchor_once"),)

    def __str__(self) -> str:
        return f"{self.version} at {self.elo:.0f} in {self.variant}"
