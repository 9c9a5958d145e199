"""Notices to people, how they want them, and the ways out by e-mail or webhook; notices to the whole site."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy


class Kind(models.TextChoices):
    """What happened."""

    CHECKED = "checked", gettext_lazy("A check of your bot is finished")
    BENCHED = "benched", gettext_lazy("Your bot is benched")
    BEATEN = "beaten", gettext_lazy("Your bot lost first place on a ladder")
    STARTED = "started", gettext_lazy("A tournament your bot is in has started")
    OVER = "over", gettext_lazy("A tournament or season your bot is in is over")
    DECIDED = "decided", gettext_lazy("Your test is decided")
    CHALLENGED = "challenged", gettext_lazy("Somebody challenges your bot")
    ANSWERED = "answered", gettext_lazy("Your challenge is answered")
    RELEASED = "released", gettext_lazy("A bot you follow has a new version")
    ENTERED = "entered", gettext_lazy("A tournament with a bot you follow has started")
    PLACED = "placed", gettext_lazy("A bot you follow won a tournament or came second or third")
    TOGETHER = "together", gettext_lazy("Somebody invites you to collaborate, or replies to your invitation")
    ADDRESS = "address", gettext_lazy("Your account needs a confirmed e-mail address")
    MODERATED = "moderated", gettext_lazy("Moderators decided about something of yours, or your report")
    WEBHOOK = "webhook", gettext_lazy("Your webhook was switched off")


def every_kind() -> list[str]:
    """All kinds."""
    return list(Kind.values)


def new_secret() -> str:
    """A secret that nobody guesses."""
    return secrets.token_urlsafe(32)


class Notice(models.Model):
    """One thing that happened, for one user. `key` names what happened, so that nobody is told twice.

    `url` is a path of this site. `sent_on` is set once e-mails and webhooks have their rows.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=12, choices=Kind.choices)
    key = models.CharField(max_length=120)
    text = models.CharField(max_length=300)
    url = models.CharField(max_length=200)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    sent_on = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first; what is unread is counted on every page of its reader."""

        ordering = ("-at", "-id")
        constraints = (models.UniqueConstraint(fields=["user", "key"], name="notice_once"),)
        indexes = (
            models.Index(fields=["user", "-at"], name="notice_newest"),
            models.Index(fields=["user"], condition=models.Q(read_at=None), name="notice_unread"),
            models.Index(fields=["at"], condition=models.Q(sent_on=None), name="notice_unsent"),
        )

    def __str__(self) -> str:
        return self.text


class Wishes(models.Model):
    """How a user wants to be told: which kinds by e-mail, and whether as a feed.

    `secret` lets whoever has a mail of theirs stop the mails. Who knows `feed_secret` reads their feed; null
    means that they have none.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="wishes"
    )
    by_mail = models.JSONField(default=every_kind)
    secret = models.CharField(max_length=64, unique=True, default=new_secret)
    feed_secret = models.CharField(max_length=64, unique=True, null=True)  # noqa: DJ001

    class Meta:
        verbose_name_plural = "wishes"

    def __str__(self) -> str:
        return f"wishes of {self.user_id}"


class Webhook(models.Model):
    """An address that is told. `secret` signs what is sent; after too many `failures` it is switched off."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    secret = models.CharField(max_length=64, default=new_secret)
    kinds = models.JSONField(default=every_kind)
    failures = models.PositiveIntegerField(default=0)
    last_error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    disabled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("created_at",)

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """A notice on its way: by e-mail, or to a webhook. It is tried until it arrived or `attempts` ran out.

    Whoever sends it holds it until `not_before`, by a conditional update; so two never send it at once.
    """

    class Status(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting", gettext_lazy("Waiting")
        SENT = "sent", gettext_lazy("Sent")
        GIVEN_UP = "given-up", gettext_lazy("Given up")

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    webhook = models.ForeignKey(Webhook, null=True, on_delete=models.CASCADE, related_name="deliveries")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField()
    error = models.CharField(max_length=200, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """One mail a notice, and one message a webhook."""

        verbose_name_plural = "deliveries"
        constraints = (
            models.UniqueConstraint(
                fields=["notice"], condition=models.Q(webhook=None), name="delivery_mail_once"
            ),
            models.UniqueConstraint(fields=["notice", "webhook"], name="delivery_webhook_once"),
        )
        indexes = (
            models.Index(
                fields=["not_before"], condition=models.Q(status="waiting"), name="delivery_waiting"
            ),
        )

    def __str__(self) -> str:
        return f"{self.notice_id} to {self.webhook or 'mail'}"


class SiteNotice(models.Model):
    """What staff tell everybody on top of every page, from `begins` until `ends`.

    `text` is shown as it was written, in `language`. `link` is a path of this site or an address elsewhere.
    """

    class Severity(models.TextChoices):
        """How it looks, and what comes first."""

        NOTICE = "notice", gettext_lazy("Notice")
        WARNING = "warning", gettext_lazy("Warning")

    class Audience(models.TextChoices):
        """Who sees it."""

        EVERYBODY = "everybody", "Everybody"
        SIGNED_IN = "signed-in", "Whoever is signed in"

    LANGUAGES = (("en", "English"), ("fr", "Français"), ("it", "Italiano"), ("pt-BR", "Português"))
    """As pages name them."""

    text = models.CharField(max_length=300)
    link = models.CharField(max_length=200, blank=True)
    severity = models.CharField(max_length=8, choices=Severity.choices, default=Severity.NOTICE)
    audience = models.CharField(max_length=10, choices=Audience.choices, default=Audience.EVERYBODY)
    language = models.CharField(max_length=5, choices=LANGUAGES, default="en")
    begins = models.DateTimeField(default=timezone.now)
    ends = models.DateTimeField()
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        """Those of today are among the last."""

        ordering = ("-begins", "-id")
        indexes = (models.Index(fields=["ends"], name="site_notice_ends"),)

    def __str__(self) -> str:
        return self.text

    def clean(self) -> None:
        """Raises ValidationError for a link that leads nowhere, or an end before the beginning."""
        path = self.link.startswith("/") and not self.link.startswith(("//", "/\\"))
        if self.link and not path and not self.link.startswith(("https://", "http://")):
            raise ValidationError({"link": "Give a path such as /rules/, or an address with https://."})
        if self.ends and self.begins and self.ends <= self.begins:
            raise ValidationError({"ends": "It must end after it begins."})


class Dismissal(models.Model):
    """A user does not want to see a site notice again."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    notice = models.ForeignKey(SiteNotice, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Once each."""

        constraints = (models.UniqueConstraint(fields=["user", "notice"], name="dismissal_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} dismissed {self.notice_id}"
