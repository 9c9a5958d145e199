"""Notices in the administration. What users were told is only looked at; site notices are written here."""

from django.contrib import admin

from arena.notices.models import Delivery, Notice, SiteNotice, Webhook
from arena.web.admin import ReadOnly


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


@admin.register(SiteNotice)
class SiteNoticeAdmin(admin.ModelAdmin[SiteNotice]):
    """What stands on top of every page. Every process shows a change within five seconds."""

    list_display = ("text", "severity", "audience", "begins", "ends")
    list_filter = ("severity", "audience")
    fields = ("text", "link", "severity", "audience", "language", "begins", "ends")
