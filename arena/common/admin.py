"""Signs of life in the admin, to look at; a worker that is gone for good can be forgotten."""

from django.contrib import admin
from django.http import HttpRequest

from arena.common.models import Heartbeat, Worker


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


@admin.register(Worker)
class WorkerAdmin(admin.ModelAdmin[Worker]):
    """Who works, and since when; `/health` misses a dead worker until its row is deleted or an hour old."""

    list_display = ("name", "queues", "games_at_once", "started_at", "beaten_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only workers announce themselves."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Worker | None = None) -> bool:
        """Only workers announce themselves."""
        return False
