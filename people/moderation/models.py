"""Reports, and what moderators decided."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from bots.models import Bot


class Subject(models.TextChoices):
    """What can be reported."""

    BOT = "bot", gettext_lazy("Bot")
    ACCOUNT = "account", gettext_lazy("Account")
    TOURNAMENT = "tournament", gettext_lazy("Tournament")
    ANNOUNCEMENT = "announcement", gettext_lazy("Announcement")
    CLASS = "class", gettext_lazy("Class")
    SERIES = "series", gettext_lazy("Series")


OTHER: Final = "other"
REASONS: Final = (
    ("offensive", gettext_lazy("It insults or threatens somebody")),
    ("hate", gettext_lazy("It is hateful or obscene")),
    ("private", gettext_lazy("It reveals private data")),
    ("imitation", gettext_lazy("It pretends to be somebody else")),
    ("spam", gettext_lazy("It is advertising or spam")),
    (OTHER, gettext_lazy("Something else")),
)
"""What is wrong with a thing."""


class AbuseReport(models.Model):
    """Somebody tells moderators about a thing. Its owner never learns who did.

    `key` is the primary key of the thing, which may be gone by now.
    """

    class Status(models.TextChoices):
        """What became of it."""

        OPEN = "open", "Open"
        UPHELD = "upheld", "Upheld"
        DISMISSED = "dismissed", "Dismissed"

    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    subject = models.CharField(max_length=12, choices=Subject.choices)
    key = models.BigIntegerField()
    reason = models.CharField(max_length=10, choices=REASONS)
    words = models.TextField(max_length=1000, blank=True)
    at = models.DateTimeField(default=timezone.now)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        """One open report for a thing and a person; those of one thing are read together."""

        ordering = ("-at", "-id")
        constraints = (
            models.UniqueConstraint(
                fields=["reporter", "subject", "key"],
                condition=models.Q(status="open"),
                name="report_open_once",
            ),
        )
        indexes = (
            models.Index(fields=["subject", "key"], name="report_thing"),
            models.Index(fields=["reporter", "-at"], name="report_reporter"),
            models.Index(fields=["at"], condition=models.Q(status="open"), name="report_open"),
        )

    def __str__(self) -> str:
        return f"{self.subject} {self.key}: {self.reason}"


class Act(models.Model):
    """A decision of a moderator about a thing of `person`, in force until `ended_at`.

    `before` has the texts that it replaced, by part, and `put` what stands there instead; of a ban `before`
    has the bots that it withdrew. `until` is when a ban ends by itself; null is for good. The person can
    appeal once.
    """

    class Kind(models.TextChoices):
        """What was done."""

        HIDE = "hide", gettext_lazy("Hidden")
        RENAME = "rename", gettext_lazy("Renamed")
        BAN = "ban", gettext_lazy("Account suspended")

    class Ended(models.TextChoices):
        """Why it is no longer in force."""

        LIFTED = "lifted", gettext_lazy("Lifted by moderators")
        APPEAL = "appeal", gettext_lazy("Lifted after the appeal")
        OVER = "over", gettext_lazy("Over")

    kind = models.CharField(max_length=8, choices=Kind.choices)
    subject = models.CharField(max_length=12, choices=Subject.choices)
    key = models.BigIntegerField()
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=10, choices=REASONS)
    words = models.TextField(max_length=1000)
    before = models.JSONField(default=dict)
    put = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    ended_because = models.CharField(max_length=8, choices=Ended.choices, blank=True)
    appeal = models.TextField(max_length=2000, blank=True)
    appealed_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(max_length=1000, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        """Newest first; those in force are looked up by thing, and bans by when they end."""

        ordering = ("-at", "-id")
        permissions = (("moderate", "Can moderate"),)
        indexes = (
            models.Index(fields=["subject", "key"], name="act_thing"),
            models.Index(fields=["person", "-at"], name="act_person"),
            models.Index(fields=["until"], condition=models.Q(ended_at=None), name="act_until"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.subject} {self.key}"

    @property
    def is_in_force(self) -> bool:
        """Whether it holds now."""
        return self.ended_at is None and (self.until is None or self.until > timezone.now())

    @property
    def may_be_appealed(self) -> bool:
        """Whether the person can still appeal."""
        return self.is_in_force and self.appealed_at is None

    @property
    def texts(self) -> list[tuple[str, str]]:
        """What was replaced, by part, for the owner and moderators to read."""
        found: list[tuple[str, str]] = []
        for part in ("name", *Bot.TEXTS, "release_notes", "text"):
            value: Any = self.before.get(part)
            if isinstance(value, dict):
                found += [(part, text) for text in value.values()]
            elif value:
                found.append((part, value))
        return found
