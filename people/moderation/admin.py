"""People, reports and decisions in the administration. Reports are looked at alone: the desk decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from arena.accounts.models import User
from arena.web.admin import ReadOnly
from people.deletion import delete_account
from people.moderation.models import AbuseReport, Act

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.http import HttpRequest


@admin.register(User)
class PeopleAdmin(UserAdmin[User]):
    """Users. Those who signed up while new accounts were held wait here, not active and never signed in."""

    list_display = ("username", "email", "is_active", "is_staff", "date_joined", "last_login")
    ordering = ("-date_joined",)
    actions = ("let_in",)

    @admin.action(description="Let in", permissions=["change"])
    def let_in(self, request: HttpRequest, rows: QuerySet[User]) -> None:
        """Let held accounts sign in. Accounts that had signed in and were switched off stay off."""
        held = list(rows.filter(is_active=False, last_login=None))
        for user in held:
            user.is_active = True
            user.save(update_fields=["is_active"])
            self.log_change(request, user, "Let in.")
        self.message_user(request, f"{len(held)} let in.")

    def get_deleted_objects(self, objs: Iterable[User], request: HttpRequest) -> Any:
        """The accounts alone: what goes with them, and what others keep, is for `delete_account`."""
        names = [str(user) for user in objs]
        return names, {"users": len(names)}, set(), []

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Delete an account as its owner would."""
        delete_account(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Do so one by one."""
        for user in queryset:
            delete_account(user)


@admin.register(AbuseReport)
class ReportAdmin(ReadOnly, admin.ModelAdmin[AbuseReport]):
    """Who reported what."""

    list_display = ("at", "subject", "key", "reason", "status", "reporter")
    list_select_related = ("reporter",)
    list_filter = ("status", "reason", "subject")
    search_fields = ("reporter__username",)


@admin.register(Act)
class ActAdmin(ReadOnly, admin.ModelAdmin[Act]):
    """What moderators decided."""

    list_display = ("at", "kind", "subject", "key", "person", "by", "until", "ended_because")
    list_select_related = ("person", "by")
    list_filter = ("kind", "subject", "ended_because")
    search_fields = ("person__username",)
