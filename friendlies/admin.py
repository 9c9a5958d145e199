"""People's games in the admin, read-only."""

from __future__ import annotations

from django.contrib import admin

from arena.web.admin import ReadOnly
from friendlies.models import Friendly


@admin.register(Friendly)
class FriendlyAdmin(ReadOnly, admin.ModelAdmin[Friendly]):
    """People's games against bots, without their events."""

    list_display = ("id", "variant", "version", "level", "owner", "status", "awaits", "acted_at", "trouble")
    list_filter = ("status", "variant")
    list_select_related = ("version__bot", "owner")
    search_fields = ("id", "owner__username", "version__bot__name")
    exclude = ("start", "events", "guest", "address")
