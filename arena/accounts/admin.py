"""People in the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.models import LogEntry

from arena.web.admin import ReadOnly

if TYPE_CHECKING:
    from django.http import HttpRequest


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, admin.ModelAdmin[LogEntry]):
    """What staff did here, and when."""

    list_display = ("action_time", "user", "content_type", "object_repr", "action_flag", "get_change_message")
    list_filter = ("action_flag", "content_type")
    list_select_related = ("user", "content_type")
    search_fields = ("user__username", "object_repr")
    date_hierarchy = "action_time"


# allauth's own page shows the secret itself.
admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class AuthenticatorAdmin(admin.ModelAdmin[Authenticator]):
    """Who has a second factor, without the secret. Delete it for someone who lost it."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    fields = list_display

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Its owner sets it up."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """There is nothing to change."""
        return False
