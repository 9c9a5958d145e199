"""Challenges between owners, on what terms a bot takes them, and who has blocked whom."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.web.variants import board_title


class Challenge(models.Model):
    """One version against another, if the other's owner agrees; `asked` is null where that is the house.

    If the bot is handed over while the challenge is open, its new owner is `asked`. Once it is accepted it
    has a `tournament` of the two, which belongs to `asker`. `automatic` says that nobody was asked, because
    the bot's terms say yes. Deleting an account deletes its challenges; the games stay.
    """

    class Status(models.TextChoices):
        """What became of it."""

        OPEN = "open", gettext_lazy("Open")
        ACCEPTED = "accepted", gettext_lazy("Accepted")
        DECLINED = "declined", gettext_lazy("Declined")
        WITHDRAWN = "withdrawn", gettext_lazy("Withdrawn")
        EXPIRED = "expired", gettext_lazy("Expired")

    asker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="challenges_asked"
    )
    asked = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="challenges_received"
    )
    mine = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="+")
    theirs = models.ForeignKey("bots.Version", on_delete=models.CASCADE, related_name="+")
    variant = models.CharField(max_length=32)
    pairs = models.PositiveIntegerField()
    bank_ms = models.PositiveIntegerField()
    increment_ms = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    automatic = models.BooleanField(default=False)
    tournament = models.OneToOneField(
        "tournaments.Tournament", null=True, on_delete=models.SET_NULL, related_name="challenge"
    )
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        """Newest first; looked up by either side, and by when they expire."""

        ordering = ("-created_at", "-id")
        indexes = (
            models.Index(fields=["asker", "-created_at"], name="challenge_asker"),
            models.Index(fields=["asked", "-created_at"], name="challenge_asked"),
            models.Index(fields=["expires_at"], condition=models.Q(status="open"), name="challenge_expires"),
        )

    def __str__(self) -> str:
        return gettext("%(mine)s against %(theirs)s") % {"mine": self.mine, "theirs": self.theirs}

    @property
    def game(self) -> str:
        """What people call the game."""
        return board_title(self.variant)

    @property
    def is_open(self) -> bool:
        """Whether it can still be answered; one that has just expired cannot."""
        return self.status == self.Status.OPEN and self.expires_at > timezone.now()

    def is_received_by(self, user: Any) -> bool:
        """Whether the user is one of those who answer it: who owns the bot that was asked, now."""
        if self.asked_id is None or self.asker_id == user.pk:
            return False
        return self.theirs.bot.is_owned_by(user)

    def may_be_answered(self, answer: str, user: Any) -> bool:
        """Whether the user may give this answer: who asked withdraws it, and nobody else."""
        if answer == "withdraw":
            return bool(self.asker_id == user.pk)
        return self.is_received_by(user)


class Terms(models.Model):
    """How a bot takes challenges; without a row its owner is asked. House bots accept at once."""

    class Takes(models.TextChoices):
        """What happens to a challenge."""

        ASKED = "asked", gettext_lazy("Ask me each time")
        AUTOMATIC = "automatic", gettext_lazy("Accept them, up to a number a day")
        NONE = "none", gettext_lazy("Take none")

    bot = models.OneToOneField("bots.Bot", primary_key=True, on_delete=models.CASCADE, related_name="terms")
    takes = models.CharField(max_length=10, choices=Takes.choices, default=Takes.ASKED)
    per_day = models.PositiveSmallIntegerField(default=5)

    class Meta:
        verbose_name_plural = "terms"

    def __str__(self) -> str:
        return f"{self.bot}: {self.get_takes_display()}"


class Block(models.Model):
    """Whoever is `blocked` can no longer challenge the bots of `owner`."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Once each."""

        ordering = ("blocked__username",)
        constraints = (models.UniqueConstraint(fields=["owner", "blocked"], name="block_once"),)

    def __str__(self) -> str:
        return f"{self.owner_id} blocks {self.blocked_id}"
