"""Notices in the administration: looked at, never changed; no secret is shown."""

from django.contrib import admin

from arena.common.read_only import ReadOnly
from notices.models import Delivery, Notice, Webhook


@admin.register(Notice)
class NoticeAdmin(ReadOnly, admin.ModelAdmin[Notice]):
    """What users were told."""

    list_display = ("user", "kind", "text", "at", "read_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)


@admin.register(Webhook)
class WebhookAdmin(ReadOnly, admin.ModelAdmin[Webhook]):
    """Where messages go, and which webhooks fail."""

    list_display = ("owner", "url", "failures", "last_error", "disabled_at")
    list_select_related = ("owner",)
    fields = list_display


@admin.register(Delivery)
class DeliveryAdmin(ReadOnly, admin.ModelAdmin[Delivery]):
    """What is on its way, and what did not arrive."""

    list_display = ("notice", "webhook", "status", "attempts", "not_before", "error")
    list_select_related = ("notice", "webhook")
    list_filter = ("status",)
