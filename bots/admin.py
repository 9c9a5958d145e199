"""Bots in the admin. Versions, checks and tokens are history, so they are read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import transaction

from arena.web.admin import NewestAuditEntries, ReadOnly
from bots.check_results import passed_boards
from bots.models import (
    ActiveVersion,
    Archive,
    Bot,
    BotAuditEntry,
    CheckReport,
    CoOwner,
    Token,
    UploadAttempt,
    Version,
)
from bots.port import field_changed, stop_playing

if TYPE_CHECKING:
    from django.http import HttpRequest


class VersionInline(ReadOnly, admin.TabularInline[Version, Bot]):
    """The versions of a bot, below it."""

    model = Version
    fk_name = "bot"
    fields = ("number", "status", "uploaded_by", "language", "size", "sha256", "created_at")
    readonly_fields = fields
    extra = 0
    show_change_link = True


class ActiveVersionInline(ReadOnly, admin.TabularInline[ActiveVersion, Bot]):
    """Which version of a bot plays on which board."""

    model = ActiveVersion
    fields = ("board", "version")
    readonly_fields = fields
    extra = 0


class CoOwnerInline(ReadOnly, admin.TabularInline[CoOwner, Bot]):
    """Who owns a bot beside its owner, did so once, or was asked to."""

    model = CoOwner
    fields = ("user", "status", "invited_by", "invited_at", "answered_at", "joined_at", "offered_at")
    readonly_fields = fields
    extra = 0


class BotAuditEntryInline(ReadOnly, admin.TabularInline[BotAuditEntry, Bot]):
    """What its owners did last with a bot."""

    model = BotAuditEntry
    formset = NewestAuditEntries
    fields = ("at", "actor", "what", "person", "version")
    readonly_fields = fields
    extra = 0


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin[Bot]):
    """An operator may correct names and flags, but not uploads."""

    list_display = (
        "name",
        "owner",
        "is_house",
        "active_version",
        "open_to_all",
        "withdrawn_at",
        "created_at",
    )
    list_filter = ("is_house", "open_to_all", ("withdrawn_at", admin.EmptyFieldListFilter))
    list_select_related = ("owner", "active_version__bot")
    search_fields = ("name", "slug", "owner__username")
    fields = (
        "name",
        "slug",
        "owner",
        "description",
        "is_house",
        "open_to_all",
        "active_version",
        "withdrawn_at",
    )
    readonly_fields = ("slug", "owner", "is_house", "active_version")
    inlines = (ActiveVersionInline, CoOwnerInline, BotAuditEntryInline, VersionInline)

    def save_model(self, request: HttpRequest, obj: Bot, form: Any, change: bool) -> None:
        """Store it; one that is withdrawn now leaves what it is in."""
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            if "withdrawn_at" in form.changed_data:
                stop_playing(obj.versions.all()) if obj.is_withdrawn else field_changed()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Bots are created by uploads on the site."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Bot | None = None) -> bool:
        """A bot is withdrawn, not deleted."""
        return False


@admin.register(Version)
class VersionAdmin(ReadOnly, admin.ModelAdmin[Version]):
    """Every upload and the result of its check. Its files belong to its owner and are not shown."""

    list_display = (
        "bot",
        "number",
        "status",
        "benched_at",
        "language",
        "size",
        "short_sha256",
        "created_at",
    )
    list_filter = ("status", "language")
    list_select_related = ("bot",)
    search_fields = ("bot__name", "bot__owner__username", "sha256")
    fields = (
        "bot",
        "number",
        "status",
        "boards",
        "benched_at",
        "benched_because",
        "trial_asked_at",
        "check_started_at",
        "language",
        "entry",
        "size",
        "file_count",
        "sha256",
        "activate_when_accepted",
        "activated_at",
        "created_at",
    )
    date_hierarchy = "created_at"

    @admin.display(description="plays")
    def boards(self, version: Version) -> str:
        """The boards on which it passed its trial."""
        return ", ".join(passed_boards(version))

    @admin.display(description="sha256")
    def short_sha256(self, version: Version) -> str:
        """The start of the hash, enough to distinguish contents."""
        return version.sha256[:12]


@admin.register(CheckReport)
class CheckReportAdmin(ReadOnly, admin.ModelAdmin[CheckReport]):
    """The verdicts. Logs and evidence belong to the bot's owner and are not shown."""

    list_display = ("version", "accepted", "created_at")
    list_filter = ("accepted",)
    list_select_related = ("version__bot",)
    search_fields = ("version__bot__name",)
    fields = ("version", "accepted", "created_at")


@admin.register(Archive)
class ArchiveAdmin(ReadOnly, admin.ModelAdmin[Archive]):
    """The list of stored archives, without their contents."""

    list_display = ("sha256",)
    search_fields = ("sha256",)
    fields = ("sha256",)

    def get_queryset(self, request: HttpRequest) -> Any:
        """Without the bytes: a list of hashes needs none."""
        return super().get_queryset(request).defer("data")


@admin.register(Token)
class TokenAdmin(ReadOnly, admin.ModelAdmin[Token]):
    """Who has tokens and when they were used."""

    list_display = (
        "owner",
        "name",
        "hint",
        "scopes",
        "created_at",
        "expires_at",
        "last_used_at",
        "revoked_at",
    )
    list_select_related = ("owner",)
    search_fields = ("owner__username", "name")
    fields = ("owner", "name", "hint", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at")


@admin.register(UploadAttempt)
class UploadAttemptAdmin(ReadOnly, admin.ModelAdmin[UploadAttempt]):
    """How many files each user sent lately, including refused ones."""

    list_display = ("owner", "at")
    list_select_related = ("owner",)
    search_fields = ("owner__username",)
    date_hierarchy = "at"
