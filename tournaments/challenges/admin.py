"""Challenges in the administration: looked at, never changed."""

from django.contrib import admin

from arena.web.admin import ReadOnly
from tournaments.challenges.models import Block, Challenge, Terms


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly, admin.ModelAdmin[Challenge]):
    """Who asked whom, and what became of it."""

    list_display = ("created_at", "asker", "asked", "mine", "theirs", "status", "automatic")
    list_select_related = ("asker", "asked", "mine__bot", "theirs__bot")
    list_filter = ("status",)
    search_fields = ("asker__username", "asked__username")


@admin.register(Terms)
class TermsAdmin(ReadOnly, admin.ModelAdmin[Terms]):
    """How bots take challenges."""

    list_display = ("bot", "takes", "per_day")
    list_select_related = ("bot",)


@admin.register(Block)
class BlockAdmin(ReadOnly, admin.ModelAdmin[Block]):
    """Who has blocked whom."""

    list_display = ("owner", "blocked", "at")
    list_select_related = ("owner", "blocked")
