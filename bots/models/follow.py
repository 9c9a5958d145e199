"""Who follows which bot, and what their followers are still to be told."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class Follow(models.Model):
    """A user wants to hear of a bot. How many do is public; who they are is not, even to the bot's owner."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    bot = models.ForeignKey("bots.Bot", on_delete=models.CASCADE, related_name="follows")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        """Once each."""

        ordering = ("bot__name",)
        constraints = (models.UniqueConstraint(fields=["user", "bot"], name="follow_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.bot_id}"


class News(models.Model):
    """Something that happened to bots, of which their followers are told little by little.

    `key` is that of the version or tournament that it is about: what to say is worked out when it is said.
    Accounts up to the key `told_to` have been told, and all of them once it is `done_at`.
    """

    class What(models.TextChoices):
        """A version became active, a tournament started, a tournament is over."""

        RELEASED = "released"
        STARTED = "started"
        OVER = "over"

    what = models.CharField(max_length=10, choices=What.choices)
    key = models.BigIntegerField()
    at = models.DateTimeField(default=timezone.now)
    told_to = models.BigIntegerField(default=0)
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Each thing happens once."""

        ordering = ("pk",)
        verbose_name_plural = "news"
        constraints = (models.UniqueConstraint(fields=["what", "key"], name="news_once"),)
        indexes = (models.Index(fields=["id"], condition=models.Q(done_at=None), name="news_untold"),)

    def __str__(self) -> str:
        return f"{self.what} {self.key}"
