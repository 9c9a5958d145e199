"""Tokens with which an author's own programs upload versions. Only their hashes are stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Token(models.Model):
    """A secret shown once to its owner: ``digest`` is its SHA-256 in hex, ``hint`` its first letters."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"
