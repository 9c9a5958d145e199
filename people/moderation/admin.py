"""Reports and decisions in the administration: looked at, never changed. The desk decides."""

from django.contrib import admin

from arena.web.admin import ReadOnly
from people.moderation.models import AbuseReport, Act


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
