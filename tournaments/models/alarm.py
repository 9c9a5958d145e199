"""Problems that an operator must see."""

from django.db import models


class Alarm(models.Model):
    """One problem, open until `cleared_at` is set. `key` names what it is about."""

    class Kind(models.TextChoices):
        """What is wrong."""

        SANDBOX = "sandbox", "The sandbox is unavailable"
        PAIR = "pair", "A pair could not be played"
        BOT = "bot", "Too many games of a bot were voided"
        CHECK = "check", "An upload could not be checked"
        AUDIT = "audit", "The audit found a difference"

    kind = models.CharField(max_length=16, choices=Kind.choices)
    key = models.CharField(max_length=80, blank=True)
    detail = models.CharField(max_length=500)
    raised_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()
    count = models.PositiveIntegerField(default=1)
    cleared_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Newest first; one open alarm per kind and key."""

        ordering = ("-raised_at",)
        constraints = (
            models.UniqueConstraint(
                fields=["kind", "key"], condition=models.Q(cleared_at__isnull=True), name="alarm_open_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"
