"""Tokens for the programs of users. Only their hashes are stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy


class Scope(models.TextChoices):
    """What a token may do. Without any scope it may still read what everyone can see."""

    READ = "read", gettext_lazy("Read what only you can see: checks, evidence, your bots’ files, notices")
    UPLOAD = "upload", gettext_lazy("Create, upload, edit, activate and withdraw your bots")
    COMPETE = (
        "compete",
        gettext_lazy("Start and manage tournaments, tests and challenges, enter and remove your bots"),
    )
    ACCOUNT = (
        "account",
        gettext_lazy("Change your notifications and webhooks, the users you block and the bots you follow"),
    )
    REMOTE = "remote", gettext_lazy("Connect your remote bots and play for them")


UPLOADING = (Scope.READ.value, Scope.UPLOAD.value)
"""What every token could do before there were scopes."""


def uploading() -> list[str]:
    """The scopes of a token that names none."""
    return list(UPLOADING)


class Token(models.Model):
    """A secret shown once to its owner: ``digest`` is its SHA-256 in hex, ``hint`` its first letters.

    ``scopes`` are values of `Scope`. From ``expires_at`` on the token does nothing; null means never.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    scopes = models.JSONField(default=uploading)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    def allows(self, scope: str) -> bool:
        """Whether the token has a scope."""
        return scope in self.scopes
