"""People in the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from arena.accounts.models import User

if TYPE_CHECKING:
    from django.http import HttpRequest

admin.site.register(User, UserAdmin)
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
