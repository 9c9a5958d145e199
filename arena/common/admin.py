"""Heartbeats in the admin, to look at only."""

from django.contrib import admin
from django.http import HttpRequest

from arena.common.models import Heartbeat


@admin.register(Heartbeat)
class HeartbeatAdmin(admin.ModelAdmin[Heartbeat]):
    """When each queue's worker was last alive."""

    list_display = ("name", "beaten_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only workers beat."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Heartbeat | None = None) -> bool:
        """Only workers beat."""
        return False
